"""The everyday test set is well formed, and nothing in it was copied from the training text."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ITEMS = Path(__file__).parents[2] / "models" / "training" / "everyday.tsv"
CACHE = Path(os.environ.get("UNMASK_CACHE", Path.home() / ".cache" / "unmask"))
CORPUS = CACHE / "corpus" / "train.jsonl"
BLANK = "[MASK]"
GRAM = 5  # words in a row that count as copied

Row = tuple[str, ...]
Gram = tuple[str, ...]


def rows() -> list[Row]:
    """The items as (sentence, answers, side), kept raw so that the format itself is tested."""
    lines = ITEMS.read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if not line.startswith("#")]


def words(text: str) -> list[str]:
    """Lower-case words; "don't", "don’t" and "dont" are the same word."""
    return re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", text.lower()))


def grams(text: str) -> Iterator[Gram]:
    """Every run of GRAM words in the text."""
    w = words(text)
    return zip(*(w[i:] for i in range(GRAM)), strict=False)


def item_grams() -> dict[Gram, str]:
    """The 5-grams of every sentence as it reads with each accepted answer filled in."""
    return {
        gram: sentence
        for sentence, answers, _ in rows()
        for answer in answers.split("|")
        for gram in grams(sentence.replace(BLANK, answer))
    }


def copied(documents: Iterable[str], wanted: dict[Gram, str]) -> dict[Gram, str]:
    """The wanted 5-grams that stand in the documents, with the item each belongs to."""
    found: dict[Gram, str] = {}
    for document in documents:
        found.update((gram, wanted[gram]) for gram in wanted.keys() & set(grams(document)))
    return found


def corpus_documents() -> Iterator[str]:
    """Training documents; sentences are joined, as training windows run across them."""
    with CORPUS.open(encoding="utf-8") as lines:
        for line in lines:
            yield " ".join(json.loads(line)["sentences"])


def test_starts_with_a_comment_and_has_three_fields_a_line() -> None:
    assert ITEMS.read_text(encoding="utf-8").startswith("#")
    assert [row for row in rows() if len(row) != 3] == []


def test_has_enough_items_to_measure_with() -> None:
    assert len(rows()) >= 120


def test_each_side_is_asked_often_enough() -> None:
    sides = Counter(side for _, _, side in rows())
    assert set(sides) == {"left", "right", "both"}
    assert min(sides.values()) >= 25, sides


def test_each_sentence_has_one_blank_and_an_everyday_length() -> None:
    for sentence, _, _ in rows():
        assert sentence.count(BLANK) == 1, sentence
        assert 4 <= len(sentence.split()) <= 14, sentence
        assert sentence == sentence.strip(), sentence


def test_answers_are_one_to_six_different_single_words() -> None:
    for sentence, answers, _ in rows():
        accepted = answers.split("|")
        assert 1 <= len(accepted) <= 6, sentence
        assert len(set(accepted)) == len(accepted), sentence
        assert all(re.fullmatch(r"[a-z]+", answer) for answer in accepted), sentence


def test_no_answer_stands_elsewhere_in_its_sentence() -> None:
    for sentence, answers, _ in rows():
        assert not set(answers.split("|")) & set(words(sentence.replace(BLANK, " "))), sentence


def test_no_sentence_is_asked_twice() -> None:
    counts = Counter(tuple(words(sentence)) for sentence, _, _ in rows())
    assert [sentence for sentence, n in counts.items() if n > 1] == []


def test_the_copy_check_sees_through_case_and_punctuation() -> None:
    wanted = dict.fromkeys(grams("They don't sleep in tents."), "item")
    assert copied(["Why? THEY don’t sleep, in “tents” now."], wanted) == wanted
    assert copied(["They don't sleep in warm tents."], wanted) == {}


@pytest.mark.skipif(not CORPUS.exists(), reason=f"no training text at {CORPUS}")
def test_no_five_words_in_a_row_stand_in_the_training_text() -> None:
    assert copied(corpus_documents(), item_grams()) == {}
