"""Several maps of the same rows and columns beside each other, layer by layer, linked.

Everything is sent once, exactly: which layer is shown and what has the pointer only the browser
knows. `components.flow` and `components.likeness` say what the maps are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np

from components.head import label
from components.heads import shades
from components.register import register
from components.theme import Colour
from components.words import t
from models.trace import HeadAt, Unit

__all__ = ["Board", "Label", "Map", "labels", "maps"]

_maps = register("maps", Path(__file__).parent, shared=True, borrowed=("head/matrix",))

# No two messages are equal: see `components.answers`.
_serial = count()


@dataclass(frozen=True)
class Label:
    """The name of a row or a column."""

    text: str
    special: bool = False


@dataclass(frozen=True)
class Map:
    """One of the maps."""

    title: str
    values: np.ndarray
    """(layer, row, column); NaN where there is none."""
    told: str
    """Where a row has most, in words, with ``{key}`` and ``{value}``."""
    note: str = ""
    most: float | None = None
    """Of numbers on both sides of 0: what has the full colour. None: weights from 0 to 1."""


@dataclass(frozen=True)
class Board:
    """Maps beside each other, and what is said about them."""

    title: str
    """What all of them show."""
    maps: Sequence[Map]
    rows: Sequence[Label]
    """Who asks."""
    columns: Sequence[Label]
    """What is looked at."""
    words: Mapping[str, str]
    """``asks``, ``row`` (with ``{word}``, ``{text}``, perhaps ``{layer}``) and ``caption``."""
    link: Mapping[str, str]
    """What a link calls ``layer`` and ``row``; what it has no name for is left out."""
    told: str = ""
    """What the maps say together, in a sentence or two."""

    @property
    def layers(self) -> int:
        """How many layers there are."""
        return len(self.maps[0].values)


def labels(units: Sequence[Unit], block: int = 1) -> list[Label]:
    """Names of rows or columns; of a block, its first and its last token."""
    if block == 1:
        return [Label(label(unit), unit.special) for unit in units]
    blocks = (units[i : i + block] for i in range(0, len(units), block))
    return [Label(f"{label(some[0])} … {label(some[-1])}") for some in blocks]


def maps(
    board: Board,
    *,
    key: str,
    colour: Colour,
    layer: int = 0,
    row: int = 0,
    follows: str = "",
    at: HeadAt | None = None,
) -> None:
    """Draw them.

    Args:
        board: The maps.
        key: Of the component.
        colour: The architecture's own.
        layer: Shown at first.
        row: Told of at first.
        follows: The key of a head whose choices are followed, if the maps are of one head.
        at: That head; the component's state ``head`` says that another one was opened.
    """
    _maps(
        key=key,
        data={
            "serial": next(_serial),
            "colour": shades(colour),
            "title": board.title,
            "told": board.told,
            "follows": follows,
            "at": at and list(at),
            "rows": [vars(each) for each in board.rows],
            "columns": [vars(each) for each in board.columns],
            "layers": board.layers,
            "layer": layer,
            "row": row,
            "link": {name: board.link.get(name, "") for name in ("layer", "row")},
            "maps": [
                {"title": each.title, "note": each.note, "told": each.told, "most": each.most}
                for each in board.maps
            ],
            # Columns of numbers travel as such at the top of a message alone.
            **{f"map{i}": each.values.ravel() for i, each in enumerate(board.maps)},
            "words": {
                "layer": t("Layer {layer} of {layers}"),
                "cell": t("“{query}” and “{key}”: {text}"),
                "one": t("{name} {value}"),
                "comma": t("; "),
                "key": t("Key"),
                "table": t("As a table"),
                "hint": t(
                    "Point at a cell for its numbers in every map; choose it to keep its row."
                ),
                **board.words,
            },
        },
        on_head_change=lambda: None,
    )
