"""Shuffled sentences to take away: as a table and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from components.pictures import Bar, Group, Svg, bar_chart
from components.shares import joined, share
from components.shuffled import Lane, full, row
from components.takeaway import Column, Table, origin, precise
from components.words import number, percent, t


def numbers(lanes: Sequence[Lane]) -> Table:
    """The best words before and after; then what each shuffle did."""
    return Table(
        columns=[
            Column("positions", t("Positions")),
            Column("model", t("Model")),
            Column("what", t("What")),
            Column("number", t("Rank or shuffle"), number),
            Column("text", t("Word or order")),
            Column("value", t("Value"), precise),
        ],
        rows=[each for lane in lanes for each in _rows(lane)],
        note=t(
            "Probabilities of the five best words; divergence of the answers in bits; the largest "
            "change of a number in the top states."
        ),
    )


def _rows(lane: Lane) -> Iterator[tuple[object, ...]]:
    found = lane.found
    if found is None:
        return
    first = (lane.name, lane.model)
    for name, side in (("as typed", found.before), ("shuffled", found.after)):
        for rank, each in enumerate(side, start=1):
            yield (*first, name, rank, joined(each), each.probability)
    for i, bits in enumerate(found.moved.tolist(), start=1):
        yield (*first, "divergence", i, row(found.words[i]), bits)
    yield (*first, "largest change", None, "", found.difference)


def picture(lanes: Sequence[Lane]) -> Svg:
    """Both answers of each lane."""
    there = [(lane, lane.found) for lane in lanes if lane.found]
    groups = [
        Group(
            f"{lane.name} ({lane.model}) · {name}",
            [Bar(joined(each), each.probability, share(each.probability)) for each in side],
        )
        for lane, found in there
        for name, side in ((t("As typed"), found.before), (t("Shuffled"), found.after))
    ]
    first = there[0][1]
    return bar_chart(
        t("As typed: {typed} · shuffled: {shuffled}", typed=row(first.words[0]),
          shuffled=row(first.words[1])),
        groups,
        full=full(lanes),
        axis=percent(full(lanes)),
        colour=there[0][0].colour.mark,
        footnote=" · ".join(dict.fromkeys(origin(found.provenance) for _, found in there)),
    )  # fmt: skip
