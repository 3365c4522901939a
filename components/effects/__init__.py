"""What silencing each head does to an answer: a map as large as that of the heads, beside it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

import numpy as np

from components.heads.kinds import head_name
from components.register import register
from components.theme import Colour
from components.words import fixed, t
from models.trace import HeadAt, Measurement

__all__ = ["effects", "headline", "largest", "nats"]

_effects = register("effects", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


def effects(
    found: Measurement, word: str, *, key: str, colour: Colour, opened: Sequence[HeadAt]
) -> None:
    """Draw the map: blue where the answer loses by it, orange where it gains.

    Args:
        found: From `models.head_effects`.
        word: Whose probability was followed.
        key: Shared with `components.heads` and `components.head`.
        colour: The architecture's own.
        opened: Which heads are open at first.
    """
    layers, heads = found.values.shape
    most = largest(found)
    _effects(
        key=f"{key}_effects",
        data={
            "serial": next(_serial),
            "key": key,
            "colour": colour.mark,
            "headline": headline(found, word),
            "layers": layers,
            "heads": heads,
            "shares": [_share(value, most) for value in found.values.ravel().tolist()],
            "told": [
                t("{name}: {text}", name=head_name(layer, head), text=nats(value))
                for (layer, head), value in np.ndenumerate(found.values)
            ],
            "open": [list(each) for each in opened],
            "words": {
                "map": t("Effect of silencing each head"),
                "samples": [
                    t("{nats} nats: the answer loses", nats=fixed(-most, 2)),
                    t("0: nothing changes"),
                    t("+{nats} nats: it gains", nats=fixed(most, 2)),
                ],
            },
        },
    )


def largest(found: Measurement) -> float:
    """The size of the largest effect: the ends of the scale."""
    sizes = abs(found.values[np.isfinite(found.values)])
    return float(sizes.max()) if sizes.size and sizes.max() > 0 else 1.0


def _share(value: float, most: float) -> float | None:
    return value / most if np.isfinite(value) else None


def nats(value: float) -> str:
    """An effect for a reader, with its sign."""
    if not np.isfinite(value):
        return "–"
    shown = fixed(value, 3)
    return t("{nats} nats", nats="+" + shown if value > 0 else shown)


def headline(found: Measurement, word: str) -> str:
    """Which head matters most to the answer, in a sentence."""
    values = np.where(np.isfinite(found.values), found.values, 0.0)
    layer, head = np.unravel_index(int(abs(values).argmax()), values.shape)
    return t(
        "Silence one head: what becomes of the log-probability of “{word}”? The largest change: "
        "{head}, {nats}.",
        word=word,
        head=head_name(int(layer), int(head)),
        nats=nats(float(values[layer, head])),
    )
