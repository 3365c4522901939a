"""The lanes to take away as a table: influence, answers, guesses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from components.lanes import ANSWERS
from components.lanes.lane import Lane, Word
from components.shares import joined
from components.takeaway import Column, Table, precise
from components.words import number, t
from models.trace import Blank, View

Row = tuple[str, int, int | None, str, float | None, int | None, float | None]
"""As the columns, without the model."""


def numbers(shown: Sequence[Lane], focus: int = 0) -> Table:
    """One row for each arc, answer and guess of every lane.

    Args:
        shown: The lanes.
        focus: The blank that the arcs lead to, counted from 0.
    """
    return Table(
        columns=[
            Column("model", t("Model")),
            Column("part", t("Part")),
            Column("blank", t("Blank"), number),
            Column("position", t("Position"), number),
            Column("word", t("Word")),
            Column("influence_bits", t("Influence in bits"), precise),
            Column("rank", t("Rank"), number),
            Column("probability", t("Probability"), precise),
        ],
        rows=[
            (lane.model, *row) for lane in shown for row in (*_rated(lane, focus), *_answered(lane))
        ],
        note=t(
            "Of each model first how much each word matters to the answer, then the answers: “all” "
            "of them together, of ELMo also “forward” and “backward” alone; “guess” is what a "
            "model put into another blank before. Positions, blanks and punctuation included, and "
            "blanks are counted from 1."
        ),
    )


def _rated(lane: Lane, focus: int) -> Iterator[Row]:
    """The rows of the arcs; without rank and probability."""
    for at, word, bits in measured(lane):
        yield "all", focus + 1, at, word.text, bits, None, None


def measured(lane: Lane) -> list[tuple[int, Word, float]]:
    """Position, counted from 1, word and influence of every arc."""
    if lane.arcs is None:
        return []
    pairs = enumerate(zip(lane.words, lane.arcs, strict=True), start=1)
    return [(position, word, bits) for position, (word, bits) in pairs if bits is not None]


def _answered(lane: Lane) -> Iterator[Row]:
    """The answers to all blanks; no influence."""
    positions = {word.blank: at for at, word in enumerate(lane.words, start=1)}
    for i, blank in enumerate(lane.answer.blanks if lane.answer else ()):
        parts: dict[str, Blank | View] = {"all": blank, **{view.way: view for view in blank.views}}
        for name, part in parts.items():
            for rank, word, probability in _listed(part, blank.original):
                yield name, i + 1, positions.get(i), word, None, rank, probability
        for guess in blank.guesses:
            at = positions.get(guess.blank)
            yield "guess", i + 1, at, joined(guess.word), None, 1, guess.word.probability


def _listed(
    part: Blank | View, original: str | None
) -> Iterator[tuple[int | None, str, float | None]]:
    """Rank, word and probability; after the best words the hidden one, where it ranks lower."""
    listed = list(enumerate(part.candidates[:ANSWERS], start=1))
    for rank, answer in listed:
        yield rank, joined(answer), answer.probability
    if original is not None and part.original_rank not in dict(listed):
        yield part.original_rank, original, part.original_probability
