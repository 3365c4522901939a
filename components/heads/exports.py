"""All heads to take away: their measures as a table, and the thumbnails as a picture."""

from __future__ import annotations

import base64
import struct
import zlib
from functools import partial

import numpy as np

from components.heads import title
from components.heads.kinds import MEASURES, value_shown
from components.pictures import SOFT, Picture, Svg
from components.takeaway import Column, Table, origin
from components.theme import Colour
from components.words import number, t
from models.trace import AllHeads

MARGIN, SIDE, GAP, EDGE = 32, 84, 6, 26
BELOW, ABOVE = (15, 110, 168), (184, 81, 0)
"""The ends of the diverging palette on paper."""


def numbers(look: AllHeads) -> Table:
    """One row for each head, one column for each measure."""
    columns = [
        Column(measure.name, t(measure.title), partial(value_shown, measure=measure))
        for measure in MEASURES
    ]
    return Table(
        columns=[Column("layer", t("Layer")), Column("head", t("Head")), *columns],
        rows=[
            (
                layer,
                head,
                *(_or_none(look.statistics[each.name][layer, head]) for each in MEASURES),
            )
            for layer in range(look.depth)
            for head in range(look.heads)
        ],
        note=t(
            "Each number is a mean over the queries of this text; there is none where the text has "
            "nothing of the kind."
        ),
    )


def _or_none(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def picture(look: AllHeads, colour: Colour) -> Svg:
    """The thumbnails as on the page, one row for each layer."""
    sheet = Picture(2 * MARGIN + EDGE + look.heads * (SIDE + GAP))
    room = sheet.width - 2 * MARGIN
    sheet.lines(title(look), MARGIN, MARGIN + 16, size=20, room=room, most=1, font_weight="600")
    top = MARGIN + 52
    for head in range(look.heads):
        x = MARGIN + EDGE + head * (SIDE + GAP) + SIDE / 2
        sheet.text(number(head + 1), x, top - 8, size=12, fill=SOFT, text_anchor="middle")
    weights = look.levels * look.scales[..., None]
    for layer in range(look.depth):
        y = top + layer * (SIDE + GAP)
        sheet.text(number(layer + 1), MARGIN, y + SIDE / 2 + 5, size=12, fill=SOFT)
        for head in range(look.heads):
            x = MARGIN + EDGE + head * (SIDE + GAP)
            weight_map(sheet, weights[layer, head], colour, x, y, SIDE, SIDE)
    y = top + look.depth * (SIDE + GAP) + 16
    y = sheet.lines(origin(look.provenance), MARGIN, y, size=12, room=room, most=2, fill=SOFT)
    return sheet.finish(y + MARGIN - 16, title(look))


def weight_map(
    sheet: Picture,
    weights: np.ndarray,
    colour: Colour,
    x: float,
    y: float,
    width: float,
    height: float,
    most: float | None = None,
) -> None:
    """A map of weights as an image inside the picture, one pixel for each; `most` as for `png`."""
    sheet.shape(
        "image",
        x=x,
        y=y,
        width=width,
        height=height,
        href=f"data:image/png;base64,{base64.b64encode(png(weights, colour, most)).decode()}",
        preserveAspectRatio="none",
        style="image-rendering:pixelated",
    )
    sheet.shape("rect", x=x, y=y, width=width, height=height, fill="none", stroke="#C9CDD4")


def png(weights: np.ndarray, colour: Colour, most: float | None = None) -> bytes:
    """Weights as a picture of one pixel each, white to the colour by the square root; NaN grey.

    Args:
        weights: (row, column).
        colour: Of the weight 1.
        most: Of numbers on both sides of 0: those that have the full colours of the diverging
            palette.
    """
    known = np.nan_to_num(weights)[..., None]
    if most is None:
        share, end = np.sqrt(np.clip(known, 0, 1)), np.array(rgb(colour.mark))
    else:
        share = np.clip(abs(known) / (most or 1.0), 0, 1)
        end = np.where(known < 0, BELOW, ABOVE)
    pixels = np.rint(255 + share * (end - 255)).astype(np.uint8)
    pixels[np.isnan(weights)] = 150
    height, width, _ = pixels.shape
    lines = b"".join(b"\0" + pixels[row].tobytes() for row in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of "#RRGGBB"."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
