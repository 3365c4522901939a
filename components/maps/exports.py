"""The maps as a picture, for paper and slides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from components.heads.exports import weight_map
from components.maps import Board
from components.pictures import INK, SOFT, Picture, Svg
from components.takeaway import origin
from components.theme import Colour
from models.trace import Provenance

MARGIN, NAMES, SIDE, GAP, ROW = 32, 96, 300, 40, 14
MOST_NAMED = 32
"""Rows that still have room for their names."""


def picture_of(
    board: Board, layer: int, subtitle: str, colour: Colour, about: Sequence[Provenance]
) -> Svg:
    """One layer of every map, side by side."""
    named = max(len(board.rows), len(board.columns)) <= MOST_NAMED
    names = NAMES if named else 0
    step = names + SIDE + GAP
    height = round(SIDE * len(board.rows) / max(1, len(board.columns)))
    sheet = Picture(2 * MARGIN + len(board.maps) * step - GAP)
    room = sheet.width - 2 * MARGIN
    y = MARGIN + 16
    for text, size in ((board.title, 20), (subtitle, 14)):
        y = sheet.lines(text, MARGIN, y, size=size, room=room, most=3, font_weight="600") + 8
    for i, each in enumerate(board.maps):
        x, top = MARGIN + i * step, y + 20 + names
        sheet.text(each.title, x + names, y + 8, room=SIDE, font_weight="600")
        weight_map(sheet, each.values[layer], colour, x + names, top, SIDE, height, each.most)
        if named:
            _names(sheet, board, x, top, height)
    y += 20 + names + height + 32
    for model in about:
        y = sheet.lines(origin(model), MARGIN, y, size=12, room=room, most=2, fill=SOFT)
    return sheet.finish(y + MARGIN - 16, f"{board.title}. {subtitle}")


def _names(sheet: Picture, board: Board, x: int, top: int, height: int) -> None:
    """The rows' names to the left, the columns' above, turned."""
    rows, columns = board.rows, board.columns
    size = int(np.clip(height / max(1, len(rows)) - 1, 6, 12))
    for i, row in enumerate(rows):
        at = top + (i + 0.5) * height / len(rows) + size / 3
        fill = SOFT if row.special else INK
        sheet.text(
            row.text, x + NAMES - 6, at, size=size, room=NAMES - 12, text_anchor="end", fill=fill
        )
    for j, column in enumerate(columns):
        at = x + NAMES + (j + 0.5) * SIDE / len(columns) + size / 3
        turn = f"rotate(-90 {at:g} {top - 6:g})"
        fill = SOFT if column.special else INK
        sheet.text(column.text, at, top - 6, size=size, room=NAMES - 12, fill=fill, transform=turn)
