"""Layer by layer to take away: as a table of numbers and as a picture."""

from __future__ import annotations

from components.ladder.followed import Followed, followed, headline, layer_name
from components.ladder.ranks import place, ticks
from components.pictures import PAPER, SOFT, TRACK, Picture, Svg
from components.shares import full_bar, joined, share
from components.takeaway import Column, Table, origin
from components.words import number, t
from models.trace import Answer, Lens, Standing

ROW, TOP = 30, 110
"""Height of a layer; where the first one begins."""
LABELS, WORDS, BARS, SHARES, ENTROPY, RANK, PATH = 100, 120, 150, 60, 110, 70, 260
MARGIN, SPACE = 32, 16


def numbers(lens: Lens) -> Table:
    """One row for each listed answer of each layer, and for each word that is followed."""
    return Table(
        columns=[
            Column("hidden_state", t("After"), layer_name),
            Column("rank", t("Rank"), number),
            Column("word", t("Word")),
            Column("probability", t("Probability"), "{:.4g}".format),
            Column("entropy_bits", t("Entropy (bits)"), "{:.2f}".format),
        ],
        rows=[row for i, answer in enumerate(lens.layers) for row in _rows(i, answer, lens)],
        note=t(
            "Hidden state 0 is the embeddings, 1 what the first layer makes of them. Listed are "
            "the best answers and the words that are followed through the layers."
        ),
    )


def _rows(i: int, answer: Answer, lens: Lens) -> list[tuple[object, ...]]:
    listed = {joined(each): (rank, each.probability) for rank, each in enumerate(answer.best, 1)}
    for line in followed(lens):
        standing: Standing = line.standings[i]
        if standing.rank > len(answer.best):
            listed[line.word] = (standing.rank, standing.probability)
    return [
        (i, rank, word, probability, answer.entropy_bits)
        for word, (rank, probability) in listed.items()
    ]


def picture(lens: Lens, colour: str, words: int) -> Svg:
    """The rows of the page: best answer, entropy, and the rank of each word as a line."""
    sheet = Picture(2 * MARGIN + sum((LABELS, WORDS, BARS, SHARES, ENTROPY, RANK, PATH, 5 * SPACE)))
    room = sheet.width - 2 * MARGIN
    sheet.lines(headline(lens), MARGIN, MARGIN + 16, size=20, room=room, most=2, font_weight="600")
    x, lines = MARGIN + LABELS, followed(lens)
    full = full_bar(row.best[0].probability for row in lens.layers)
    _heads(sheet, lines[0].word, words)
    for i, answer in enumerate(lens.layers):
        y = TOP + ROW * i + ROW // 2 + 5
        best, strong = answer.best[0], answer.original_rank == 1
        sheet.text(layer_name(i), MARGIN, y, room=LABELS)
        sheet.text(joined(best), x, y, room=WORDS, font_weight="700" if strong else "400")
        sheet.box(x + WORDS, y - 12, BARS, 14, TRACK)
        sheet.box(x + WORDS, y - 12, max(1.5, BARS * best.probability / full), 14, colour)
        ends = _ends()
        sheet.text(share(best.probability), ends[0], y, text_anchor="end")
        sheet.text(
            number(answer.entropy_bits, 1, exactly=True), ends[1], y, text_anchor="end", fill=SOFT
        )
        rank = lines[0].standings[i].rank
        sheet.text(number(rank), ends[2], y, text_anchor="end")
    for line in reversed(lines):
        _path(sheet, line, colour, words)
    end = TOP + ROW * len(lens.layers)
    return _finish(sheet, lens, lines, end, colour)


def _ends() -> tuple[int, int, int]:
    """Where the columns of numbers end: probability, entropy, rank."""
    first = MARGIN + LABELS + WORDS + BARS + SHARES + SPACE
    return first, first + ENTROPY, first + ENTROPY + RANK


def _across(at: float) -> float:
    """From a place on the axis of ranks to a place in the picture."""
    return _ends()[2] + 2 * SPACE + at * PATH


def _heads(sheet: Picture, word: str, words: int) -> None:
    ends = _ends()
    for text, x in zip((t("Probability"), t("Entropy (bits)")), ends, strict=False):
        sheet.text(text, x, TOP - 8, size=12, fill=SOFT, text_anchor="end")
    sheet.text(t("Best answer"), MARGIN + LABELS, TOP - 8, size=12, fill=SOFT)
    title = t("Rank of “{word}”", word=word)
    sheet.text(title, _across(0), TOP - 24, size=12, room=PATH, fill=SOFT)
    for rank in ticks(words):
        tick = _across(place(rank, words))
        sheet.text(number(rank), tick, TOP - 8, size=12, fill=SOFT, text_anchor="middle")


def _path(sheet: Picture, line: Followed, colour: str, words: int) -> None:
    """The ranks of one word from layer to layer; its own in colour, the model's answer dashed."""
    ink, dashes = (SOFT, "5 4") if line.final else (colour, "none")
    points = [
        (_across(place(standing.rank, words)), TOP + ROW * i + ROW / 2)
        for i, standing in enumerate(line.standings)
    ]
    sheet.shape(
        "polyline",
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points),
        fill="none",
        stroke=ink,
        stroke_width=2,
        stroke_dasharray=dashes,
    )
    for x, y in points:
        _dot(sheet, x, y, line, colour)


def _dot(sheet: Picture, x: float, y: float, line: Followed, colour: str) -> None:
    fill, edge = (PAPER, SOFT) if line.final else (colour, colour)
    sheet.shape("circle", cx=x, cy=y, r=4.5, fill=fill, stroke=edge)


def _finish(sheet: Picture, lens: Lens, lines: tuple[Followed, ...], y: int, colour: str) -> Svg:
    """What the lines are, where the numbers come from, and the picture in words."""
    for i, line in enumerate(lines):
        x = MARGIN + 320 * i
        _dot(sheet, x + 5, y + 24, line, colour)
        sheet.text(line.name, x + 18, y + 28, size=13, room=290)
    room = sheet.width - 2 * MARGIN
    y = sheet.lines(origin(lens.provenance), MARGIN, y + 54, size=12, room=room, most=2, fill=SOFT)
    return sheet.finish(y + MARGIN - 16, headline(lens))
