"""All heads of a model as thumbnails on one canvas, sorted and filtered by what they do.

One byte for each weight and one scale for each row go to the browser, once for each text; which
head is open, hovered or mixed is known there alone. `components.head` shows the open one exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path

import numpy as np

from components.heads.kinds import MEASURES, Flag, flags, order, shown, told
from components.register import register
from components.theme import Colour
from components.words import number, percent, t
from models.trace import AllHeads, HeadAt

__all__ = ["heads", "message", "shades", "title"]

_heads = register("heads", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`. The page keeps this one out of every rerun
# that a click could cause.
_serial = count()

SAMPLES = (0.0, 0.01, 0.1, 0.5, 1.0)


def heads(
    look: AllHeads,
    *,
    key: str,
    colour: Colour,
    opened: Sequence[HeadAt],
    link: Mapping[str, str] | None = None,
) -> None:
    """Draw every head; what is clicked is told to the `components.head` of the same key.

    Args:
        look: From `models.all_heads`.
        key: Shared with the component that shows one head.
        colour: The architecture's own.
        opened: Which heads are open at first; then the browser knows.
        link: May name a measure to ``sort`` by and a kind of head, to show ``only`` those.
    """
    data = message(look, key, colour, opened, link or {})
    _heads(key=f"{key}_all", data={"serial": next(_serial), **data})


def message(
    look: AllHeads, key: str, colour: Colour, opened: Sequence[HeadAt], link: Mapping[str, str]
) -> dict[str, object]:
    """What the script gets to draw; see `heads`."""
    found = flags(look)
    return {
        "key": key,
        "colour": shades(colour),
        "title": title(look),
        "layers": look.depth,
        "heads": look.heads,
        "rows": look.levels.shape[2],
        "columns": look.levels.shape[3],
        "levels": look.levels.ravel(),
        "scales": look.scales.ravel(),
        "means": None if look.means is None else look.means.ravel(),
        "meanScales": None if look.mean_scales is None else look.mean_scales.ravel(),
        "open": [list(each) for each in opened],
        "sort": link.get("sort", ""),
        "only": link.get("only", ""),
        "measures": [
            {
                "name": measure.name,
                "title": t(measure.title),
                "order": order(look, measure),
                "shown": shown(look, measure),
            }
            for measure in MEASURES
            if np.isfinite(look.statistics[measure.name]).any()
        ],
        "flags": [_flag(flag) for flag in found],
        "told": told(look, found),
        "words": _words(look),
    }


def shades(colour: Colour) -> dict[str, str]:
    """The strongest colour of a map: on paper the mark, in the dark the shade that shines."""
    return {"light": colour.mark, "dark": colour.text_on_dark}


def title(look: AllHeads) -> str:
    """How many there are."""
    return t("{layers} layers × {heads} heads", layers=number(look.depth), heads=number(look.heads))


def _flag(flag: Flag) -> dict[str, object]:
    return {"name": flag.name, "sign": flag.sign, "title": flag.title, "heads": list(flag.heads)}


def _words(look: AllHeads) -> dict[str, object]:
    """The words in view.js, in the visitor's language."""
    return {
        "sort": t("Order"),
        "inOrder": t("By layer"),
        "mix": t("Mix heads"),
        "mixHint": t("While this is on, every head you choose joins the mean of those shown."),
        "flags": t("Show only heads that put more than half of their weight on"),
        "hint": t("Point at a head to see what it does; choose it to open it."),
        "table": t("As a table"),
        "layer": t("Layer"),
        "head": t("Head"),
        "scale": t("Weight:"),
        "samples": [percent(each) for each in SAMPLES],
        "sharing": t("Where weights share a dot:"),
        "largest": t("the largest"),
        "mean": t("their mean"),
        "blocks": t("A cell stands for {side} × {side} weights.", side=look.block)
        if look.block > 1
        else "",
    }
