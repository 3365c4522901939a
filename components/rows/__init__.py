"""Numbers as a table that is a picture: bars from zero, or dots with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Literal

from components.register import register
from components.theme import Colour
from components.words import fixed, t

__all__ = ["Row", "Rows", "ends", "rows"]

_rows = register("rows", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


@dataclass(frozen=True)
class Row:
    """One number."""

    name: str
    value: float
    shown: str
    """The value as a reader sees it, with its unit or spread."""
    low: float | None = None
    high: float | None = None
    """Ends of its interval."""
    note: str = ""
    strong: bool = False
    """What the others are compared with."""


@dataclass(frozen=True)
class Rows:
    """Numbers on one axis."""

    title: str
    rows: Sequence[Row]
    names: tuple[str, str, str]
    """What stands in the columns: name, value, note ("" where there are none)."""
    kind: Literal["bars", "dots"] = "bars"
    """Bars begin at 0; the axis of dots begins where the numbers do."""
    digits: int = 2
    """Decimals of the numbers at the axis."""


def rows(
    shown: Sequence[Rows], *, key: str, colour: Colour, headline: str = "", note: str = ""
) -> None:
    """Draw the tables beside each other, where there is room.

    Args:
        shown: What.
        key: A name of its own in the session.
        colour: The architecture's own.
        headline: What they say, in a sentence.
        note: What to know about the numbers.
    """
    _rows(
        key=key,
        data={
            "serial": next(_serial),
            "colour": colour.mark,
            "headline": headline,
            "note": note,
            "tables": [_table(each) for each in shown],
            "words": {"region": t("{title}: scroll sideways")},
        },
    )


def _table(shown: Rows) -> dict[str, object]:
    low, high = ends(shown)
    return {
        "title": shown.title,
        "kind": shown.kind,
        "names": list(shown.names),
        "low": low,
        "high": high,
        "ends": [fixed(low, shown.digits), fixed(high, shown.digits)],
        "rows": [vars(row) for row in shown.rows],
    }


def ends(shown: Rows) -> tuple[float, float]:
    """Of the axis; it holds every interval. That of bars holds 0."""
    every = [
        value for row in shown.rows for value in (row.value, row.low, row.high) if value is not None
    ]
    if shown.kind == "bars" or not every:
        every.append(0.0)
    low, high = min(every), max(every)
    if low == high:
        return low - 1, high + 1
    room = 0.04 * (high - low)
    if low < 0 or shown.kind == "dots":
        low = low - room if low < 0 else max(0.0, low - room)
    return low, high + room
