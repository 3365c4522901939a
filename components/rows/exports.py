"""Rows to take away: as a table and as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from components.pictures import INK, SOFT, TRACK, Picture, Svg
from components.rows import Row, Rows, ends
from components.takeaway import Column, Table, precise
from components.words import fixed, t

MARGIN, LABELS, WIDE, VALUES = 32, 250, 330, 220
ROW, THICK = 26, 12


def numbers(shown: Sequence[Rows], note: str = "") -> Table:
    """One row for each number."""
    return Table(
        columns=[
            Column("table", t("Table")),
            Column("name", t("Name")),
            Column("value", t("Value"), precise),
            Column("low", t("Low"), precise),
            Column("high", t("High"), precise),
            Column("note", t("Note")),
        ],
        rows=[
            (each.title, row.name, row.value, row.low, row.high, row.note)
            for each in shown
            for row in each.rows
        ],
        note=note,
    )


def picture(title: str, shown: Sequence[Rows], colour: str, footnote: str = "") -> Svg:
    """The tables one below the other."""
    sheet = Picture(2 * MARGIN + LABELS + WIDE + VALUES)
    room = sheet.width - 2 * MARGIN
    y = sheet.lines(title, MARGIN, MARGIN + 16, size=18, room=room, most=4, font_weight="600")
    for each in shown:
        y = _table(sheet, each, y + 16, colour)
    y = sheet.lines(footnote, MARGIN, y + 20, size=12, room=room, most=5, fill=SOFT)
    told = (f"{row.name} {row.shown}" for each in shown for row in each.rows[:3])
    return sheet.finish(y + MARGIN - 12, " · ".join([title, *told]))


def _table(sheet: Picture, shown: Rows, y: int, colour: str) -> int:
    low, high = ends(shown)
    start = MARGIN + LABELS + 12
    sheet.text(shown.title, MARGIN, y, room=LABELS + WIDE + VALUES, font_weight="600")
    for value, x, anchor in ((low, start, "start"), (high, start + WIDE, "end")):
        sheet.text(fixed(value, shown.digits), x, y + 18, size=11, fill=SOFT, text_anchor=anchor)
    y += 28
    for row in shown.rows:
        _row(sheet, shown, row, y, colour)
        y += ROW
    return y


def _row(sheet: Picture, shown: Rows, row: Row, y: int, colour: str) -> None:
    low, high = ends(shown)
    start = MARGIN + LABELS + 12

    def place(value: float) -> float:
        return round(start + WIDE * (value - low) / (high - low), 2)

    weight = "700" if row.strong else "400"
    sheet.text(row.name, MARGIN + LABELS, y + 14, 13, LABELS, text_anchor="end", font_weight=weight)
    sheet.box(start, y + 4, WIDE, THICK, TRACK)
    if shown.kind == "bars":
        first, last = sorted((place(max(low, 0.0)), place(row.value)))
        sheet.box(first, y + 4, max(1.5, last - first), THICK, colour)
    if row.low is not None and row.high is not None:
        sheet.box(place(row.low), y + 9, max(1.5, place(row.high) - place(row.low)), 2, INK)
    if shown.kind == "dots":
        sheet.shape("circle", cx=place(row.value), cy=y + 10, r=5.0, fill=colour)
    sheet.text(row.shown, start + WIDE + 12, y + 14, 13, VALUES - 12, font_weight=weight)
