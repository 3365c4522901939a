"""A branch in a link: how each part of it was chosen, and its ids.

``g:12.7~h:9~d,3,0,0.8,50,0.95:4.4`` is two tokens greedily, one by hand, and two drawn with seed 3,
after 0 earlier draws, at temperature 0.8, top-k 50, top-p 0.95.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from models.trace import Cut, Drawing

PART = re.compile(r"(g|h|d(?:,[\d.]{1,8}){5}):(\d{1,7}(?:\.\d{1,7})*)", re.ASCII)
MOST = 512
"""Tokens that a link may bring."""

Part = tuple[Drawing | None, Sequence[int]]


def as_link(parts: Iterable[Part]) -> str:
    """The parts of a branch for an address; "" for none."""
    return "~".join(f"{_how(drawing)}:{'.'.join(map(str, ids))}" for drawing, ids in parts)


def _how(drawing: Drawing | None) -> str:
    if drawing is None:
        return "h"
    if drawing.cut is None:
        return "g"
    cut = drawing.cut
    numbers = (drawing.seed, drawing.skip, cut.temperature, cut.top_k, cut.top_p)
    return "d," + ",".join(f"{number:g}" for number in numbers)


def from_link(link: str) -> list[tuple[Drawing | None, list[int]]]:
    """What a link says; as far as it makes sense.

    >>> from_link("g:12.7~h:9")
    [(Drawing(cut=None, seed=0, skip=0), [12, 7]), (None, [9])]
    >>> from_link("nonsense")
    []
    """
    found: list[tuple[Drawing | None, list[int]]] = []
    room = MOST
    for part in link.split("~"):
        match = PART.fullmatch(part)
        try:
            drawing = _drawing(match[1]) if match else None
        except ValueError:
            match = None
        if match is None:
            break
        ids = [int(each) for each in match[2].split(".")][:room]
        room -= len(ids)
        found.append((drawing, ids))
    return found


def _drawing(how: str) -> Drawing | None:
    """What `_how` has written.

    Raises:
        ValueError: There is no such cut.
    """
    if how == "h":
        return None
    if how == "g":
        return Drawing()
    seed, skip, temperature, top_k, top_p = how.split(",")[1:]
    return Drawing(Cut(float(temperature), int(top_k), float(top_p)), int(seed), int(skip))
