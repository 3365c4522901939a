"""The both-sides test to take away: as a table and as a picture."""

from __future__ import annotations

from collections.abc import Iterator

from components.both_sides.told import CLAIMS, METRICS, OUTCOMES, Measured, effect, shown, view_name
from components.pictures import Bar, Group, Svg, bar_chart
from components.takeaway import Column, Table, precise
from components.words import number, t


def numbers(one: Measured) -> Table:
    """Scores by side and by third, then the claims."""
    return Table(
        columns=[
            Column("part", t("Part")),
            Column("about", t("About")),
            Column("view", t("Model")),
            Column("value", t("Value"), precise),
            Column("low", t("Low"), precise),
            Column("high", t("High"), precise),
            Column("items", t("Items"), number),
        ],
        rows=list(_rows(one)),
        note=t(
            "{metric}: shares, or bits of surprisal. Low and high hold 95% of 2,000 bootstrap "
            "resamples (seed 0). Of a claim the value is its effect, positive if as claimed, and "
            "low and high are one standard error around it.",
            metric=t(METRICS[one.metric]),
        ),
    )


def _rows(one: Measured) -> Iterator[tuple[object, ...]]:
    for part, groups in (("side", one.sides), ("third", one.thirds)):
        for group in groups:
            for view, score in group.scores:
                yield part, group.title, view, score.mean, score.low, score.high, score.items
    for verdict in one.verdicts:
        low, high = verdict.effect - verdict.error, verdict.effect + verdict.error
        yield "claim", t(CLAIMS[verdict.claim]), verdict.outcome, verdict.effect, low, high, None


def picture(one: Measured, colour: str) -> Svg:
    """Bars by side and by third; the verdicts below."""
    groups = [
        Group(
            f"{group.title} (n = {number(group.items)})",
            [
                Bar(view_name(view), score.mean, shown(one.metric, score.mean))
                for view, score in group.scores
            ],
        )
        for group in (*one.sides, *one.thirds)
    ]
    full = max(bar.value for group in groups for bar in group.bars) or 1.0
    said = (
        t("{name}: {text}", name=t(OUTCOMES[v.outcome]), text=t(CLAIMS[v.claim]))
        + f" ({effect(one.metric, v)})"
        for v in one.verdicts
    )
    return bar_chart(
        t("Which side decides? {metric}", metric=t(METRICS[one.metric])),
        groups,
        full=full,
        axis=shown(one.metric, full),
        colour=colour,
        footnote=" · ".join(said),
    )
