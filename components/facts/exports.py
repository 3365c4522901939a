"""Numbers with what they mean, as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from components.facts import Fact
from components.pictures import SOFT, Picture, Svg

MARGIN, ROOM = 32, 560


def picture(title: str, lead: str, shown: Sequence[Fact], colour: str, footnote: str) -> Svg:
    """A card: the lead, then each number beside its meaning.

    Args:
        title: What it is about.
        lead: A sentence or two.
        shown: From top to bottom.
        colour: Of the edge.
        footnote: Where the numbers come from.
    """
    sheet = Picture(2 * MARGIN + ROOM)
    y = sheet.lines(title, MARGIN, MARGIN + 12, size=20, room=ROOM, most=2, font_weight="600")
    y = sheet.lines(lead, MARGIN, y + 8, size=15, room=ROOM, most=5)
    for fact in shown:
        top = y + 6
        y = sheet.lines(fact.name, MARGIN + 14, y + 20, size=13, room=ROOM, most=1, fill=SOFT)
        y = sheet.lines(fact.value, MARGIN + 14, y + 4, size=18, room=ROOM, most=1,
                        font_weight="600")  # fmt: skip
        y = sheet.lines(fact.told, MARGIN + 14, y, size=13, room=ROOM - 14, most=4, fill=SOFT)
        sheet.box(MARGIN, top, 4, y - top - 10, colour)
    y = sheet.lines(footnote, MARGIN, y + 20, size=12, room=ROOM, most=3, fill=SOFT)
    alt = " · ".join([title, lead, *(f"{fact.name}: {fact.value}" for fact in shown)])
    return sheet.finish(y + MARGIN - 12, alt)
