"""The split of the corpora: by document, disjoint, and without repeated sentences."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from models.training.sources.document import Document
from models.training.split import is_held_out, normal_form, passages, split

WORDS = ("stone", "river", "cat", "morning", "blue", "walks", "under", "quietly", "seven", "glass")
SENTENCE = st.lists(st.sampled_from(WORDS), min_size=2, max_size=9).map(" ".join)
DOCUMENT = st.builds(
    Document,
    source=st.sampled_from(["austen", "capitals", "factbook"]),
    unit=st.integers(0, 200).map("unit:{}".format),
    sentences=st.lists(SENTENCE, min_size=1, max_size=5).map(tuple),
)


def unit(held_out: bool, skip: int = 0) -> str:
    """The first unit id (after `skip` others) that the hash sends to the wanted side."""
    ids = (f"unit:{number}" for number in range(10_000))
    return [name for name in ids if is_held_out(name) is held_out][skip]


@given(st.lists(DOCUMENT, max_size=40))
def test_no_unit_stands_on_both_sides(documents: list[Document]) -> None:
    train, held_out = split(documents)
    assert {d.unit for d in train}.isdisjoint(d.unit for d in held_out)
    assert train == [d for d in documents if not is_held_out(d.unit)]


@given(st.lists(DOCUMENT, max_size=40))
def test_no_long_sentence_stands_on_both_sides(documents: list[Document]) -> None:
    train, held_out = split(documents)
    seen = {normal_form(s) for d in train for s in d.sentences}
    for document in held_out:
        assert document.sentences
        assert all(len(s.split()) < 6 for s in document.sentences if normal_form(s) in seen)


@given(st.lists(DOCUMENT, max_size=20), st.lists(DOCUMENT, max_size=20))
def test_a_units_side_does_not_depend_on_the_others(
    some: list[Document], others: list[Document]
) -> None:
    alone = {d.unit for d in split(some)[0]}
    assert alone <= {d.unit for d in split(some + others)[0]}


def test_about_three_percent_are_held_out() -> None:
    share = sum(is_held_out(f"wordnet:n:{number:08}") for number in range(20_000)) / 20_000
    assert 0.025 < share < 0.035


def test_a_repeated_sentence_is_dropped_from_held_out_whatever_its_case_and_punctuation() -> None:
    train = Document("bible", unit(False), ("In the beginning, God made it all.",))
    copy = Document(
        "bible",
        unit(True),
        ("In the beginning God made it all!", "He went away.", "Nobody else said this before."),
    )
    short = Document("austen", unit(False, skip=1), ("He went away.",))
    kept_train, kept = split([copy, train, short])
    assert kept_train == [train, short]
    assert kept[0].sentences == ("He went away.", "Nobody else said this before.")


def test_a_held_out_document_with_nothing_left_disappears() -> None:
    sentence = "Every single word of this one is known."
    documents = [Document("a", unit(False), (sentence,)), Document("a", unit(True), (sentence,))]
    assert split(documents)[1] == []


def test_passages_are_single_sentences_for_wordnet_and_about_thirty_words_for_prose() -> None:
    twelve = "one two three four five six seven eight nine ten eleven twelve"
    long = " ".join(["word"] * 40)
    documents = [
        Document("austen", "austen:emma:1", (twelve, twelve, twelve, long, twelve)),
        Document("austen", "austen:emma:2", (twelve,)),
        Document("wordnet_examples", "wordnet:n:1", (twelve, "a second one")),
    ]
    assert passages(documents, "wordnet_examples") == [twelve, "a second one"]
    prose = passages(documents, "austen")
    assert prose == [f"{twelve} {twelve}", twelve, long, twelve, twelve]
    assert passages(documents, "bible") == []
