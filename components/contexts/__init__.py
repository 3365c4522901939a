"""One word in two contexts: how alike its states are, a line for each model from layer to layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np

from components.contexts.told import Compared, layer_name, place, said
from components.heads import shades
from components.register import register
from components.words import number, t

__all__ = ["Compared", "Context", "contexts"]

_contexts = register("contexts", Path(__file__).parent, shared=True, borrowed=["sights/tables"])

# No two messages are equal: see `components.answers`.
_serial = count()

DIGITS = 3


@dataclass(frozen=True)
class Context:
    """A text, and where the word stands in it."""

    text: str
    start: int
    end: int


def contexts(shown: Sequence[Compared], both: Sequence[Context], *, key: str) -> None:
    """Draw both texts with the word marked, the lines, and what they show in words.

    Args:
        shown: The models, in order.
        both: The two texts.
        key: A name of its own in the session.
    """
    _contexts(
        key=key,
        data={
            "serial": next(_serial),
            "texts": [
                [each.text[: each.start], each.text[each.start : each.end], each.text[each.end :]]
                for each in both
            ],
            "told": said(shown),
            "lines": [_line(each) for each in shown],
            "words": {
                "chart": t("Cosine of the word’s two states, by layer. Arrow keys go through."),
                "axis": t("cosine"),
                "others": t("Dashed: the mean of all pairs of different words."),
                "at": t("{layer}: {values}"),
                "value": t("{name} {value}"),
                "comma": t(", "),
                "table": t("As a table"),
                "model": t("Model"),
                "layer": t("Layer"),
                "same": t("The word"),
                "different": t("Different words"),
            },
        },
    )


def _line(one: Compared) -> dict[str, object]:
    found = one.found
    return {
        "name": one.name,
        "ink": one.colour.text,
        "colour": shades(one.colour),
        "note": one.note,
        "points": []
        if found is None
        else [
            {
                "x": place(layer),
                "layer": layer_name(layer),
                "y": same,
                "shown": number(same, DIGITS, exactly=True),
                "other": None if np.isnan(different) else different,
                "otherShown": "–"
                if np.isnan(different)
                else number(different, DIGITS, exactly=True),
            }
            for layer, same, different in zip(
                found.layers, found.similarity.tolist(), found.others.tolist(), strict=True
            )
        ],
    }
