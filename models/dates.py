"""Dates in figures, and the two ways to read some of them."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Literal

from models.results import Span

Order = Literal["year first", "day first", "month first"]

_FIGURES = re.compile(
    r"(?<![\d./-])(\d{1,4})(\s?[./-]\s?|\s)(\d{1,2})\2(\d{1,4})(?![\d/-])", re.ASCII
)


@dataclass(frozen=True)
class DateReading:
    """One way to read a date that is written in figures."""

    order: Order
    iso: str
    """Its ISO form, YYYY-MM-DD."""
    span: Span
    """Where it stands in the text, in code points."""


def readings(text: str) -> tuple[DateReading, ...]:
    """All ways to read the first date in figures; two where the text does not say which is meant.

    The year needs all four figures: nobody can tell the century of 03/04/12.

    >>> [(r.order, r.iso) for r in readings("due 03/04/2012")]
    [('day first', '2012-04-03'), ('month first', '2012-03-04')]
    >>> [r.iso for r in readings("12/21/2012")], [r.iso for r in readings("5.5.2012")]
    (['2012-12-21'], ['2012-05-05'])
    >>> readings("2012-04-03")[0].order, readings("room 12, 3 people")
    ('year first', ())
    """
    for match in _FIGURES.finditer(text):
        first, second, third = match[1], match[3], match[4]
        tried: list[tuple[Order, str, str, str]] = [
            ("year first", first, second, third),
            ("day first", third, second, first),
            ("month first", third, first, second),
        ]
        found = {
            iso: DateReading(order, iso, match.span())
            for order, *parts in reversed(tried)
            if (iso := _iso(*parts)) is not None
        }
        if found:
            return tuple(reversed(found.values()))
    return ()


def _iso(year: str, month: str, day: str) -> str | None:
    """The ISO form, if there is such a day."""
    if len(year) != 4 or len(day) > 2:
        return None
    try:
        return datetime.date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None
