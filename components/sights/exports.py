"""The matrices to take away: as a table and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from components.heads.exports import weight_map
from components.pictures import SOFT, Picture, Svg
from components.sights import told
from components.sights.seen import Seen, panes
from components.takeaway import Column, Table, origin, precise
from components.words import number, t
from models.trace import Pane

MARGIN, TILE, GAP, NAMES = 32, 250, 26, 58
"""Pixels around the picture, of a matrix with its names, between two, and of the names."""
ACROSS = 4
LINES = 62
"""Height of what stands above a matrix."""


def numbers(shown: Sequence[Seen]) -> Table:
    """One row for each cell of each matrix."""
    return Table(
        columns=[
            Column("model", t("Model")),
            Column("part", t("Part")),
            Column("position", t("Position"), number),
            Column("token", t("Token")),
            Column("unit", t("Changed, by number"), number),
            Column("changed", t("Changed")),
            Column("moved", t("Change of the state"), precise),
            Column("allowed", t("The mask allows it"), _yes_or_no),
        ],
        rows=list(_cells(shown)),
        note=t(
            "Positions are tokens, and what is changed are words, special and padding tokens; all "
            "count from 1. The change is the distance of the new state from the old one at the top "
            "layer, divided by the length of the old one: the mean over several other words."
        ),
    )


def _yes_or_no(allowed: bool) -> str:
    return t("yes") if allowed else t("no")


def _cells(shown: Sequence[Seen]) -> Iterator[tuple[object, ...]]:
    for seen, pane in panes(shown):
        for i, token in enumerate(pane.rows):
            for j, unit in enumerate(pane.columns):
                value, allowed = float(pane.values[i, j]), bool(pane.allowed[i, j])
                yield seen.model, pane.name, i + 1, token.text, j + 1, unit.text, value, allowed


def picture(shown: Sequence[Seen]) -> Svg:
    """All matrices beside one another, each with its mask."""
    every = list(panes(shown))
    across = max(1, min(ACROSS, len(every)))
    sheet = Picture(max(2 * MARGIN + across * (TILE + GAP) - GAP, 640))
    room = sheet.width - 2 * MARGIN
    title = t("Who sees what")
    y = sheet.lines(title, MARGIN, MARGIN + 16, size=20, room=room, most=1, font_weight="600")
    y = sheet.lines(told.headline(shown), MARGIN, y + 6, size=14, room=room, most=2)
    for at in range(0, len(every), across):
        for place, (seen, pane) in enumerate(every[at : at + across]):
            _tile(sheet, seen, pane, MARGIN + place * (TILE + GAP), y)
        y += LINES + NAMES + TILE - NAMES + 44
    note = t(
        "Rows are positions, columns changed words; how far the state moves, white for 0. Small: "
        "what the mask allows."
    )
    y = sheet.lines(note, MARGIN, y + 12, size=12, room=room, most=2, fill=SOFT)
    for seen in shown:
        if seen.sight:
            about = origin(seen.sight.provenance)
            y = sheet.lines(about, MARGIN, y, size=12, room=room, most=1, fill=SOFT)
    lines = (f"{seen.name}: {told.forbidden(pane.check)}" for seen, pane in every)
    return sheet.finish(y + MARGIN - 16, " · ".join([title, *lines]))


def _tile(sheet: Picture, seen: Seen, pane: Pane, x: int, y: int) -> None:
    """One matrix with its names, under its title and beside its mask."""
    side = (TILE - NAMES) / max(len(pane.columns), len(pane.rows))
    sheet.text(seen.name, x, y + 18, size=16, fill=seen.colour.mark, font_weight="700")
    sheet.text(told.title(seen, pane), x, y + 36, size=12, room=TILE - 60, fill=SOFT)
    sheet.text(told.forbidden(pane.check), x, y + 52, size=11, room=TILE - 60)
    mask = 44 / max(pane.allowed.shape)
    tinted = np.where(pane.allowed, 0.2, 0.0)
    tall, wide = pane.allowed.shape
    weight_map(sheet, tinted, seen.colour, x + TILE - 48, y + 6, mask * wide, mask * tall)
    top, left = y + LINES + NAMES, x + NAMES
    weight_map(sheet, pane.values, seen.colour, left, top, side * wide, side * tall)
    if side < 8:
        return
    size = min(11, round(side))
    for i, token in enumerate(pane.rows):
        at = top + (i + 0.5) * side + size / 3
        sheet.text(token.text, left - 4, at, size, NAMES - 6, text_anchor="end", fill=SOFT)
    for j, unit in enumerate(pane.columns):
        at = left + (j + 0.5) * side + size / 3
        turn = f"rotate(-90 {at:g} {top - 4:g})"
        sheet.text(unit.text, at, top - 4, size, NAMES - 6, fill=SOFT, transform=turn)
