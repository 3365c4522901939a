"""A flow to take away: all numbers as a table, and the last layer's maps as a picture."""

from __future__ import annotations

import numpy as np

from components.flow import board
from components.maps.exports import picture_of
from components.pictures import Svg
from components.takeaway import Column, Table, precise
from components.theme import Colour
from components.words import number, t
from models.trace import Flow


def numbers(found: Flow) -> Table:
    """One row for each layer, query and key that has any weight."""
    rows, columns = (drawn := board(found)).rows, drawn.columns
    maps = [found.mean, found.carried, found.reached]
    some = np.any([each != 0 for each in maps if each is not None], axis=0)
    return Table(
        columns=[
            Column("layer", t("Layer")),
            Column("query", t("Place of the query"), _place),
            Column("query_text", t("Query")),
            Column("key", t("Place of the key"), _place),
            Column("key_text", t("Key")),
            Column("weight", t("Attention"), precise),
            Column("carried", t("What is carried"), precise),
            Column("rollout", t("Rollout"), precise),
        ],
        rows=[
            (layer, i, rows[i].text, j, columns[j].text, *(_at(m, layer, i, j) for m in maps))
            for layer, i, j in np.argwhere(some).tolist()
        ],
        note=t("In this file places count from 0, on the screen from 1."),
    )


def _place(value: int) -> str:
    return number(value + 1)


def _at(values: np.ndarray | None, layer: int, row: int, column: int) -> float | None:
    if values is None or np.isnan(values[layer, row, column]):
        return None
    return float(values[layer, row, column])


def picture(found: Flow, colour: Colour) -> Svg:
    """The maps of the last layer."""
    last = t("Layer {n}", n=number(found.depth))
    return picture_of(board(found), found.depth - 1, last, colour, [found.provenance])
