"""Charts as SVG, drawn from plain data for paper and slides.

Text stays text, in named fonts that most systems have, and nothing in a picture is fetched. The
layout leaves room for fonts of other widths: a picture looks the same wherever it is opened.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as Xml

from components.words import t
from models.trace import BLANK

FONTS = (
    "'Source Sans 3', 'Source Sans Pro', 'Helvetica Neue', Arial, 'Noto Sans TC', 'PingFang TC', "
    "'Microsoft JhengHei', 'Noto Sans CJK TC', sans-serif"
)
PAPER, INK, SOFT, TRACK = "#FFFFFF", "#10182A", "#5B6475", "#EEF0F3"

# Characters that XML 1.0 cannot hold, not even escaped.
IMPOSSIBLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Svg:
    """A picture: its markup, its size in CSS pixels, and what it shows in words."""

    markup: str
    width: int
    height: int
    alt: str


@dataclass(frozen=True)
class Bar:
    """One bar of a chart."""

    label: str
    value: float
    """0 to the chart's `full`; what is beyond is cut."""
    shown: str
    """The value as a reader sees it."""
    strong: bool = False
    """Its label is bold."""


@dataclass(frozen=True)
class Group:
    """Bars that belong together, under a title."""

    title: str
    bars: Sequence[Bar]
    axis: str = ""
    """What a full bar stands for, where each group has a scale of its own."""


MARGIN, GAP = 32, 40
COLUMN = 420
"""Width of a group of bars: its labels, the bars, their values."""
LABELS, VALUES = 130, 70
ROW, THICK = 26, 14
IN_ALT = 3
"""Bars of each group that the picture's description names."""


def bar_chart(
    title: str,
    groups: Sequence[Group],
    *,
    full: float,
    axis: str,
    colour: str,
    footnote: str = "",
) -> Svg:
    """Groups of horizontal bars on one scale, two groups beside each other.

    Args:
        title: What the chart shows; wrapped.
        groups: The bars.
        full: The value of a full bar.
        axis: `full` as a reader sees it.
        colour: Of the bars.
        footnote: Where the numbers come from.
    """
    columns = 2 if len(groups) > 1 else 1
    room = max(columns * (COLUMN + GAP) - GAP, 560)
    picture = Picture(room + 2 * MARGIN)
    y = picture.lines(title, MARGIN, MARGIN + 16, size=20, room=room, most=3, font_weight="600")
    for row in range(0, len(groups), columns):
        side_by_side = groups[row : row + columns]
        width = COLUMN if columns > 1 else room
        for i, group in enumerate(side_by_side):
            x = MARGIN + i * (COLUMN + GAP)
            draw_bars(picture, group, x, y + 20, width, full=full, axis=axis, colour=colour)
        y += 70 + ROW * max(len(group.bars) for group in side_by_side)
    y = picture.lines(footnote, MARGIN, y + 24, size=12, room=room, most=3, fill=SOFT)
    return picture.finish(y + MARGIN - 16, _alt(title, groups))


def _alt(title: str, groups: Sequence[Group]) -> str:
    best = (
        t(", ").join(f"{bar.label} {bar.shown}" for bar in group.bars[:IN_ALT]) for group in groups
    )
    parts = (
        t("{name}: {text}", name=group.title, text=bars)
        for group, bars in zip(groups, best, strict=True)
    )
    return " · ".join([title, *parts])


def draw_bars(
    picture: Picture,
    group: Group,
    x: int,
    y: int,
    width: int,
    *,
    full: float,
    axis: str,
    colour: str,
) -> None:
    """One group of a `bar_chart`, the base line of its title beginning at (x, y)."""
    picture.text(group.title, x, y, room=width, font_weight="600")
    start, track = x + LABELS + 12, width - LABELS - VALUES - 12
    picture.text("0", start, y + 20, size=12, fill=SOFT)
    picture.text(group.axis or axis, start + track, y + 20, size=12, fill=SOFT, text_anchor="end")
    for i, bar in enumerate(group.bars):
        middle = y + 40 + i * ROW
        top, length = middle - THICK // 2, track * min(1.0, max(0.0, bar.value / full))
        weight = "700" if bar.strong else "400"
        base = middle + 5
        picture.text(
            bar.label, x + LABELS, base, room=LABELS, font_weight=weight, text_anchor="end"
        )
        picture.box(start, top, track, THICK, TRACK)
        picture.box(start, top, max(1.5, length), THICK, colour)
        picture.text(bar.shown, x + width, base, font_weight=weight, text_anchor="end")


class Picture:
    """An SVG in the making; ElementTree escapes every text."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.root = Xml.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img"})
        self.title = Xml.SubElement(self.root, "title")
        self.paper = self.box(0, 0, width, 0, PAPER)
        self.root.set("font-family", FONTS)

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> Xml.Element:
        """A filled rectangle."""
        return self.shape("rect", x=x, y=y, width=width, height=height, fill=fill)

    def shape(self, tag: str, **attributes: str | float) -> Xml.Element:
        """Any other element; ``stroke_width=2`` is its attribute ``stroke-width``."""
        named = {
            name.replace("_", "-"): value if isinstance(value, str) else f"{value:g}"
            for name, value in attributes.items()
        }
        return Xml.SubElement(self.root, tag, named)

    def text(
        self, text: str, x: float, y: float, size: int = 14, room: int | None = None, **style: str
    ) -> None:
        """One line of text, cut where it would leave its room; (x, y) is on its base line."""
        text = " ".join(clean(text).split())
        attributes: dict[str, str | float] = {"x": x, "y": y, "font_size": size, "fill": INK}
        node = self.shape("text", **(attributes | style))
        node.text = text if room is None else fit(text, size, room)

    def lines(
        self, text: str, x: int, y: int, *, size: int, room: int, most: int, **style: str
    ) -> int:
        """Text on as many lines as it needs, at most `most`; returns where the next could begin."""
        found = list(wrapped(" ".join(clean(text).split()), size, room))
        if len(found) > most:
            found[most - 1 :] = [" ".join(found[most - 1 :])]  # cut with a sign that it goes on
        for line in found:
            self.text(line, x, y, size=size, room=room, **style)
            y += round(1.4 * size)
        return y

    def finish(self, height: int, alt: str) -> Svg:
        """The picture, now that its height is known."""
        self.title.text = alt = clean(alt)
        self.paper.set("height", str(height))
        self.root.set("width", str(self.width))
        self.root.set("height", str(height))
        self.root.set("viewBox", f"0 0 {self.width} {height}")
        return Svg(Xml.tostring(self.root, encoding="unicode"), self.width, height, alt)


def blank_sign(blank: int, several: bool) -> str:
    """What stands in a picture for a blank, counted from 0: "[MASK]", or "[MASK 2]" of several."""
    return f"{BLANK[:-1]} {blank + 1}]" if several else BLANK


def clean(text: str) -> str:
    """`text` with a replacement character for each that XML cannot hold."""
    return IMPOSSIBLE.sub("\ufffd", text)


def estimate(text: str, size: int) -> float:
    """About how wide a text is, in CSS pixels: rather too wide than too narrow."""
    return size * sum(_wide(character) for character in text)


def _wide(character: str) -> float:
    if unicodedata.combining(character):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return 1
    return 0.75 if character.isupper() else 0.56


def fit(text: str, size: int, room: int) -> str:
    """The text, or as much of its beginning as has room, and "…"."""
    if estimate(text, size) <= room:
        return text
    kept, width = 0, float(size)  # room for the sign
    for character in text:
        width += estimate(character, size)
        if width > room:
            break
        kept += 1
    return f"{text[:kept].rstrip()}…"


def wrapped(text: str, size: int, room: int) -> Iterator[str]:
    """The lines of a text; it breaks at spaces and, where wide characters stand, between them."""
    line = ""
    for piece in re.findall(
        r"[\u2e80-\u9fff\uff00-\uffef]|[^\s\u2e80-\u9fff\uff00-\uffef]+|\s+", text
    ):
        if line and estimate(line + piece.rstrip(), size) > room:
            yield line.rstrip()
            line = ""
        line = (line + piece).lstrip()
    if line:
        yield line
