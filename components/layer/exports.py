"""One layer to take away: each head's strongest weights as a table, and all maps as a picture."""

from __future__ import annotations

import numpy as np

from components.head import label
from components.heads.exports import weight_map
from components.pictures import SOFT, Picture, Svg
from components.takeaway import Column, Table, origin
from components.theme import Colour
from components.words import number, t
from models.trace import OneLayer

MARGIN, SIDE, GAP, ACROSS = 32, 220, 16, 4
MOST_ROWS = 200_000
"""Of a longer text, the file has the strongest weights alone, and says so."""


def numbers(found: OneLayer) -> Table:
    """One row for each head, query and key, the strongest first."""
    weights = found.levels * found.scales[..., None]
    order = np.argsort(-np.nan_to_num(weights), axis=None, kind="stable")[:MOST_ROWS]
    heads, rows, columns = np.unravel_index(order, weights.shape)
    queries, keys = ([label(unit) for unit in side] for side in (found.queries, found.keys))
    return Table(
        columns=[
            Column("head", t("Head"), _place),
            Column("query", t("Place of the query"), _place),
            Column("query_text", t("Query")),
            Column("key", t("Place of the key"), _place),
            Column("key_text", t("Key")),
            Column("weight", t("Weight"), "{:.4f}".format),
        ],
        rows=[
            (h, i, queries[i], j, keys[j], float(weights[h, i, j]))
            for h, i, j in zip(heads.tolist(), rows.tolist(), columns.tolist(), strict=True)
            if not np.isnan(weights[h, i, j])
        ],
        note=t(
            "Layer {layer}, the strongest first, at most {most} rows. Off by at most 1/510 of the "
            "row’s largest weight. In this file places count from 0, on the screen from 1.",
            layer=number(found.layer + 1),
            most=number(MOST_ROWS),
        ),
    )


def _place(value: int) -> str:
    return number(value + 1)


def picture(found: OneLayer, colour: Colour) -> Svg:
    """All maps of the layer, whole."""
    sheet = Picture(2 * MARGIN + ACROSS * (SIDE + GAP) - GAP)
    room = sheet.width - 2 * MARGIN
    title = t("Layer {layer}, every weight", layer=number(found.layer + 1))
    y = sheet.lines(title, MARGIN, MARGIN + 16, size=20, room=room, most=1, font_weight="600")
    weights = found.levels * found.scales[..., None]
    for head, shown in enumerate(weights):
        down, along = divmod(head, ACROSS)
        x, top = MARGIN + along * (SIDE + GAP), y + 8 + down * (SIDE + GAP + 16)
        sheet.text(t("Head {head}", head=number(head + 1)), x, top + 8, size=12, fill=SOFT)
        weight_map(sheet, shown, colour, x, top + 14, SIDE, SIDE)
    y += 8 + -(-len(weights) // ACROSS) * (SIDE + GAP + 16) + 16
    y = sheet.lines(origin(found.provenance), MARGIN, y, size=12, room=room, most=2, fill=SOFT)
    return sheet.finish(y + MARGIN - 16, title)
