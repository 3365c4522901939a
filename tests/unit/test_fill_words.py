"""Words that visitors name, and answers longer than one piece, on tiny real models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings

import models
from models import fills
from models.loading import Model
from models.masked import longer
from models.masked.named import MOST_PIECES, MOST_WORDS, listed
from models.prediction import predict
from models.results import Sentence
from tests.unit.masked_by_hand import blank_ids, log_p
from tests.unit.weird import WEIRD

SHARED_FIXTURE = [HealthCheck.function_scoped_fixture]  # the model never changes


@pytest.fixture(params=["tiny-bert", "tiny-roberta"])
def tiny(request: pytest.FixtureRequest) -> Model:
    """A word-piece and a byte-level tokenizer."""
    model: Model = request.getfixturevalue(request.param.replace("-", "_"))
    return model


# --- words that a visitor names


@pytest.mark.parametrize("text", ["The [MASK] sat on the mat.", "[MASK] is good", "a big [MASK]"])
def test_named_words_equal_the_prediction(tiny: Model, text: str) -> None:
    (blank,) = predict(tiny, Sentence(text), top_k=tiny.vocabulary.words).blanks
    found = models.score_words(tiny, Sentence(text), "cat, dog / garden")
    by_id = {c.token_id: (i, c) for i, c in enumerate(blank.candidates)}
    assert [word.text for word in found.words] == ["cat", "dog", "garden"]
    for word in found.words:
        if len(word.pieces) > 1:
            continue
        place, candidate = by_id[word.token_id]
        assert word.probability == pytest.approx(candidate.probability, rel=1e-5)
        assert word.rank == place + 1
        assert word.surprisal_bits == pytest.approx(-np.log2(candidate.probability), rel=1e-4)
    assert any(len(word.pieces) == 1 for word in found.words)
    total = sum(word.probability for word in found.words)
    for word in found.words:
        assert word.share == pytest.approx(word.probability / total)


@pytest.mark.parametrize("word", ["cat", "walking", "unhappyable", "garden"])
def test_naming_the_original_gives_the_originals_numbers(tiny: Model, word: str) -> None:
    text = f"she was {word} in the garden"
    hidden = Sentence(text, ((8, 8 + len(word)),))
    (blank,) = predict(tiny, hidden).blanks
    (named,) = models.score_words(tiny, hidden, [word]).words
    assert named.pieces == blank.pieces
    assert named.rank == blank.original_rank
    assert named.probability == pytest.approx(blank.original_probability, rel=1e-5)


def test_a_word_of_several_pieces_has_no_rank_and_is_said_to_mix(tiny_bert: Model) -> None:
    found = models.score_words(tiny_bert, Sentence("the cat was [MASK]"), "walking, red")
    assert found.mixed_lengths
    several, single = found.words
    assert (several.pieces, several.rank, several.token_id) == (("walk", "##ing"), None, None)
    assert single.rank is not None
    assert several.share + single.share == pytest.approx(1)
    assert not models.score_words(tiny_bert, Sentence("a [MASK]"), "cat, dog").mixed_lengths


def test_every_kind_of_input_has_an_outcome(tiny_bert: Model) -> None:
    words = [
        "",
        "  ",
        "cat",
        "\u2603",
        "[MASK]",
        "a" * 101,
        "q" * (MOST_PIECES + 1),
        "[SEP]",
        "##ing",
    ]
    found = models.score_words(tiny_bert, Sentence("the [MASK] sat"), words).words
    assert [word.outcome for word in found] == [
        "empty", "empty", "scored", "unknown", "mask", "too_long", "too_long", "scored", "scored",
    ]  # fmt: skip
    assert [word.text for word in found] == [word.strip() for word in words]
    for word in found:
        numbers = (word.probability, word.surprisal_bits, word.share)
        assert (None in numbers) == (word.outcome != "scored")
    assert found[-1].pieces == ("##ing",)
    assert found[-2].token_id is None  # a typed "[SEP]" is text, never the special token


def test_a_long_list_is_cut_and_says_so(tiny_bert: Model) -> None:
    words = ["cat", "dog"] * MOST_WORDS
    found = models.score_words(tiny_bert, Sentence("the [MASK] sat"), words).words
    outcomes = [word.outcome for word in found]
    assert outcomes == ["scored"] * MOST_WORDS + ["left_out"] * MOST_WORDS
    assert found[0] == found[2]
    assert found[0].share + found[1].share == pytest.approx(1)  # named twice, counted once


def test_a_word_wider_than_the_model_is_too_long(tiny_bert: Model) -> None:
    full = "the " * 61 + "[MASK]"  # 64 positions with [CLS] and [SEP]
    first, second = models.score_words(tiny_bert, Sentence(full), "cat, walking").words
    assert (first.outcome, second.outcome) == ("scored", "too_long")


@given(word=WEIRD)
@hypothesis_settings(max_examples=40, deadline=None, suppress_health_check=SHARED_FIXTURE)
def test_any_word_may_be_named(tiny: Model, word: str) -> None:
    found = models.score_words(tiny, Sentence("un[MASK] [MASK]!"), word, blank=1)
    for one in found.words:
        assert one.outcome in fills.Outcome.__args__
    models.score_words(tiny, Sentence("un[MASK] [MASK]!"), [word], blank=0)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("he/she", ("he", "she")),
        ("is, are", ("is", "are")),
        ("貓、狗，鳥", ("貓", "狗", "鳥")),
        (" one ; two\nthree|one", ("one", "two", "three")),
        (",", (",",)),
        ("  ", ()),
        ("New York", ("New York",)),
    ],
)
def test_a_list_is_read_as_people_type_it(typed: str, words: tuple[str, ...]) -> None:
    assert listed(typed) == words


def test_there_must_be_such_a_blank(tiny_bert: Model) -> None:
    for ask in (
        lambda s: models.score_words(tiny_bert, s, "cat", blank=1),
        lambda s: models.longer_answers(tiny_bert, s, blank=1),
        lambda s: models.lens(tiny_bert, s, blank=1),
        lambda s: models.head_steps(tiny_bert, s, blank=-1),
    ):
        with pytest.raises(ValueError, match="blank"):
            ask(Sentence("the [MASK] sat"))


# --- answers longer than one piece

NEEDS = 0.1
"""Random models rarely expect a continuation."""


def brute_force(model: Model, text: str, pieces: int) -> dict[tuple[int, ...], float]:
    """log p of every word of so many pieces that may be answered, by trying all."""
    place = blank_ids(model, text).index(model.mask_id)
    ids = blank_ids(model, text)
    wide = ids[:place] + [model.mask_id] * pieces + ids[place + 1 :]
    begins, continues = longer._entries(model.vocabulary)
    found: dict[tuple[int, ...], float] = {(): 0.0}
    for i in range(pieces):
        grown = {}
        for before, score in found.items():
            row = log_p(model, wide[:place] + list(before) + wide[place + i :], place + i)
            if i and np.exp(row[continues]).sum() < longer.NEEDS:
                continue
            for word in np.flatnonzero(continues if i else begins):
                grown[(*before, int(word))] = score + row[word]
        found = grown
    return found


def test_longer_answers_are_the_best_of_all(tiny_bert: Model, monkeypatch: Any) -> None:
    monkeypatch.setattr(longer, "FIRST", 10_000)
    monkeypatch.setattr(longer, "WIDTH", 10_000)
    monkeypatch.setattr(longer, "NEEDS", NEEDS)
    text = "she was [MASK] in the garden"
    found = models.longer_answers(tiny_bert, Sentence(text), top_k=6).two
    scores = brute_force(tiny_bert, text, 2)
    fits = [
        ids
        for ids in sorted(scores, key=lambda ids: -scores[ids])
        if longer._is_spelling(tiny_bert, text, (8, 14), ids)
    ]
    assert len(found) == 6
    assert [one.ids for one in found] == fits[:6]
    for one in found:
        assert np.log(one.probability) == pytest.approx(scores[one.ids], abs=1e-4)


def test_longer_answers_are_marked_and_scored_by_the_chain_rule(
    tiny: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(longer, "NEEDS", NEEDS)
    sentence = Sentence("she was [MASK] in the garden")
    found = models.longer_answers(tiny, sentence, top_k=3)
    assert found.two and found.three
    for pieces, answers in ((2, found.two), (3, found.three)):
        assert [one.probability for one in answers] == sorted(
            (one.probability for one in answers), reverse=True
        )
        for one in answers:
            assert len(one.ids) == len(one.pieces) == len(one.piece_probabilities) == pieces
            assert len(one.goes_on) == pieces - 1 and min(one.goes_on) >= longer.NEEDS
            (named,) = models.score_words(tiny, sentence, [one.text]).words
            assert named.pieces == one.pieces  # the tokenizer itself would cut it like that
            assert named.probability == pytest.approx(one.probability, rel=1e-4)
            assert one.text.isalnum()
            assert 1 <= one.first_rank <= tiny.vocabulary.words


def test_a_model_that_is_full_has_no_room_for_longer_answers(tiny_bert: Model) -> None:
    found = models.longer_answers(tiny_bert, Sentence("the " * 61 + "[MASK]"))
    assert (found.two, found.three) == ((), ())
