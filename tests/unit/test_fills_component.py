"""Filled by itself and together: the difference is told as it was computed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import models
from components.fills import parts
from components.fills.exports import numbers, picture
from components.fills.said import difference, other_order
from components.words import use_language
from models.trace import Blank, Candidate, Difference, Fill, JointFill, Provenance

TEXT = "He stood in front of the house."
BLANKS = tuple(
    Blank((TEXT.index(word), TEXT.index(word) + len(word)), word, (word,), (), 1, 0.5, 1.0)
    for word in ("front", "of")
)
THE, IN, FRONT, OF = (
    Candidate(word, i, p, False)
    for i, (word, p) in enumerate((("the", 0.3), ("in", 0.01), ("front", 0.1), ("of", 0.9)))
)
ALONE = Fill((THE, IN), (1, 0), -5.8, (0, 1), -5.9)
JOINT = Fill((FRONT, OF), (1, 0), -2.4, (0, 1), -2.1)
FOUND = JointFill(
    spans=tuple(blank.span for blank in BLANKS),
    joint=JOINT,
    independent=ALONE,
    alternatives=(Fill((THE, OF), (0, 1), -3.0, None, None),),
    left_out=0,
    difference=Difference((0, 1), -2.4, -5.8),
    provenance=Provenance("bert-en", "0123456789ab", "float32", (("torch", "2.13.0"),)),
    snippet="",
)


def written(fill: Fill) -> str:
    drawn = parts(TEXT, BLANKS, fill, (), models.filled)
    return "".join(str(part["text"]) for part in drawn)


@given(
    st.lists(st.sampled_from(["front", "The", "ing", ",", "é"]), min_size=2, max_size=2),
    st.lists(st.booleans(), min_size=2, max_size=2),
)
def test_the_parts_are_the_filled_sentence(words: list[str], joins: list[bool]) -> None:
    chosen = tuple(Candidate(w, 0, 0.5, j) for w, j in zip(words, joins, strict=True))
    assert written(replace(JOINT, words=chosen)) == models.filled(TEXT, BLANKS, chosen)


def test_each_filled_word_says_when_it_was_filled_and_whether_it_differs() -> None:
    drawn = parts(TEXT, BLANKS, JOINT, (0,), models.filled)
    filled = [part for part in drawn if "step" in part]
    assert [(p["text"], p["step"], p["changed"]) for p in filled] == [
        ("front", "2", True),
        ("of", "1", False),
    ]


def test_the_difference_is_told_in_words_and_in_nats() -> None:
    told = difference(FOUND)
    assert "2 blanks change from “the”, “in” to “front”, “of”" in told
    assert "30 times as well: 3.40 nats more" in told


def test_one_word_that_changes_is_named() -> None:
    one = replace(FOUND, difference=Difference((1,), -2.4, -5.8))
    assert "Blank 2 changes from “in” to “of”" in difference(one)


def test_nothing_changes() -> None:
    same = replace(FOUND, independent=JOINT, difference=Difference((), -2.4, -2.4))
    assert difference(same) == "Filled together or each by itself, the words are the same."


def test_a_beam_that_missed_the_better_fill_is_not_hidden() -> None:
    worse = replace(FOUND, difference=Difference((0,), -5.0, -4.5))
    assert "each by itself fits better, by 0.50 nats" in difference(worse)


def test_blanks_left_out_are_counted() -> None:
    assert difference(replace(FOUND, left_out=1)).endswith("1 blank after these stays hidden.")
    with use_language("zh_TW"):
        assert "還有 3 個挖空" in difference(replace(FOUND, left_out=3))


@pytest.mark.parametrize(
    ("score", "said"),
    [(-2.1, "would score better: −2.10 nats"), (-2.4, "score the same"), (-4.0, "best other one")],
)
def test_another_order_is_rated(score: float, said: str) -> None:
    told = other_order(replace(JOINT, other_score=score))
    assert "1 → 2" in told and said in told


def test_one_blank_has_no_other_order() -> None:
    assert other_order(replace(JOINT, other_order=None, other_score=None)) == ""


def test_numbers_hold_every_fill_in_its_order() -> None:
    rows = numbers(FOUND).rows
    assert [row[:5] for row in rows[:4]] == [
        ("Each by itself", 1, 2, "in", 0.01),
        ("Each by itself", 2, 1, "the", 0.3),
        ("Together", 1, 2, "of", 0.9),
        ("Together", 2, 1, "front", 0.1),
    ]
    assert rows[2][5:] == (-2.4, "1 → 2", -2.1)
    assert len(rows) == 6, "and the rest of the beam"


def test_the_picture_shows_both() -> None:
    drawn = picture("He stood in [MASK 1] [MASK 2] the house.", FOUND, "#0072B2")
    for shown in ("1. of", "2. front", "90.0%", "1. in", "3.40 nats"):
        assert shown in drawn.markup
