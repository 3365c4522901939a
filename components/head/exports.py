"""One head to take away: every weight as a row of a table, and lines and map as a picture."""

from __future__ import annotations

import numpy as np

from components.head import head_title, label
from components.heads.exports import weight_map
from components.pictures import INK, SOFT, Picture, Svg
from components.takeaway import Column, Table, origin
from components.theme import Colour
from components.words import number, t
from models.trace import OneHead, Unit

MARGIN, ROW, NAMES, LINES = 32, 22, 130, 260
MOST_ROWS = 64
"""Rows that still get a line of text; of more, the picture has the map alone."""


def numbers(shown: OneHead) -> Table:
    """One row for each query and key that the mask allows."""
    return Table(
        columns=[
            Column("query", t("Place of the query"), _place),
            Column("query_text", t("Query")),
            Column("key", t("Place of the key"), _place),
            Column("key_text", t("Key")),
            Column("weight", t("Weight"), "{:.6f}".format),
        ],
        rows=[
            (i, label(query), j, label(key), _or_none(shown.weights[i, j]))
            for i, query in enumerate(shown.queries)
            for j, key in enumerate(shown.keys)
            if shown.mask[i, j]
        ],
        note=t(
            "{heads}. In this file places count from 0, on the screen from 1.",
            heads=head_title(shown.heads),
        ),
    )


def _place(value: int) -> str:
    return number(value + 1)


def _or_none(value: np.floating) -> float | None:
    return None if np.isnan(value) else float(value)


def picture(shown: OneHead, colour: Colour, top: int) -> Svg:
    """Lines for the strongest edges, and the map beside them."""
    count = max(len(shown.queries), len(shown.keys))
    height = min(count, MOST_ROWS) * ROW
    drawn = count <= MOST_ROWS
    left = MARGIN + (2 * NAMES + LINES + 40 if drawn else 0)
    sheet = Picture(left + height + MARGIN)
    title = head_title(shown.heads)
    room = sheet.width - 2 * MARGIN
    y = sheet.lines(title, MARGIN, MARGIN + 16, size=20, room=room, most=2, font_weight="600")
    if drawn:
        _lines(sheet, shown, colour, y + 8, top)
    weight_map(sheet, shown.weights, colour, left, y + 8, height, height)
    y += 8 + height + 28
    y = sheet.lines(
        t("Lines: strongest {share}%", share=number(top)),
        MARGIN, y, size=12, room=room, most=1, fill=SOFT,
    )  # fmt: skip
    y = sheet.lines(origin(shown.provenance), MARGIN, y, size=12, room=room, most=2, fill=SOFT)
    return sheet.finish(y + MARGIN - 16, title)


def _lines(sheet: Picture, shown: OneHead, colour: Colour, y: int, top: int) -> None:
    start, end = MARGIN + NAMES, MARGIN + NAMES + LINES
    for i, j in strongest(shown, top):
        weight = min(1.0, float(shown.weights[i, j]))
        a, b, middle = y + ROW * (i + 0.5), y + ROW * (j + 0.5), LINES / 2
        sheet.shape(
            "path",
            d=f"M{start} {a}C{start + middle} {a} {end - middle} {b} {end} {b}",
            fill="none",
            stroke=colour.mark,
            stroke_width=0.75 + 5 * weight,
            stroke_opacity=0.12 + 0.88 * weight**0.5,
        )
    for units, x, anchor in ((shown.queries, start - 8, "end"), (shown.keys, end + 8, "start")):
        for i, unit in enumerate(units):
            _name(sheet, unit, x, y + ROW * i + 16, anchor)


def _name(sheet: Picture, unit: Unit, x: int, y: int, anchor: str) -> None:
    text = f"…{label(unit)}" if unit.continues else label(unit)
    fill = SOFT if unit.special else INK
    sheet.text(text, x, y, room=NAMES - 16, text_anchor=anchor, fill=fill)


def strongest(shown: OneHead, top: int) -> list[tuple[int, int]]:
    """The strongest edges: so many per cent of all that the mask allows."""
    weights = np.where(shown.mask, np.nan_to_num(shown.weights), 0.0)
    count = int(np.ceil(top / 100 * shown.mask.sum()))
    best = np.argsort(-weights, axis=None, kind="stable")[:count]
    cells = (divmod(int(at), weights.shape[1]) for at in best)
    return [cell for cell in cells if weights[cell] > 0]
