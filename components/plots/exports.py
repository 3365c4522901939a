"""Plots to take away: every number of them, and a picture for paper."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from collections.abc import Iterator, Sequence

import numpy as np
from jaxtyping import Float

from components.pictures import INK, SOFT, TRACK, Picture, Svg
from components.plots import Grid, Line, Lines, Plot, Trail
from components.takeaway import Column, Table, precise
from components.words import t

MARGIN, WIDE, TALL, EDGE = 32, 620, 240, 64
"""Pixels around the picture; of a plot, and of the numbers at its edge."""
BELOW, ABOVE, PAPER = (0xB8, 0x51, 0x00), (0x0F, 0x6E, 0xA8), (0xFF, 0xFF, 0xFF)
"""Colours of numbers below and above 0."""
DASHES = {"solid": "none", "dash": "7 4", "dot": "2 4", "dashdot": "7 3 2 3"}


def numbers(plots: Sequence[Plot], note: str = "") -> Table:
    """One row for each number that is drawn."""
    return Table(
        columns=[
            Column("plot", t("Plot")),
            Column("series", t("Line or row")),
            Column("x", t("Place"), str),
            Column("value", t("Value"), precise),
        ],
        rows=[row for each in plots for row in _rows(each)],
        note=note,
    )


def _rows(drawn: Plot) -> Iterator[tuple[object, ...]]:
    if isinstance(drawn, Lines):
        for line in drawn.lines:
            for x, y in zip(line.x, line.y, strict=True):
                place = drawn.names[int(x)] if drawn.names else f"{x:g}"
                yield drawn.title, line.name, place, float(y)
    elif isinstance(drawn, Grid):
        for y, values in zip(drawn.y, drawn.values.tolist(), strict=True):
            for x, value in zip(drawn.x, values, strict=True):
                yield drawn.title, y if isinstance(y, str) else f"{y:g}", f"{x:g}", value
    else:
        for i, point in enumerate(drawn.points.tolist()):
            for axis, value in zip(drawn.axes, point, strict=True):
                yield drawn.title, axis, str(i), value


def picture(title: str, plots: Sequence[Plot], footnote: str = "") -> Svg:
    """The plots, one below the other."""
    sheet = Picture(2 * MARGIN + WIDE)
    y = sheet.lines(title, MARGIN, MARGIN + 12, size=18, room=WIDE, most=3, font_weight="600")
    for drawn in plots:
        y = sheet.lines(drawn.title, MARGIN, y + 18, size=14, room=WIDE, most=2, font_weight="600")
        y = _draw(sheet, drawn, y)
    y = sheet.lines(footnote, MARGIN, y + 20, size=12, room=WIDE, most=4, fill=SOFT)
    return sheet.finish(y + MARGIN - 12, " · ".join([title, *(p.title for p in plots)]))


def _draw(sheet: Picture, drawn: Plot, top: int) -> int:
    if isinstance(drawn, Grid):
        return _map(sheet, drawn, top)
    if isinstance(drawn, Trail):
        points = drawn.points
        line = Line("", points[:, 0], points[:, 1], INK)
        return _curves(sheet, Lines("", drawn.axes[0], drawn.axes[1], [line]), top)
    return _curves(sheet, drawn, top)


def _map(sheet: Picture, drawn: Grid, top: int) -> int:
    """A map as one image, with the ends of its axes."""
    rows = len(drawn.values)
    tall = max(60, min(TALL, 14 * rows))
    data = b64encode(png(drawn.values)).decode()
    sheet.shape(
        "image", x=MARGIN + EDGE, y=top, width=WIDE - EDGE, height=tall,
        preserveAspectRatio="none", href=f"data:image/png;base64,{data}",
        style="image-rendering: pixelated",
    )  # fmt: skip
    step = max(1, -(-rows * 14 // tall))
    for i in range(0, rows, step if isinstance(drawn.y[0], str) else max(1, rows - 1)):
        name = drawn.y[i] if isinstance(drawn.y[i], str) else f"{drawn.y[i]:g}"
        base = top + (i + 0.5) * tall / rows + 4
        sheet.text(str(name), MARGIN + EDGE - 6, base, 11, EDGE, fill=SOFT, text_anchor="end")
    for x, at, anchor in ((drawn.x[0], 0, "start"), (drawn.x[-1], WIDE - EDGE, "end")):
        sheet.text(f"{x:g}", MARGIN + EDGE + at, top + tall + 14, 11, fill=SOFT, text_anchor=anchor)
    middle = MARGIN + EDGE + (WIDE - EDGE) / 2
    sheet.text(drawn.x_title, middle, top + tall + 14, 11, fill=SOFT, text_anchor="middle")
    return top + tall + 24


def _curves(sheet: Picture, drawn: Lines, top: int) -> int:
    """Lines with the ends of both axes, and their names below."""
    xs = np.concatenate([np.asarray(line.x, dtype=float) for line in drawn.lines])
    ys = np.concatenate([np.asarray(line.y, dtype=float) for line in drawn.lines])
    low, high = float(ys.min()), float(ys.max())
    left, right = float(xs.min()), float(xs.max())
    across, down = (right - left) or 1.0, (high - low) or 1.0
    for level in (low, (low + high) / 2, high):
        y = top + (high - level) / down * TALL
        sheet.shape("path", d=f"M{MARGIN + EDGE} {y:g}h{WIDE - EDGE}", stroke=TRACK)
        sheet.text(f"{level:.3g}", MARGIN + EDGE - 6, y + 4, 11, fill=SOFT, text_anchor="end")
    for line in drawn.lines:
        places = zip(line.x, line.y, strict=True)
        points = " ".join(
            f"{MARGIN + EDGE + (x - left) / across * (WIDE - EDGE):.1f},"
            f"{top + (high - y) / down * TALL:.1f}"
            for x, y in places
        )
        sheet.shape("polyline", points=points, fill="none", stroke=line.colour, stroke_width=2,
                    stroke_dasharray=DASHES.get(line.dash, "none"))  # fmt: skip
    ends = (drawn.names[0], drawn.names[-1]) if drawn.names else (f"{left:g}", f"{right:g}")
    base = top + TALL + 16
    sheet.text(ends[0], MARGIN + EDGE, base, 11, fill=SOFT)
    sheet.text(ends[1], MARGIN + WIDE, base, 11, fill=SOFT, text_anchor="end")
    sheet.text(
        drawn.x_title, MARGIN + EDGE + (WIDE - EDGE) / 2, base, 11, fill=SOFT, text_anchor="middle"
    )
    for line in drawn.lines:
        if line.name:
            base += 18
            sheet.shape("path", d=f"M{MARGIN + EDGE} {base - 4}h24", stroke=line.colour,
                        stroke_width=2, stroke_dasharray=DASHES.get(line.dash, "none"))  # fmt: skip
            sheet.text(line.name, MARGIN + EDGE + 32, base, 12, WIDE - EDGE - 32)
    return base + 8


def png(values: Float[np.ndarray, "row column"]) -> bytes:
    """A map as an image of one pixel for each number, from below 0 over white to above."""
    most = float(np.abs(values).max(initial=0.0)) or 1.0
    share = np.clip(np.abs(values) / most, 0, 1)[..., None]
    ends = np.where(values[..., None] < 0, np.array(BELOW), np.array(ABOVE))
    colours = np.round(np.array(PAPER) + share * (ends - np.array(PAPER))).astype(np.uint8)
    rows, columns = values.shape
    lines = b"".join(b"\0" + row.tobytes() for row in colours)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
