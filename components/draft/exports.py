"""A written text to take away: as a table of numbers and as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from components.draft.told import summary
from components.pictures import MARGIN, SOFT, TRACK, Picture, Svg, clean, estimate
from components.takeaway import Column, Table, origin, precise
from components.words import number, t
from models.trace import Drawing, Provenance, WrittenToken, joined

WIDTH, HIGH, SIZE, LINE = 860, 56, 15, 104
"""Pixels of a line, of the tallest bar, of the letters, and from line to line."""
TALLEST = 8.0
"""Bits of a full bar, at least."""


def how(drawing: Drawing | None) -> str:
    """How a token was chosen, in words that a program can read."""
    if drawing is None:
        return "by hand"
    if drawing.cut is None:
        return "greedy"
    cut = drawing.cut
    return (
        f"drawn (seed {drawing.seed}, draw {drawing.skip + 1}, temperature {cut.temperature:g}, "
        f"top_k {cut.top_k}, top_p {cut.top_p:g})"
    )


def numbers(
    prompt: Sequence[WrittenToken],
    tokens: Sequence[WrittenToken],
    hows: Sequence[Drawing | None],
    repeated: Sequence[bool],
) -> Table:
    """One row per token, those of the prompt first."""
    ways = [*["prompt"] * len(prompt), *map(how, hows)]
    rows = zip([*prompt, *tokens], ways, repeated, strict=True)
    return Table(
        columns=[
            Column("position", t("Position"), number),
            Column("token", t("Token")),
            Column("token_id", t("Id")),
            Column("surprisal_bits", t("Surprisal in bits"), precise),
            Column("entropy_bits", t("Entropy in bits"), precise),
            Column("rank", t("Rank"), number),
            Column("drawn_with", t("Drawn with"), precise),
            Column("chosen", t("How it was chosen")),
            Column("repeats", t("Repeats"), _yes),
        ],
        rows=[
            (at, token.shown or token.piece, token.id, token.bits, token.entropy_bits, token.rank,
             token.share, way, int(again))
            for at, (token, way, again) in enumerate(rows, start=1)
        ],
        note=t("A token repeats if it belongs to a run of three that stood before."),
    )  # fmt: skip


def _yes(value: int) -> str:
    return t("yes") if value else "–"


def picture(
    prompt: Sequence[WrittenToken],
    tokens: Sequence[WrittenToken],
    repeated: Sequence[bool],
    colour: str,
    about: Provenance,
) -> Svg:
    """The text below bars of its surprisal; what was written is bold."""
    every = [*prompt, *tokens]
    full = max([TALLEST, *(token.bits for token in every if token.bits is not None)])
    sheet = Picture(WIDTH + 2 * MARGIN)
    told = summary(tokens, repeated[len(prompt) :])
    title = told or t("Nothing is written yet.")
    top = sheet.lines(title, MARGIN, MARGIN + 16, size=18, room=WIDTH, most=3, font_weight="600")
    x, y = float(MARGIN), top + HIGH
    for i, token in enumerate(every):
        word = token.shown or token.piece
        width = max(14.0, estimate(word, SIZE) + 8)
        if x + width > MARGIN + WIDTH:
            x, y = float(MARGIN), y + LINE
        height = HIGH * (token.bits or 0.0) / full
        sheet.box(x, y, width - 4, 1, TRACK)
        sheet.box(x + width / 2 - 6, y - height, 8, height, colour if i >= len(prompt) else SOFT)
        weight = "600" if i >= len(prompt) else "400"
        sheet.text(word, x + width / 2 - 2, y + 20, SIZE, text_anchor="middle", font_weight=weight)
        x += width
    y += 44
    note = t("Bars: surprisal. A full bar has {bits} bits.", bits=number(full, 1))
    for text in (note, origin(about)):
        y = sheet.lines(text, MARGIN, y, size=12, room=WIDTH, most=2, fill=SOFT)
    return sheet.finish(y + MARGIN - 16, clean(f"{joined(every).strip()} · {title}"))
