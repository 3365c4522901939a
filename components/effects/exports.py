"""The effects of silencing heads to take away: as a table and as a map."""

from __future__ import annotations

import numpy as np

from components.effects import headline, largest, nats
from components.heads.exports import ABOVE, BELOW
from components.pictures import SOFT, Picture, Svg
from components.takeaway import Column, Table, origin
from components.words import number, t
from models.trace import Measurement

MARGIN, SIDE, GAP, EDGE = 32, 48, 4, 26
NONE = "#999999"


def numbers(found: Measurement, word: str) -> Table:
    """One row for each head."""
    return Table(
        columns=[
            Column("layer", t("Layer")),
            Column("head", t("Head")),
            Column("effect_nats", t("Change of log p (nats)"), nats),
        ],
        rows=[(layer, head, float(v)) for (layer, head), v in np.ndenumerate(found.values)],
        note=t(
            "Change of the natural logarithm of the probability of “{word}” when the head says "
            "nothing (zero ablation).",
            word=word,
        ),
    )


def picture(found: Measurement, word: str) -> Svg:
    """The map of the page."""
    layers, heads = found.values.shape
    sheet = Picture(max(560, 2 * MARGIN + EDGE + heads * (SIDE + GAP)))
    room, most, told = sheet.width - 2 * MARGIN, largest(found), headline(found, word)
    y = sheet.lines(told, MARGIN, MARGIN + 16, size=18, room=room, most=3, font_weight="600") + 8
    for (layer, head), value in np.ndenumerate(found.values):
        x = MARGIN + EDGE + head * (SIDE + GAP)
        top = y + layer * (SIDE + GAP)
        sheet.box(x, top, SIDE, SIDE, _fill(float(value) / most))
        sheet.shape("rect", x=x, y=top, width=SIDE, height=SIDE, fill="none", stroke="#C9CDD4")
    for layer in range(layers):
        sheet.text(
            number(layer + 1), MARGIN, y + layer * (SIDE + GAP) + SIDE / 2 + 5, size=12, fill=SOFT
        )
    y += layers * (SIDE + GAP) + 20
    y = sheet.lines(origin(found.provenance), MARGIN, y, size=12, room=room, most=2, fill=SOFT)
    return sheet.finish(y + MARGIN - 16, told)


def _fill(share: float) -> str:
    if not np.isfinite(share):
        return NONE
    end = np.array(BELOW if share < 0 else ABOVE)
    return "#" + "".join(f"{round(v):02X}" for v in 255 + min(1.0, abs(share)) * (end - 255))
