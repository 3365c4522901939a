"""The steps of a feed-forward network to take away: as a table and as a picture."""

from __future__ import annotations

from math import exp

from components.block_steps.told import activation_name, stages, verdict
from components.pictures import Bar, Group, Svg, bar_chart
from components.shares import full_bar, joined, share
from components.takeaway import Column, Table, origin, precise
from components.words import number, percent, sentences, t
from models.trace import FeedForward

STEPS = ("read", "expanded", "activated", "contracted", "added", "normed")


def numbers(found: FeedForward) -> Table:
    """First the answer under each activation, then every number of every step."""
    word = joined(found.followed.word)
    answers = [
        ("activation", each.activation, None, exp(each.log_p), each.rank) for each in found.swapped
    ]
    vectors = [
        (name, "", dimension, float(value), None)
        for name, stage in zip(STEPS, stages(found), strict=True)
        for dimension, value in enumerate(stage.values)
    ]
    return Table(
        columns=[
            Column("step", t("Step")),
            Column("activation", t("Activation")),
            Column("dimension", t("Dimension"), number),
            Column("value", t("Value"), precise),
            Column("rank", t("Rank"), number),
        ],
        rows=[*answers, *vectors],
        note=t(
            "First the probability of “{word}” under each activation, then the vectors of layer "
            "{layer}: dimensions count from 0.",
            word=word,
            layer=number(found.layer + 1),
        ),
    )


def picture(found: FeedForward, colour: str) -> Svg:
    """The answers under each activation, side by side."""
    full = full_bar(each.answer.best[0].probability for each in found.swapped)
    groups = [
        Group(
            activation_name(each.activation, own=each.activation == found.activation),
            [Bar(joined(one), one.probability, share(one.probability)) for one in each.answer.best],
        )
        for each in found.swapped
    ]
    return bar_chart(
        verdict(found),
        groups,
        full=full,
        axis=percent(full),
        colour=colour,
        footnote=sentences(origin(found.provenance)),
    )
