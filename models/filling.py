"""Put words into blanks the way a person would, leaving the visitor's own text as it is."""

from __future__ import annotations

from collections.abc import Sequence

from models.results import Blank, Candidate

CLOSES = frozenset(".,;:!?)]}%…。，、；：！？」』）》")
"""Marks written without a space before them."""

ENDS = (".", "!", "?", "…", "。", "！", "？", "\n")
"""After these a new sentence begins."""

OPENS = " \t\"'([{“‘«「『（《"
"""What may stand between the end of one sentence and the first word of the next."""


def filled(text: str, blanks: Sequence[Blank], choices: Sequence[Candidate | None]) -> str:
    """The text with one choice per blank.

    A continuation (``##ing``) joins the word before it, closing marks lose the space before them,
    and lower-case answers begin a sentence with a capital unless the visitor did not.

    Args:
        text: The visitor's text.
        blanks: Its blanks in reading order, from the prediction for this text.
        choices: One per blank; None leaves the text there as it was typed.

    >>> blank = Blank((0, 3), "The", ("the",), (), 1, 0.5, 1.0)
    >>> filled("The dog", [blank], [Candidate("my", 7, 0.1, False)])
    'My dog'
    """
    done, cursor = "", 0
    for blank, choice in zip(blanks, choices, strict=True):
        start, end = blank.span
        done += text[cursor:start]
        if choice is None:
            done += text[start:end]
        else:
            if choice.continuation or choice.text in CLOSES:
                done = done.rstrip()
            done += _as_written(choice.text, blank.original, done)
        cursor = end
    return done + text[cursor:]


def _as_written(word: str, original: str | None, before: str) -> str:
    """The word in the visitor's own spelling, or with a capital where their sentence begins."""
    if original is None:
        capital = _begins_a_sentence(before)
    elif word.casefold() == original.casefold():
        return original
    else:
        capital = original[:1].isupper() and _begins_a_sentence(before)
    return word[:1].upper() + word[1:] if capital else word


def _begins_a_sentence(before: str) -> bool:
    before = before.rstrip(OPENS)
    return not before or before.endswith(ENDS)
