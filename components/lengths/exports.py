"""Lengths to take away: as a table and as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from components.lengths import Measured, headline, most
from components.pictures import MARGIN, SOFT, TRACK, Picture, Svg
from components.takeaway import Column, Table, origin
from components.theme import BERT, ENCODER_DECODER
from components.words import number, t
from models.trace import Provenance

SIDE = 420


def numbers(found: Sequence[Measured]) -> Table:
    """One row per text."""
    return Table(
        columns=[
            Column("text", t("Text")),
            Column("read", t("Transformer: read"), number),
            Column("written", t("Transformer: written"), number),
            Column("bert_read", t("BERT: read"), number),
            Column("bert_given", t("BERT: given"), number),
        ],
        rows=[
            (one.text, one.writer.read, one.writer.given,
             one.bert and one.bert.read, one.bert and one.bert.given)
            for one in found
        ],
        note=t("Tokens, special ones and the end of the text among them."),
    )  # fmt: skip


def picture(found: Sequence[Measured], title: str, about: Sequence[Provenance]) -> Svg:
    """The points, with the line on which output is as long as input."""
    sheet, end = Picture(SIDE + 2 * MARGIN + 200), most(found)
    room = sheet.width - 2 * MARGIN
    y = sheet.lines(title, MARGIN, MARGIN + 16, size=20, room=room, most=2, font_weight="600")
    y = sheet.lines(headline(found), MARGIN, y + 4, size=14, room=room, most=3) + 8
    left, floor = MARGIN + 40, y + SIDE
    sheet.box(left, y, SIDE, SIDE, TRACK)
    sheet.shape("line", x1=left, y1=floor, x2=left + SIDE, y2=y, stroke=SOFT, stroke_dasharray=4)
    for one in found:
        for each, colour in ((one.writer, ENCODER_DECODER.mark), (one.bert, BERT.mark)):
            if each is not None:
                x, top = left + SIDE * each.read / end, floor - SIDE * each.given / end
                sheet.shape("circle", cx=x, cy=top, r=6 if one.current else 4, fill=colour)
    for tick in sorted({0, end // 2, end}):
        at = SIDE * tick / end
        sheet.text(number(tick), left + at, floor + 18, size=12, fill=SOFT, text_anchor="middle")
        sheet.text(number(tick), left - 6, floor - at + 4, size=12, fill=SOFT, text_anchor="end")
    sheet.text(t("tokens read"), left + SIDE, floor + 36, size=12, fill=SOFT, text_anchor="end")
    sheet.text(t("tokens given"), left, y - 6, size=12, fill=SOFT)
    for i, (name, colour) in enumerate(
        ((t("Transformer: as many as it writes"), ENCODER_DECODER.mark),
         (t("BERT: as many as it reads"), BERT.mark))
    ):  # fmt: skip
        sheet.shape("circle", cx=left + 8, cy=floor + 60 + 22 * i, r=5, fill=colour)
        sheet.text(name, left + 22, floor + 64 + 22 * i)
    y = floor + 118
    for model in about:
        y = sheet.lines(origin(model), MARGIN, y, size=12, room=room, most=2, fill=SOFT)
    return sheet.finish(y + MARGIN - 16, f"{title}. {headline(found)}")
