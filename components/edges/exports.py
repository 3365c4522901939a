"""A blank's edges to take away: all of the layer as a table, one head's as bars."""

from __future__ import annotations

import numpy as np

from components.edges.verdict import agreement, completeness, names, verdict
from components.pictures import Bar, Group, Svg, bar_chart
from components.takeaway import Column, Table, origin, precise
from components.theme import Colour
from components.words import fixed, number, sentences, t
from models.trace import AtBlank


def numbers(found: AtBlank) -> Table:
    """One row for each edge of the layer at the blank."""
    third = np.full(len(found.keys), np.nan) if found.third is None else found.third.values
    return Table(
        columns=[
            Column("layer", t("Layer")),
            Column("head", t("Head")),
            Column("key", t("Place of the key"), lambda place: number(place + 1)),
            Column("key_text", t("Key")),
            Column("weight", t("Weight"), precise),
            Column("effect_nats", t("Change of log p (nats)"), precise),
            Column("gradients_nats", t("Integrated gradients (nats)"), precise),
        ],
        rows=[
            (
                found.layer, head, key, name,
                float(found.weights[head, key]), float(effect),
                float(third[key]) if np.isfinite(third[key]) else None,
            )
            for head, row in enumerate(found.effects)
            for key, (name, effect) in enumerate(zip(names(found), row, strict=True))
        ],
        note=sentences(agreement(found), completeness(found.third) if found.third else ""),
    )  # fmt: skip


def picture(found: AtBlank, head: int, colour: Colour) -> Svg:
    """Weights, and sizes of the effects and of the gradients."""
    keys = names(found)
    looked = [
        Bar(key, float(weight), fixed(float(weight), 3))
        for key, weight in zip(keys, found.weights[head], strict=True)
    ]
    groups = [
        Group(t("Weight"), looked),
        _sizes(t("Effect of cutting it (nats)"), keys, found.effects[head]),
    ]
    if found.third is not None:
        groups.append(_sizes(t("Integrated gradients (nats)"), keys, found.third.values))
    return bar_chart(
        verdict(found, head),
        groups,
        full=1.0,
        axis="1",
        colour=colour.mark,
        footnote=origin(found.provenance),
    )


def _sizes(title: str, keys: list[str], values: np.ndarray) -> Group:
    """Bars of the sizes, told with their signs, on a scale of their own."""
    sizes = abs(np.nan_to_num(values))
    most = float(sizes.max(initial=0.0)) or 1.0
    told = [fixed(float(each), 4) if np.isfinite(each) else "–" for each in values]
    bars = [Bar(*each) for each in zip(keys, (sizes / most).tolist(), told, strict=True)]
    return Group(title, bars, axis=fixed(most, 3))
