"""Rated words: what a reader is told about every word of a list, and what they take away."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.facts.doubts import entropy, surprisal
from components.rated.exports import longer_numbers, named_numbers, picture
from components.rated.longer import longer_words
from components.rated.named import named_words, notes, outcome
from components.shares import RAREST, rare, spelled
from components.words import LANGUAGES, use_language
from models.trace import Blank, LongerAnswer, LongerAnswers, NamedWord, NamedWords, Provenance

ABOUT = Provenance("bert-en", "0123456789ab", "float32", (("torch", "2.13.0"),))


def scored(text: str, probability: float, share: float, *pieces: str) -> NamedWord:
    bits = {0.5: 1.0, 0.125: 3.0, 0.0001: 13.288}[probability]
    rank = None if len(pieces) > 1 else 2
    return NamedWord(text, "scored", pieces or (text,), 7, rank, probability, bits, share)


FOUND = NamedWords(
    span=(0, 3),
    words=(
        scored("He", 0.5, 0.8),
        scored("she", 0.125, 0.2),
        scored("walkingly", 0.0001, 0.0001, "walking", "##ly"),
        NamedWord("\U0001faa9", "unknown"),
        NamedWord("they", "left_out"),
    ),
    mixed_lengths=True,
    provenance=ABOUT,
    snippet="",
)
BLANK = Blank((0, 3), "The", ("the",), (), 1, 0.25, 4.0)


@given(st.floats(1 / RAREST, 0.001, exclude_max=True))
def test_a_small_share_is_told_as_odds(probability: float) -> None:
    odds = float(rare(probability).removeprefix("1 in ").replace(",", ""))
    assert odds * probability == pytest.approx(1, rel=0.051)


def test_odds_end_where_nobody_needs_them() -> None:
    assert rare(0.5 / RAREST) == rare(0) == "less than 1 in 1,000,000,000"
    assert rare(0.25) == "25.0%"


def test_pieces_are_marked_where_they_join() -> None:
    assert spelled(("walk", "##ing", "##ly")) == "walk + …ing + …ly"


def test_each_word_has_its_share_and_its_place_among_all() -> None:
    he, she, long, *_ = named_words(FOUND, "Your list", 20_000, "he").rows
    assert he.cells == ("80.0%", "50.0%", "2", "1.0 bits")
    assert she.cells == ("20.0%", "12.5%", "2", "3.0 bits")
    assert (he.filled, she.filled) == (0.8, 0.2)
    assert (he.strong, she.strong) == (True, False), "one's own word, whatever its case"
    assert long.note == "2 pieces: walking + …ly"
    assert long.cells == ("< 0.1%", "1 in 10,000", "–", "13.3 bits")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["empty", "unknown", "mask", "too_long", "left_out"])
def test_a_word_without_numbers_says_why(kind: str, language: str) -> None:
    word = NamedWord("x", kind)  # type: ignore[arg-type]
    with use_language(language):
        found = replace(FOUND, words=(word,))
        (row,) = named_words(found, "", 9, None).rows
        assert row.told == outcome(word, found) and len(row.told) > 8
    assert row.cells == ()


def test_a_list_too_long_tells_how_far_it_was_rated() -> None:
    assert "word number 4" in outcome(FOUND.words[-1], FOUND)


def test_lengths_are_warned_about_only_where_they_differ() -> None:
    assert len(notes(FOUND, 9)) == 2
    assert len(notes(replace(FOUND, mixed_lengths=False), 9)) == 1


def test_numbers_are_unrounded_and_say_why_there_are_none() -> None:
    table = named_numbers(FOUND)
    assert table.rows[0] == ("He", "He", 0.8, 0.5, 2, 1.0, 7, "")
    assert table.rows[3][2:6] == (None, None, None, None)
    assert table.rows[3][-1] == outcome(FOUND.words[3], FOUND)


def test_the_picture_has_the_bars_of_the_page() -> None:
    drawn = picture("A cup", [named_words(FOUND, "Your list", 9, None)], "#0072B2", ABOUT)
    assert "He 80.0%" in drawn.alt
    assert "they" not in drawn.markup, "no bar without a number"


LONGER = LongerAnswers(
    span=(0, 3),
    two=(LongerAnswer("walking", ("walk", "##ing"), (1, 2), (0.5, 0.02), (0.9,), 3),),
    three=(),
    provenance=ABOUT,
    snippet="",
)


def test_longer_words_are_merged_and_marked_each_length_by_itself() -> None:
    two, three = longer_words(LONGER)
    (row,) = two.rows
    assert (row.word, row.note) == ("walking", "2 pieces: walk + …ing")
    assert (row.filled, row.cells, two.axis) == (1.0, ("1.0%",), "1.0%")
    assert not three.rows and three.empty
    assert longer_numbers(LONGER).rows == [("walking", "walk ##ing", 0.01, "0.5 0.02", 3)]
    assert "1.0%" in picture("", [two, three], "#000", ABOUT).markup


def test_doubt_and_surprise_are_told_with_their_unit() -> None:
    assert entropy(BLANK, 1024).value == "4.0 bits"
    assert "10 bits" in entropy(BLANK, 1024).told, "the most there can be"
    (fact,) = surprisal(BLANK)
    assert (fact.name, fact.value) == ("Surprisal of “The”", "2.0 bits")


@pytest.mark.parametrize(
    "blank",
    [replace(BLANK, original=None), replace(BLANK, original_probability=None)],
    ids=["typed mask", "cannot be spelled"],
)
def test_no_surprise_without_a_word(blank: Blank) -> None:
    assert surprisal(blank) == []
