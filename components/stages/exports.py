"""A query's stages to take away: every number as a table, weights and what is brought as bars."""

from __future__ import annotations

from components.head import label
from components.heads.kinds import head_name
from components.pictures import Bar, Group, Svg, bar_chart
from components.stages import brings, listed
from components.stages.steps import headline
from components.takeaway import Column, Table, origin, precise
from components.theme import Colour
from components.words import fixed, number, t
from models.trace import QueryStages

BARS = 24


def numbers(found: QueryStages) -> Table:
    """One row for each key."""
    brought = brings(found)
    return Table(
        columns=[
            Column("key", t("Place of the key"), lambda place: number(place + 1)),
            Column("key_text", t("Key")),
            Column("product", t("q · k"), precise),
            Column("score", t("Score"), precise),
            Column("allowed", t("May look")),
            Column("weight", t("Weight"), precise),
            Column("value_norm", t("Length of v"), precise),
            Column("weight_x_norm", t("Weight × length"), precise),
        ],
        rows=[
            (
                i, label(unit), float(found.products[i]), float(found.scores[i]),
                int(found.mask[i]), float(found.weights[i]), float(found.value_norms[i]),
                float(brought[i]),
            )
            for i, unit in enumerate(found.keys)
        ],
        note=t("{name}: {text}", name=head_name(found.layer, found.head), text=headline(found)),
    )  # fmt: skip


def picture(found: QueryStages, colour: Colour) -> Svg:
    """Weights beside what they bring."""
    keys, brought = listed(found)[:BARS], brings(found)
    most = float(brought.max()) or 1.0
    looked = [
        Bar(label(found.keys[i]), float(found.weights[i]), fixed(float(found.weights[i]), 3))
        for i in keys
    ]
    brought_bars = [
        Bar(label(found.keys[i]), float(brought[i]) / most, fixed(float(brought[i]), 3))
        for i in keys
    ]
    return bar_chart(
        t("{name}: {text}", name=head_name(found.layer, found.head), text=headline(found)),
        [
            Group(t("Weight"), looked),
            Group(t("Weight × length"), brought_bars, axis=fixed(most, 2)),
        ],
        full=1.0,
        axis="1",
        colour=colour.mark,
        footnote=origin(found.provenance),
    )
