"""Scored sentences to take away: as a table of numbers and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from components.pictures import MARGIN, SOFT, TRACK, Picture, Svg, clean, estimate
from components.surprisals.columns import Column, tallest
from components.surprisals.said import in_nats
from components.takeaway import Column as Head
from components.takeaway import Table, origin, precise
from components.words import number, t
from models.trace import Provenance, ScoredSentence

WIDTH, HEIGHT, BAR, GAP = 860, 110, 16, 12
"""Pixels of a line of words, of the tallest bar, of a bar's width, and between columns."""
SIZE = 14
IN_ALT = 12
"""Columns that the picture's description names."""


def numbers(*scored: ScoredSentence) -> Table:
    """One row per word; of two sentences, the first one's words first."""
    return Table(
        columns=[
            Head("sentence", t("Sentence"), number),
            Head("position", t("Position"), number),
            Head("word", t("Word")),
            Head("pieces", t("Pieces")),
            Head("surprisal_nats", t("Surprisal in nats"), precise),
            Head("surprisal_bits", t("Surprisal in bits"), precise),
        ],
        rows=[
            (
                *(which, position, word.text, " ".join(word.pieces), word.nats),
                None if word.nats is None else word.nats / log(2),
            )
            for which, sentence in enumerate(scored, start=1)
            for position, word in enumerate(sentence.words, start=1)
        ],
        note=" ".join(
            t(
                "Sentence {number}: pseudo-perplexity {perplexity}, sum {total}.",
                number=number(which),
                perplexity=precise(sentence.pseudo_perplexity),
                total=in_nats(sentence.total),
            )
            for which, sentence in enumerate(scored, start=1)
            if sentence.pseudo_perplexity is not None
        ),
    )


def picture(title: str, columns: Sequence[Column], colour: str, about: Provenance) -> Svg:
    """The bars above their words, on as many lines as they need; the second sentence's hollow."""
    full = tallest(columns)
    drawn = Picture(WIDTH + 2 * MARGIN)
    y = drawn.lines(title, MARGIN, MARGIN + 16, size=20, room=WIDTH, most=3, font_weight="600")
    for line in _lines(columns):
        y += round(HEIGHT * tallest(line) / full) + 40
        _line(drawn, line, y, full, colour)
        y += 44 if any(not column.same for column in line) else 24
    scale = t("The tallest bar is {nats}.", nats=in_nats(full))
    hollow = t("Filled: first sentence. Hollow: second sentence.")
    told = f"{scale} {hollow}" if any(len(column.words) > 1 for column in columns) else scale
    for text in (told, origin(about)):
        y = drawn.lines(text, MARGIN, y + 18, size=12, room=WIDTH, most=2, fill=SOFT) - 12
    alt = " · ".join([title, *(column.told for column in columns[:IN_ALT])])
    return drawn.finish(y + MARGIN, clean(alt))


def _width(column: Column) -> float:
    names = max(estimate(word.text, SIZE) for word in column.words if word is not None)
    return min(WIDTH, max(names, len(column.words) * 30)) + GAP


def _lines(columns: Sequence[Column]) -> list[list[Column]]:
    """Columns in lines that fit the picture."""
    found: list[list[Column]] = [[]]
    room: float = WIDTH
    for column in columns:
        if found[-1] and _width(column) > room:
            found.append([])
            room = WIDTH
        room -= _width(column)
        found[-1].append(column)
    return found


def _line(drawn: Picture, line: Sequence[Column], y: float, full: float, colour: str) -> None:
    """Columns side by side; their bars stand on `y`."""
    x: float = MARGIN
    for column in line:
        width = _width(column)
        drawn.box(x, y, width - GAP / 2, 1, TRACK)
        _bars(drawn, column, x + (width - GAP) / 2, y, full, colour)
        for row, word in enumerate(column.words[: 1 if column.same else None]):
            text = "–" if word is None else word.text
            middle = x + (width - GAP) / 2
            drawn.text(text, middle, y + 20 * (row + 1), SIZE, WIDTH, text_anchor="middle")
        x += width


def _bars(
    drawn: Picture, column: Column, middle: float, y: float, full: float, colour: str
) -> None:
    left = middle - 15 * len(column.words)
    for which, word in enumerate(column.words):
        if word is None:
            continue
        x, height = left + 30 * which + 7, HEIGHT * (word.nats or 0) / full
        fill = colour if which == 0 else "none"
        drawn.shape("rect", x=x, y=y - height, width=BAR, height=height, fill=fill, stroke=colour)
        shown = column.shown(word)
        drawn.text(shown, x + BAR / 2, y - height - 5, 12, text_anchor="middle", fill=SOFT)
