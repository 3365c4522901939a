"""The targets to take away: as a table and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from components.pictures import SOFT, TRACK, Picture, Svg
from components.takeaway import Column, Table, origin, precise
from components.targets import Trained, full_bar, headline, way_name
from components.words import number, t

MARGIN, NAMES, TALL, LANE = 32, 190, 60, 118
"""Pixels around the picture, of the lanes' names, of a full bar, of a lane."""
WIDE, BAR = 62, 16
"""Of a token and of a bar."""
MOST = 24
"""Tokens in a picture."""


def numbers(shown: Sequence[Trained]) -> Table:
    """One row for each prediction."""
    return Table(
        columns=[
            Column("model", t("Model")),
            Column("position", t("Position"), number),
            Column("token", t("Token")),
            Column("read_as", t("Read as")),
            Column("way", t("Predicted"), way_name),
            Column("nats", t("Nats"), precise),
        ],
        rows=list(_rows(shown)),
        note=t(
            "Positions are tokens, counted from 1, special ones included. Losses of different "
            "objectives do not compare: each model sees something else when it answers."
        ),
    )


def _rows(shown: Sequence[Trained]) -> Iterator[tuple[object, ...]]:
    for each in shown:
        if (found := each.targets) is None:
            continue
        for one in found.targets:
            token, read = found.tokens[one.token], found.read[one.token]
            yield each.model, one.token + 1, token.text, read, one.way, one.nats


def picture(shown: Sequence[Trained]) -> Svg:
    """The lanes as on the page."""
    drawn = [each for each in shown if each.targets]
    most = max((len(each.targets.tokens[:MOST]) for each in drawn if each.targets), default=0)
    sheet = Picture(max(2 * MARGIN + NAMES + most * WIDE, 640))
    room, full = sheet.width - 2 * MARGIN, full_bar(shown)
    title = headline(shown)
    y = sheet.lines(title, MARGIN, MARGIN + 16, size=18, room=room, most=2, font_weight="600")
    for each in drawn:
        _lane(sheet, each, y, full)
        y += LANE
    scale = t("A full bar is {nats} nats.", nats=number(full))
    y = sheet.lines(scale, MARGIN, y + 20, size=12, room=room, most=1, fill=SOFT)
    for each in drawn:
        about = origin(each.targets.provenance) if each.targets else ""
        y = sheet.lines(about, MARGIN, y, size=12, room=room, most=1, fill=SOFT)
    return sheet.finish(y + MARGIN - 16, title)


def _lane(sheet: Picture, each: Trained, y: int, full: float) -> None:
    found = each.targets
    if found is None:
        return
    base = y + TALL + 26
    sheet.text(each.name, MARGIN, base - 40, size=16, fill=each.colour.mark, font_weight="700")
    sheet.text(each.told, MARGIN, base - 22, size=12, room=NAMES - 8, fill=SOFT)
    mean = t("{nats} nats on average", nats=number(found.loss or 0, 2, exactly=True))
    sheet.text(mean, MARGIN, base - 5, size=12, room=NAMES - 8)
    for i, text in enumerate(found.read[:MOST]):
        middle = MARGIN + NAMES + (i + 0.5) * WIDE
        asked = [one for one in found.targets if one.token == i]
        for place, one in enumerate(asked):
            x = middle + (place - len(asked) / 2) * (BAR + 4) + 2
            tall = max(1.5, TALL * min(1.0, one.nats / full))
            sheet.box(x, base - 4 - TALL, BAR, TALL, TRACK)
            sheet.box(x, base - 4 - tall, BAR, tall, each.colour.mark)
        shown = text or found.tokens[i].text
        sheet.text(shown, middle, base + 12, size=12, room=WIDE - 2, text_anchor="middle")
