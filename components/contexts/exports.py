"""One word in two contexts, to take away: as a table and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from components.contexts.told import Compared, layer_name, place, sentence
from components.pictures import SOFT, TRACK, Picture, Svg
from components.takeaway import Column, Table, origin, precise
from components.words import number, t
from models.trace import InContexts

MARGIN, WIDE, TALL, NAMES, EDGE = 32, 560, 260, 130, 30
"""Pixels around the picture; of the plot, of the names beside it, of the numbers at its edge."""


def numbers(shown: Sequence[Compared]) -> Table:
    """One row for each model and layer."""
    return Table(
        columns=[
            Column("model", t("Model")),
            Column("at", t("Layer"), layer_name),
            Column("cosine", t("The word"), precise),
            Column("different_words", t("Different words"), precise),
        ],
        rows=[
            (each.model, layer, same, None if np.isnan(different) else different)
            for each in shown
            if each.found
            for layer, same, different in zip(
                each.found.layers,
                each.found.similarity.tolist(),
                each.found.others.tolist(),
                strict=True,
            )
        ],
        note=t(
            "The cosine of the word’s states in the two texts, and the mean cosine over all pairs "
            "of different words, one of each text."
        ),
    )


@dataclass(frozen=True)
class Axes:
    """Where a layer and a cosine stand in the picture."""

    top: float
    low: float
    """The least cosine that is shown."""
    deep: float
    """The last layer."""

    def at(self, x: float, value: float) -> tuple[float, float]:
        """A point."""
        down = (1 - value) / (1 - self.low) * TALL
        return MARGIN + EDGE + x / self.deep * (WIDE - EDGE), self.top + down


def picture(shown: Sequence[Compared]) -> Svg:
    """The lines as on the page."""
    there = [(each, each.found) for each in shown if each.found]
    several = [found for _, found in there]
    sheet, title = Picture(2 * MARGIN + WIDE + NAMES), sentence(shown)
    room = sheet.width - 2 * MARGIN
    y = sheet.lines(title, MARGIN, MARGIN + 12, size=14, room=room, most=5, font_weight="600")
    values = [np.concatenate([found.similarity, found.others]) for found in several]
    deepest = max(several, key=lambda found: place(found.layers[-1]))
    low = min(0.0, *(float(np.nanmin(each)) for each in values))
    axes = Axes(y + 10, low, place(deepest.layers[-1]) or 1.0)
    _grid(sheet, axes, deepest.layers)
    for each, found in there:
        _line(sheet, axes, each, found)
    y = round(axes.top + TALL + 44)
    note = t("Dashed: the mean of all pairs of different words.")
    for line in (note, *(origin(found.provenance) for found in several)):
        y = sheet.lines(line, MARGIN, y, size=12, room=room, most=1, fill=SOFT)
    return sheet.finish(y + MARGIN - 16, title)


def _grid(sheet: Picture, axes: Axes, layers: Sequence[str]) -> None:
    for tick in (1.0, 0.5, 0.0):
        x, y = axes.at(0, tick)
        sheet.shape("path", d=f"M{x:g} {y:g}h{WIDE - EDGE}", stroke=TRACK)
        sheet.text(number(tick, 1), x - 6, y + 4, size=12, fill=SOFT, text_anchor="end")
    for layer in layers:
        if layer != "input":
            name = layer if layer.isdecimal() else layer_name(layer)
            sheet.text(name, axes.at(place(layer), 0)[0], axes.top + TALL + 18, size=12, fill=SOFT)


def _line(sheet: Picture, axes: Axes, each: Compared, found: InContexts) -> None:
    """The word's similarity, that of different words dashed, and the model's name at the end."""
    x = [place(layer) for layer in found.layers]
    for values, width, dashes in ((found.similarity, 2.5, "none"), (found.others, 1.2, "3 4")):
        points = " ".join(
            f"{at:.1f},{level:.1f}"
            for at, level in (axes.at(*point) for point in zip(x, values.tolist(), strict=True))
            if not np.isnan(level)
        )
        sheet.shape(
            "polyline",
            points=points,
            fill="none",
            stroke=each.colour.mark,
            stroke_width=width,
            stroke_dasharray=dashes,
        )
    end, level = axes.at(x[-1], float(found.similarity[-1]))
    sheet.text(each.name, end + 8, level + 5, fill=each.colour.mark, font_weight="700")
