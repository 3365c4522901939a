"""Words of several pieces, for which a blank of one mask has no room."""

from __future__ import annotations

from collections.abc import Sequence

from components.rated import Panel, Row, rated
from components.rated.named import pieces
from components.shares import rare
from components.words import t
from models.trace import LongerAnswer, LongerAnswers

__all__ = ["longer_words"]


def longer_words(found: LongerAnswers, *, key: str, colour: str) -> None:
    """Draw the words of two and of three pieces, each length on a scale of its own.

    Args:
        found: What the model would put there if it had the room.
        key: A name of its own in the session.
        colour: CSS colour of the bars, the architecture's own.
    """
    rated(panels(found), key=key, colour=colour)


def panels(found: LongerAnswers) -> list[Panel]:
    """What is drawn: the lists never meet, since they do not compete in one softmax."""
    return [
        _panel(t("Words of two pieces"), found.two),
        _panel(t("Words of three pieces"), found.three),
    ]


def _panel(title: str, words: Sequence[LongerAnswer]) -> Panel:
    full = max((word.probability for word in words), default=1.0)
    return Panel(
        title,
        rare(full),
        (t("Probability"),),
        [
            Row(word.text, pieces(word.pieces), word.probability / full, (rare(word.probability),))
            for word in words
        ],
        empty=t("The model finds no such word here."),
    )
