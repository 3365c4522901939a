"""The answers of a probe of frozen features, to take away."""

from __future__ import annotations

from collections.abc import Sequence

from components.takeaway import Column, Table, precise
from components.words import number, percent, t
from models.trace import Asked, Featured, Features

KINDS: tuple[Asked, ...] = ("new", "known", "control")


def table(found: Features, shown: Sequence[Featured], note: str = "") -> Table:
    """One row for each model, layer and kind of question, with its interval."""
    names = {
        "new": t("words it has not seen"),
        "known": t("words it has seen, elsewhere"),
        "control": t("control task"),
    }
    rows = []
    for view in shown:
        for layer in view.layers:
            for asked in KINDS:
                one = found.score(view, layer, asked)
                about = (view.model, layer, names[asked])
                rows.append((*about, one.mean, one.low, one.high, one.items))
    return Table(
        columns=[
            Column("model", t("Model")),
            # Its names count from 1 already, so it is not called "layer".
            Column("state", t("Layer")),
            Column("asked", t("Question")),
            Column("share", t("Right answers"), precise),
            Column("low", t("Low"), precise),
            Column("high", t("High"), precise),
            Column("n", "n", number),
        ],
        rows=rows,
        note=note or t("commonest answer: {share}", share=percent(found.often, 1)),
    )
