"""The answers' words and numbers: what a reader is told about a blank."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import models
from components.answers import _panels, doubt, full_bar, own_word, several_pieces, share
from components.answers.notices import notices, shorten, waiting
from components.words import use_language
from models.trace import Blank, Candidate, Prediction, Provenance, Sentence

TEXT = "The chef was out of food."
FOOD = Blank(
    span=(20, 24),
    original="food",
    pieces=("food",),
    candidates=(
        Candidate("money", 7, 0.4, False),
        Candidate("food", 8, 0.2, False),
        Candidate("ing", 9, 0.01, True),
    ),
    original_rank=2,
    original_probability=0.2,
    entropy_bits=3.0,
)
ANSWER = Prediction(
    blanks=(FOOD,),
    read=len(TEXT),
    cut="",
    unread=(),
    unknown=(),
    words=16_379,
    provenance=Provenance("bert-en", "0123456789ab", "float32", (("torch", "2.13.0"),)),
)


def panel(blank: Blank, text: str = TEXT) -> dict[str, object]:
    (only,) = _panels(text, replace(ANSWER, blanks=(blank,)), models.filled)
    return only


@given(st.floats(0, 1))
def test_a_share_never_pretends_to_be_impossible_or_certain(probability: float) -> None:
    shown = share(probability)
    value = float(shown.strip("<> %")) / 100
    if shown.startswith("<"):
        assert probability < value
    elif shown.startswith(">"):
        assert probability > value
    else:
        assert 0 < value < 1
        assert abs(value - probability) <= 0.0005 + 1e-12


@given(st.floats(0, 14))
def test_doubt_counts_at_least_two_words(bits: float) -> None:
    told = doubt(bits)
    assert ("almost certain" in told) == (round(2**bits) < 2)
    if "draw" in told:
        assert f"{round(2**bits):,} words" in told


@given(st.lists(st.floats(0, 1), min_size=1, max_size=4))
def test_every_bar_fits_and_all_share_one_scale(bests: list[float]) -> None:
    blanks = tuple(replace(FOOD, candidates=(Candidate("a", 1, best, False),)) for best in bests)
    full = full_bar(replace(ANSWER, blanks=blanks))
    assert max(bests) <= full <= 1
    assert full == 0.1 or max(bests) > full / 2.6, "no scale leaves most of the track empty"


def test_no_answer_has_a_scale_too() -> None:
    assert full_bar(None) == 0.1


def test_the_visitors_own_word_is_marked_by_its_rank() -> None:
    rows = panel(FOOD)["rows"]
    assert [row["own"] for row in rows] == [False, True, False]  # type: ignore[attr-defined]
    assert own_word(FOOD, 16_379) == "Your word: food · rank 2 of 16,379 · 20.0%"


def test_the_own_word_without_rank_probability_or_at_all() -> None:
    several = replace(FOOD, pieces=("fo", "##od"), original_rank=None, original_probability=1e-9)
    assert own_word(several, 9) == "Your word: food · < 0.1%"
    assert "fo + …od" in several_pieces(several)
    assert own_word(replace(several, original_probability=None), 9) == "Your word: food · no rank"
    assert "no word of yours" in own_word(replace(FOOD, original=None, pieces=()), 9)
    assert several_pieces(FOOD) == ""


def test_an_answer_is_written_into_the_sentence() -> None:
    rows = panel(FOOD)["rows"]
    assert isinstance(rows, list)
    assert [(row["at"], row["written"]) for row in rows] == [
        (20, "money"),
        (20, "food"),
        (19, "ing"),  # joins the word before the blank
    ]
    start = replace(FOOD, span=(0, 3), original="The")
    rows = panel(start)["rows"]
    assert isinstance(rows, list)
    assert rows[0]["written"] == "Money", "a sentence begins with a capital"


@given(st.text(max_size=200), st.text(min_size=1, max_size=9), st.text(max_size=200))
def test_the_words_around_are_one_line_of_the_text(before: str, word: str, after: str) -> None:
    text = before + word + after
    blank = replace(FOOD, span=(len(before), len(before) + len(word)), original=word)
    shown = panel(blank, text)
    assert isinstance(shown["before"], str) and isinstance(shown["after"], str)
    assert len(shown["before"].splitlines()) <= 1 and len(shown["after"].splitlines()) <= 1
    assert shown["before"].startswith("…") or "".join(shown["before"].split()) == "".join(
        before.split()
    )
    json.dumps(shown)


def test_other_blanks_stay_blank_when_one_is_tried() -> None:
    chef = replace(FOOD, span=(4, 8), original="chef")
    first, second = _panels(TEXT, replace(ANSWER, blanks=(chef, FOOD)), models.filled)
    assert (first["before"], first["after"]) == ("The ", " was out of [MASK].")
    assert (second["before"], second["after"]) == ("The [MASK] was out of ", ".")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "Type an English sentence"),
        ("  \n", "Type an English sentence"),
        ("?! …", "no word here"),
        ("A cat.", "Click a word"),
    ],
)
def test_without_a_blank_the_next_step_is_said(text: str, told: str) -> None:
    (notice,) = notices(Sentence(text), replace(ANSWER, blanks=()))
    assert told in notice


def test_what_was_not_read_is_named() -> None:
    few, many = (replace(ANSWER, cut=" ".join(["word"] * n)) for n in (3, 400))
    assert notices(Sentence(TEXT), few) == [
        "This is longer than the model reads at once. Not read: “word word word”"
    ]
    assert "and 388 more words" in notices(Sentence(TEXT), many)[0]
    endless = notices(Sentence(TEXT), replace(ANSWER, cut="a" * 20_000))[0]
    assert len(endless) < 250 and endless.endswith("…”")


def test_a_hidden_word_that_was_not_read_is_explained() -> None:
    answer = replace(ANSWER, blanks=(), cut="food.", unread=((20, 24),))
    told = notices(Sentence(TEXT, ((20, 24),)), answer)
    assert "Not read: “food.”" in told[0] and "Hide one before it" in told[1]


def test_unknown_words_are_named() -> None:
    (notice,) = notices(Sentence(TEXT), replace(ANSWER, unknown=("☃", "🙂")))
    assert "“☃”, “🙂”" in notice


def test_words_that_are_too_long_are_told_from_those_that_cannot_be_spelled() -> None:
    answer = replace(ANSWER, too_long=("a" * 1_500,), longest_word=100)
    (notice,) = notices(Sentence(TEXT), answer)
    assert "up to 100 characters" in notice and "spell" not in notice
    assert len(notice) < 200
    with use_language("zh_TW"):
        (notice,) = notices(Sentence(TEXT), replace(answer, unknown=("今天", "貓"), too_long=()))
    assert "「今天」、「貓」" in notice


def test_the_queue() -> None:
    assert waiting(1) != waiting(2)
    assert "1,200" in waiting(1_200)


def test_every_sentence_is_translated() -> None:
    with use_language("zh_TW"):
        told = [own_word(FOOD, 9), doubt(0), doubt(9), waiting(1), waiting(2)]
        told += notices(Sentence(""), replace(ANSWER, blanks=(), cut="a b", unknown=("☃",)))
    assert all(any("\u4e00" <= letter <= "\u9fff" for letter in each) for each in told)


def test_shorten() -> None:
    assert shorten("abc", 3) == "abc"
    assert shorten("abcd", 3) == "abc…"
