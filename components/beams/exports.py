"""A beam search to take away: all it looked at as a table, and what it found as a picture."""

from __future__ import annotations

from components.beams import headline
from components.pictures import MARGIN, SOFT, Picture, Svg
from components.takeaway import Column, Table, origin, precise
from components.words import fixed, number, t
from models.trace import BeamSearch

WIDTH, SCORES = 860, 150


def numbers(found: BeamSearch) -> Table:
    """First what was found, then what was looked at, token by token."""
    results = [
        ("result", rank, len(beam.tokens), beam.text.strip(), beam.log_p, beam.score, "finished")
        for rank, beam in enumerate(found.beams, start=1)
    ]
    steps = [
        ("step", rank, length, each.text, each.log_p, each.log_p / length, each.fate)
        for length, step in enumerate(found.steps, start=1)
        for rank, each in enumerate(step, start=1)
    ]
    return Table(
        columns=[
            Column("kind", t("Kind")),
            Column("rank", t("Rank"), number),
            Column("tokens", t("Tokens"), number),
            Column("text", t("Text")),
            Column("log_p", t("Sum of ln p"), precise),
            Column("score", t("Score"), precise),
            Column("fate", t("What became of it")),
        ],
        rows=[*results, *steps],
        note=t("A score is the sum of ln p divided by the number of tokens (length penalty 1)."),
    )


def picture(found: BeamSearch, title: str) -> Svg:
    """The texts, best first, with their scores."""
    sheet = Picture(WIDTH + 2 * MARGIN)
    y = sheet.lines(title, MARGIN, MARGIN + 16, size=20, room=WIDTH, most=2, font_weight="600")
    y = sheet.lines(headline(found), MARGIN, y + 4, size=14, room=WIDTH, most=2, fill=SOFT) + 12
    named = [(number(i), beam) for i, beam in enumerate(found.beams, start=1)]
    for name, beam in [*named, (t("greedy"), found.greedy)]:
        sheet.text(name, MARGIN, y, room=60, fill=SOFT)
        sheet.text(fixed(beam.score, 3), MARGIN + SCORES - 20, y, text_anchor="end")
        room = WIDTH - SCORES
        y = sheet.lines(beam.text.strip(), MARGIN + SCORES, y, size=14, room=room, most=3) + 6
    y = sheet.lines(origin(found.provenance), MARGIN, y + 8, size=12, room=WIDTH, most=2, fill=SOFT)
    best = found.beams[0].text.strip() if found.beams else ""
    return sheet.finish(y + MARGIN - 16, f"{title}. {headline(found)} {best}")
