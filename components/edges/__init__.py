"""Do they agree? A head's edges at the blank: its weights, what a cut does, and the gradients.

The browser says which head is open, so that this panel follows `components.head`.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

import numpy as np

from components.edges.verdict import caution, names, verdict
from components.effects import nats
from components.register import register
from components.theme import Colour
from components.words import fixed, t
from models.trace import AtBlank

__all__ = ["edges"]

_edges = register("edges", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


def edges(found: AtBlank, head: int, *, key: str, follows: str, colour: Colour) -> None:
    """Draw the edges of one head of the layer.

    Args:
        found: From `models.at_blank`.
        head: Which of the layer.
        key: A name of its own; its state ``head`` says that another one was opened.
        follows: The key of the head whose choices are followed.
        colour: The architecture's own.
    """
    columns = [t("Weight"), t("Effect of cutting it (nats)")]
    if found.third is not None:
        columns.append(t("Integrated gradients (nats)"))
    _edges(
        key=key,
        data={
            "serial": next(_serial),
            "follows": follows,
            "at": [found.layer, head],
            "colour": colour.mark,
            "headline": verdict(found, head),
            "caution": caution(found, head),
            "rows": rows(found, head),
            "words": {
                "caption": t("Weight, effect and gradients of each edge"),
                "heads": [t("Key"), *columns],
            },
        },
        on_head_change=lambda: None,
    )


def rows(found: AtBlank, head: int) -> list[dict[str, object]]:
    """For each key its numbers: the bar (of numbers with a sign, around 0) and what is read."""
    columns = [
        [(min(1.0, float(each)), fixed(float(each), 3)) for each in found.weights[head]],
        _signed(found.effects[head], 4),
    ]
    if found.third is not None:
        columns.append(_signed(found.third.values, 3))
    return [
        {"key": name, "values": [{"bar": bar, "shown": shown} for bar, shown in values]}
        for name, *values in zip(names(found), *columns, strict=True)
    ]


def _signed(values: np.ndarray, digits: int) -> list[tuple[float, str]]:
    """Each as a share of the largest; those that do not exist as nothing, and told as "–"."""
    sizes = abs(np.nan_to_num(values))
    most = float(sizes.max(initial=0.0)) or 1.0
    return [
        # Never "−0.0000".
        (float(each) / most, fixed(round(float(each), digits) + 0.0, digits))
        if np.isfinite(each)
        else (0.0, nats(float(each)))
        for each in values
    ]
