"""A text as its tokenizer cuts it: one chip for each token, special and unknown ones marked."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from components.pictures import SOFT, TRACK, Picture, Svg, estimate
from components.register import register
from components.takeaway import Column, Table, origin
from components.words import msg, number, t
from models.trace import Cutting, Token

_pieces = register("pieces", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()

KINDS = {
    "word": msg("begins a word"),
    "continuation": msg("continues a word"),
    "special": msg("special: no text"),
    "space": msg("white space"),
    "byte": msg("byte of a character"),
    "unknown": msg("unknown: cannot be spelled"),
}


def kind_of(token: Token) -> str:
    """What a token is to a reader."""
    return "unknown" if token.unknown else token.kind


def pieces(found: Cutting, *, key: str, colour: str) -> None:
    """Draw the chips.

    Args:
        found: From `models.cutting`.
        key: A name of its own in the session.
        colour: CSS colour of their edges.
    """
    kinds = list(dict.fromkeys(kind_of(token) for token in found.tokens))
    _pieces(
        key=key,
        data={
            "serial": next(_serial),
            "label": t("The text in tokens"),
            "colour": colour,
            "tokens": [
                {
                    "text": shown(token),
                    "kind": kind_of(token),
                    "id": str(token.id),
                    "told": _told(token),
                }
                for token in found.tokens
            ],
            "legend": [{"kind": kind, "text": t(KINDS[kind])} for kind in kinds],
        },
    )


def shown(token: Token) -> str:
    """The token as it is seen: spaces and line ends have a sign."""
    return token.text.replace("\n", "⏎").replace("\t", "⇥").replace(" ", "␣") or token.piece


def _told(token: Token) -> str:
    return t(
        "“{text}”: {kind}; entry {id}, spelled {piece}",
        text=shown(token), kind=t(KINDS[kind_of(token)]), id=token.id, piece=token.piece,
    )  # fmt: skip


def numbers(found: Cutting) -> Table:
    """One row for each token."""
    return Table(
        columns=[
            Column("place", t("Place"), lambda at: number(at + 1)),
            Column("text", t("Text")),
            Column("piece", t("Entry")),
            Column("id", t("Number of the entry"), str),
            Column("kind", t("Kind"), lambda kind: t(KINDS[kind])),
            Column("start", t("From character"), str),
            Column("end", t("To character"), str),
        ],
        rows=[
            (i, token.text, token.piece, token.id, kind_of(token), token.start, token.end)
            for i, token in enumerate(found.tokens)
        ],
        note=t("Characters count from 0, the last not included; places from 0 in the file."),
    )


def picture(found: Cutting, colour: str) -> Svg:
    """The chips, line by line."""
    margin, room, high = 32, 640, 30
    sheet = Picture(2 * margin + room)
    title = t("The text in tokens: {model}", model=found.provenance.model)
    y = sheet.lines(title, margin, margin + 12, size=18, room=room, most=2, font_weight="600") + 8
    x: float = margin
    for token in found.tokens:
        text, dashed = shown(token), kind_of(token) in ("special", "unknown")
        wide = min(estimate(text, 14) + 16, room)
        if x + wide > margin + room:
            x, y = margin, y + high + 22
        box = sheet.box(x, y, wide, high, TRACK)
        box.set("stroke", colour)
        box.set("stroke-dasharray", "4 3" if dashed else "none")
        sheet.text(text, x + 8, y + 20, room=int(wide))
        sheet.text(str(token.id), x + 8, y + high + 13, size=10, fill=SOFT)
        x += wide + 6
    y += high + 40
    y = sheet.lines(origin(found.provenance), margin, y, size=12, room=room, most=3, fill=SOFT)
    alt = " · ".join([title, " | ".join(shown(token) for token in found.tokens)])
    return sheet.finish(int(y) + margin - 12, alt)
