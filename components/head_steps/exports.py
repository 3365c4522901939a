"""The head, step by step, to take away: as a table of numbers and as a picture."""

from __future__ import annotations

from collections.abc import Iterator

from components.head_steps import span
from components.head_steps.stages import Pair, Stage, followed, stages
from components.head_steps.verdict import verdict
from components.pictures import (
    SOFT,
    TRACK,
    Bar,
    Group,
    Picture,
    Svg,
    draw_bars,
)
from components.shares import full_bar, joined, share
from components.takeaway import Column, Table, origin
from components.words import number, percent, t
from models.trace import Answer, HeadSteps, Standing

MARGIN, WIDTH = 32, 880
STRIP, HIGH, EACH = 560, 64, 96
"""Width and height of a vector in the picture, and of its place."""


def numbers(steps: HeadSteps) -> Table:
    """First the answers with and without the transform, then every number of the vectors."""
    return Table(
        columns=[
            Column("step", t("Step")),
            Column("dimension", t("Dimension"), number),
            Column("value", t("Value"), "{:.4g}".format),
            Column("rank", t("Rank"), number),
            Column("word", t("Word")),
            Column("probability", t("Probability"), "{:.4g}".format),
        ],
        rows=[*_answers(steps), *_vectors(steps)],
        note=t(
            "First the answers with dense, activation and LayerNorm (softmax) and without them "
            "(bypass), then the vectors: dimensions count from 0."
        ),
    )


def _answers(steps: HeadSteps) -> Iterator[tuple[object, ...]]:
    pair = followed(steps)
    for name, answer, standing in (
        ("softmax", steps.answer, pair.with_it),
        ("bypass", steps.without, pair.without),
    ):
        if answer is not None and standing is not None:
            for rank, word, probability in _listed(answer, pair, standing):
                yield (name, None, None, rank, word, probability)


def _listed(answer: Answer, pair: Pair, standing: Standing) -> list[tuple[int, str, float]]:
    """The best words, and the one that is followed where it ranks lower."""
    rows = [(rank, joined(each), each.probability) for rank, each in enumerate(answer.best, 1)]
    if standing.rank > len(rows):
        rows.append((standing.rank, pair.word, standing.probability))
    return rows


def _vectors(steps: HeadSteps) -> Iterator[tuple[object, ...]]:
    for name in ("hidden", "dense", "activation", "layer_norm"):
        for dimension, value in enumerate(getattr(steps, name).tolist()):
            yield (name, dimension, value, None, None, None)


def picture(steps: HeadSteps, colour: str) -> Svg:
    """The four vectors under each other, and the answers with and without the transform."""
    sheet, told = Picture(WIDTH + 2 * MARGIN), verdict(steps)
    y = sheet.lines(told, MARGIN, MARGIN + 16, size=18, room=WIDTH, most=4, font_weight="600")
    for stage in stages(steps)[:4]:
        _vector(sheet, stage, y + 12, colour)
        y += EACH
    y = _outcomes(sheet, steps, y + 40, colour)
    y = sheet.lines(origin(steps.provenance), MARGIN, y, size=12, room=WIDTH, most=2, fill=SOFT)
    return sheet.finish(y + MARGIN - 16, told)


def _vector(sheet: Picture, stage: Stage, y: int, colour: str) -> None:
    """A step's name and facts, and its numbers side by side."""
    x, (low, high) = MARGIN + WIDTH - STRIP, span(stage.values)
    sheet.text(stage.name, MARGIN, y + 20, size=16, font_weight="600")
    sheet.text(f"{stage.formula} · {stage.size}", MARGIN, y + 40, size=13, fill=SOFT)
    facts = t(", ").join(t("{name}: {text}", name=n, text=v) for n, v in stage.facts[:2])
    sheet.text(facts, MARGIN, y + 58, size=12, room=WIDTH - STRIP - 16, fill=SOFT)
    sheet.box(x, y, STRIP, HIGH, TRACK)
    zero, per = y + HIGH * high / (high - low), STRIP / len(stage.values)
    for i, value in enumerate(stage.values.tolist()):
        top = y + HIGH * (high - value) / (high - low)
        sheet.box(
            round(x + i * per, 2),
            round(min(top, zero), 2),
            round(0.8 * per, 2),
            round(abs(top - zero), 2),
            colour,
        )
    for value, base in ((high, y + 11), (low, y + HIGH - 2)):
        sheet.text(
            number(value, 2).replace("-", "−"), x - 6, base, size=11, fill=SOFT, text_anchor="end"
        )


def _outcomes(sheet: Picture, steps: HeadSteps, y: int, colour: str) -> int:
    """The answers beside each other; returns where the next line could begin."""
    pair = followed(steps)
    titles = (t("With dense, activation and LayerNorm"), t("Without them"))
    answers = [each for each in (steps.answer, steps.without) if each is not None]
    full = full_bar(answer.best[0].probability for answer in answers)
    for i, (title, answer) in enumerate(zip(titles, answers, strict=False)):
        standing = pair.with_it if i == 0 else pair.without
        rows = _listed(answer, pair, standing) if standing else []
        bars = [
            Bar(word if rank == n else f"{rank}. {word}", p, share(p), strong=word == pair.word)
            for n, (rank, word, p) in enumerate(rows, 1)
        ]
        x, width = MARGIN + i * (WIDTH // 2 + 10), WIDTH // 2 - 10
        draw_bars(
            sheet, Group(title, bars), x, y, width, full=full, axis=percent(full), colour=colour
        )
    return y + 70 + 26 * (1 + max(len(answer.best) for answer in answers))
