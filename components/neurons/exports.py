"""The strongest neurons to take away, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from components.neurons import lifted
from components.takeaway import Column, Table, precise
from components.words import number, t
from models.trace import Followed, Neuron


def numbers(found: Sequence[Neuron], followed: Followed) -> Table:
    """The activation of each neuron at each token, and what it promotes."""
    return Table(
        columns=[
            Column("neuron", t("Neuron"), number),
            Column("share", t("Share"), precise),
            Column("position", t("Position"), number),
            Column("token", t("Token")),
            Column("activation", t("Activation"), precise),
            Column("promotes", t("Promotes")),
        ],
        rows=[
            (each.number, each.share, place, token, float(value), t(", ").join(lifted(each)))
            for each in found
            for place, (token, value) in enumerate(zip(followed.tokens, each.along, strict=True))
        ],
        note=t("Neurons and positions count from 0."),
    )
