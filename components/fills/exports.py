"""Both fills to take away: as a table of numbers and as a picture."""

from __future__ import annotations

from components.fills.said import difference, order_of
from components.pictures import Bar, Group, Svg, bar_chart
from components.shares import full_bar, joined, rare
from components.takeaway import Column, Table, origin, precise
from components.words import number, percent, sentences, t
from models.trace import Fill, JointFill


def numbers(found: JointFill) -> Table:
    """One row per fill and step; then what else the search kept, by their scores."""
    return Table(
        columns=[
            Column("fill", t("Fill")),
            Column("step", t("Step"), number),
            Column("blank", t("Blank"), number),
            Column("word", t("Word")),
            Column("probability", t("Probability"), precise),
            Column("score_nats", t("Score in nats"), precise),
            Column("other_order", t("Best other order")),
            Column("other_score_nats", t("Its score in nats"), precise),
        ],
        rows=[
            (name, step, blank + 1, joined(fill.words[blank]), fill.words[blank].probability, *rest)
            for name, fill in _named(found)
            for step, (blank, rest) in enumerate(
                ((blank, _rest(fill)) for blank in fill.order), start=1
            )
        ],
        note=t(
            "Each probability is that of the word given those filled in before it. The score is "
            "the sum of the natural logarithms of these probabilities. Blanks count from 1."
        ),
    )


def _named(found: JointFill) -> list[tuple[str, Fill]]:
    others = [
        (t("Together, choice {number}", number=i), fill)
        for i, fill in enumerate(found.alternatives, start=2)
    ]
    both = [(t("Each by itself"), found.independent), (t("Together"), found.joint)]
    return [*both, *others]


def _rest(fill: Fill) -> tuple[float, str, float | None]:
    other = "" if fill.other_order is None else order_of(fill.other_order)
    return fill.score, other, fill.other_score


def picture(text: str, found: JointFill, colour: str) -> Svg:
    """The words of both fills in the order of filling, each bar given those before it.

    Args:
        text: The sentence with its blanks.
        found: Both fills.
        colour: CSS colour of the bars.
    """
    full = full_bar(word.probability for _, fill in _named(found)[:2] for word in fill.words)
    groups = [
        Group(
            name,
            [
                Bar(
                    f"{step}. {joined(fill.words[blank])}",
                    fill.words[blank].probability,
                    rare(fill.words[blank].probability),
                    strong=blank in found.difference.changed,
                )
                for step, blank in enumerate(fill.order, start=1)
            ],
        )
        for name, fill in _named(found)[:2]
    ]
    return bar_chart(
        text,
        groups,
        full=full,
        axis=percent(full),
        colour=colour,
        footnote=sentences(difference(found), origin(found.provenance)),
    )
