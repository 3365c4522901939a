"""Words of several pieces, for which a blank of one mask has no room."""

from __future__ import annotations

from collections.abc import Sequence

from components.rated import Panel, Row
from components.rated.named import pieces
from components.shares import rare
from components.words import t
from models.trace import LongerAnswer, LongerAnswers


def longer_words(found: LongerAnswers) -> list[Panel]:
    """The words of two and of three pieces: lists that never meet, each on a scale of its own.

    They do not compete in one softmax.
    """
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
