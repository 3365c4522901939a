"""Words in blanks, written as a person would write them."""

from __future__ import annotations

import pytest

from models.filling import filled
from models.results import BLANK, Blank, Candidate


def fill(text: str, hidden: str, word: str, continuation: bool = False) -> str:
    """`text` with its one `hidden` word answered by `word`."""
    start = text.index(hidden)
    original = None if hidden == BLANK else hidden
    blank = Blank((start, start + len(hidden)), original, (), (), None, None, 0.0)
    return filled(text, [blank], [Candidate(word, 9, 0.5, continuation)])


@pytest.mark.parametrize(
    ("text", "hidden", "word", "expected"),
    [
        ("The cat sat.", "cat", "dog", "The dog sat."),
        ("we've a dog", "ve", "re", "we're a dog"),
        ("The cat sat.", "The", "my", "My cat sat."),
        ("the cat sat.", "the", "my", "my cat sat."),
        ("[MASK] cat sat.", BLANK, "my", "My cat sat."),
        ('He left. "[MASK] sat."', BLANK, "she", 'He left. "She sat."'),
        ("I love Paris.", "Paris", "paris", "I love Paris."),
        ("I love Paris.", "Paris", "london", "I love london."),
        ("The cat sat [MASK]", BLANK, ".", "The cat sat."),
        ("你[MASK]嗎？", BLANK, "好", "你好嗎？"),
    ],
)
def test_a_word_takes_the_visitors_own_form(
    text: str, hidden: str, word: str, expected: str
) -> None:
    assert fill(text, hidden, word) == expected


def test_a_continuation_joins_the_word_before_it() -> None:
    assert fill("We walk [MASK] home", BLANK, "ing", continuation=True) == "We walking home"


def test_a_blank_without_a_choice_stays_as_typed() -> None:
    blanks = [
        Blank((0, 3), "The", (), (), None, None, 0.0),
        Blank((4, 10), None, (), (), None, None, 0.0),
    ]
    assert (
        filled("The [MASK] sat", blanks, [None, Candidate("cat", 1, 1.0, False)]) == "The cat sat"
    )
    assert filled("The [MASK] sat", blanks, [None, None]) == "The [MASK] sat"


def test_one_choice_per_blank() -> None:
    with pytest.raises(ValueError, match="zip"):
        filled("The cat", [Blank((0, 3), "The", (), (), None, None, 0.0)], [])
