"""From raw text to clean sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.training.sources.text import (
    LONGEST,
    balance,
    keep,
    plain,
    sentences_of,
    shorten,
    split_sentences,
)


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("“Don’t,” she   said.", '"Don\'t," she said.'),
        ("a country—and so we will remain", "a country - and so we will remain"),
        ("to her sister;--and then", "to her sister; and then"),
        ("wait ----- for it", "wait - for it"),
        ("It was _very_ odd, *truly* odd.", "It was very odd, truly odd."),
        ("we 've seen that they do n't", "we've seen that they don't"),
        ("followed by `to') having", "followed by 'to') having"),
        ("cafe\u0301", "café"),
        ("well , he said ; no !", "well, he said; no!"),
        ("“righteousness.”Then he", '"righteousness." Then he'),
        ("said,“ Come ”", 'said, "Come"'),
        ("used of ( a movie )", "used of (a movie)"),
        ("the .38 caliber", "the .38 caliber"),
    ],
)
def test_typography_is_made_plain(raw: str, clean: str) -> None:
    assert plain(raw) == clean


@pytest.mark.parametrize(
    "whole",
    [
        "Mr. Bennet met Mrs. Long and Dr. Grant.",
        "The U.S. Senate met at 5 p.m. Eastern time.",
        "George W. Bush spoke.",
        "See No. 5 and fig. 2 for more.",
        'He asked, "What now?" and left.',
        "Some fruits, e.g. Apples from Kent, keep well.",
        "It grew by 3.5 percent.",
        "It came from St. John on Jan. 5.",
    ],
)
def test_a_stop_inside_a_sentence_does_not_end_it(whole: str) -> None:
    assert split_sentences(whole) == [whole]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("He left. She stayed.", ["He left.", "She stayed."]),
        ('"Go!" she cried. "Now?"', ['"Go!" she cried.', '"Now?"']),
        ("We love the U.S. It is large.", ["We love the U.S.", "It is large."]),
        ("The answer is no. Nobody came.", ["The answer is no.", "Nobody came."]),
        ("They met at Gray's. She bowed.", ["They met at Gray's.", "She bowed."]),
        ("So did I. Then we slept.", ["So did I.", "Then we slept."]),
        ("(He knew.) Nobody else did.", ["(He knew.)", "Nobody else did."]),
        ("In 1990. 30 people came.", ["In 1990.", "30 people came."]),
    ],
)
def test_sentences_end_where_they_end(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


@given(st.text(alphabet="abAB .!?\"'()Mr5", max_size=80))
def test_splitting_loses_nothing_but_space(text: str) -> None:
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("cut", "completed"),
    [
        ('Well girls," said she.', '"Well girls," said she.'),
        ('"No," answered Elinor, "I will not.', '"No," answered Elinor, "I will not."'),
        ('He said, "Here I am.', 'He said, "Here I am."'),
        ('"All of it is here."', '"All of it is here."'),
        ("Then he said, 'The wedding is ready.", "Then he said, 'The wedding is ready.'"),
        ("'Tis the disciples' bread.", "'Tis the disciples' bread."),
        ("(He was away, it seems.", "He was away, it seems."),
        (" - too many of them.", "too many of them."),
    ],
)
def test_quotation_marks_and_brackets_are_balanced(cut: str, completed: str) -> None:
    assert balance(cut) == completed


def test_a_very_long_sentence_becomes_several_at_its_semicolons() -> None:
    clause = "and there came a long answer that went on about the weather of that spring"
    sentence = "She wrote; " + "; ".join([clause] * 5) + "."
    assert len(sentence) > LONGEST
    pieces = shorten(sentence)
    assert all(len(piece) <= LONGEST // 2 + 1 and piece.endswith(".") for piece in pieces)
    assert all(piece[0].isupper() for piece in pieces)
    assert shorten("Short; but whole.") == ["Short; but whole."]


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("The cat sat down.", True),
        ("Too short", False),
        ("Unbelievable!", False),
        ("1,234 sq km; 5,678 (2014 est.)", False),
        ("word " * 61, False),
        ("What the fuck is this?", False),
        ("The ark was made of shittim wood.", True),
        ('One "mark too many.', False),
    ],
)
def test_only_sentences_worth_learning_are_kept(sentence: str, kept: bool) -> None:
    assert keep(sentence) is kept


def test_headings_labels_and_list_items_are_left_out_of_prose_only() -> None:
    lines = ["DEFENSE REORGANIZATION ACT.", "Foreign Policy at Home", "the king of Achshaph, one."]
    assert sentences_of(lines) == ()
    assert sentences_of(["A poem without a stop"], ended=False) == ("A poem without a stop",)
