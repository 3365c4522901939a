"""Words and how a model rates them: one bar for each, beside the numbers it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from components.register import register
from components.words import t

_rated = register("rated", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


@dataclass(frozen=True)
class Row:
    """A word and its numbers, as a reader sees them."""

    word: str
    note: str = ""
    """Small print under it."""
    filled: float = 0.0
    """How much of its bar, 0 to 1."""
    cells: tuple[str, ...] = ()
    """The numbers, from left to right."""
    told: str = ""
    """In place of bar and numbers: why there are none."""
    strong: bool = False


@dataclass(frozen=True)
class Panel:
    """One list of words; everything is translated."""

    title: str
    axis: str
    """What a full bar stands for."""
    heads: tuple[str, ...]
    """Of the columns of numbers."""
    rows: Sequence[Row]
    notes: Sequence[str] = ()
    """What a reader should know about the list."""
    empty: str = ""
    """In place of the table if there are no rows."""


def rated(panels: Sequence[Panel], *, key: str, colour: str) -> None:
    """Draw lists of words, side by side if there is room.

    Args:
        panels: The lists.
        key: A name of its own in the session.
        colour: CSS colour of the bars, the architecture's own.
    """
    _rated(
        key=key,
        data={
            "serial": next(_serial),
            "colour": colour,
            "panels": [asdict(panel) for panel in panels],
            "words": {"word": t("Word")},
        },
    )
