"""Two heads to take away: every weight of both as a table, and the maps as a picture."""

from __future__ import annotations

import numpy as np

from components.alike import board, verdict
from components.maps.exports import picture_of
from components.pictures import Svg
from components.takeaway import Column, Table
from components.theme import Colour
from components.words import number, sentences, t
from models.trace import Likeness


def numbers(found: Likeness) -> Table:
    """One row for each query and key of either side."""
    drawn = board(found)
    return Table(
        columns=[
            Column("query", t("Place of the query"), _place),
            Column("query_text", t("Query")),
            Column("key", t("Place of the key"), _place),
            Column("key_text", t("Key")),
            *(
                Column(name, each.title, "{:.6f}".format)
                for name, each in zip(("first", "second", "difference"), drawn.maps, strict=True)
            ),
        ],
        rows=[
            (i, row.text, j, column.text, *(_at(each.values[0], i, j) for each in drawn.maps))
            for i, row in enumerate(drawn.rows)
            for j, column in enumerate(drawn.columns)
        ],
        note=sentences(
            verdict(found), t("In this file places count from 0, on the screen from 1.")
        ),
    )


def _place(value: int) -> str:
    return number(value + 1)


def _at(values: np.ndarray, row: int, column: int) -> float | None:
    return float(values[row, column]) if np.isfinite(values[row, column]) else None


def picture(found: Likeness, colour: Colour) -> Svg:
    """Both maps and the difference."""
    return picture_of(board(found), 0, verdict(found), colour, found.about)
