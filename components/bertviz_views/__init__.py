"""BertViz's head, model and neuron view (Vig 2019), by its own scripts, fed by our traces.

Without a network, in the app's theme, on tokens a reader can read. It draws a line for each weight:
so each view has a length beyond which it would bring a browser to a standstill.
"""

from __future__ import annotations

from itertools import count
from math import isqrt
from pathlib import Path
from typing import Literal

from components.bertviz_views.scripts import scripts
from components.head import label
from components.heads import shades
from components.register import register
from components.theme import Colour
from components.words import msg, t
from models.trace import HeadAt, Unit, Vectors

__all__ = ["VIEWS", "View", "bertviz", "message", "most_tokens"]

View = Literal["head", "model", "neuron"]
VIEWS: dict[View, str] = {
    "head": msg("Head view"),
    "model": msg("Model view"),
    "neuron": msg("Neuron view"),
}
LINES: dict[View, int] = {"head": 60_000, "model": 75_000, "neuron": 2_304}
"""Lines that are drawn at once: of one layer's heads, of all heads, of one head in detail."""

_bertviz = register("bertviz_views", Path(__file__).parent, shared=True, before=scripts())

# No two messages are equal: see `components.answers`.
_serial = count()


def most_tokens(view: View, layers: int, heads: int) -> int:
    """The longest text that a view draws without bringing the browser to a standstill."""
    drawn = {"head": heads, "model": layers * heads, "neuron": 1}[view]
    return isqrt(LINES[view] // max(1, drawn))


def bertviz(found: Vectors, view: View, *, key: str, colour: Colour, at: HeadAt) -> None:
    """Draw one of the views.

    Args:
        found: From `models.vectors`; for the neuron view with queries and keys.
        view: Which of the three.
        key: Of the component.
        colour: The architecture's own.
        at: The layer and head to begin with.
    """
    _bertviz(key=key, data={"serial": next(_serial), **message(found, view, colour, at)})


def message(found: Vectors, view: View, colour: Colour, at: HeadAt) -> dict[str, object]:
    """What the script gets to draw; see `bertviz`."""
    layers, heads, *_ = found.weights.shape
    return {
        "view": view,
        "colour": shades(colour),
        "layers": layers,
        "heads": heads,
        "layer": at[0],
        "head": at[1],
        "second": _second(found),
        "queries": [label(unit) for unit in found.queries],
        "keys": [label(unit) for unit in found.keys],
        "causal": found.kind == "decoder",
        "weights": found.weights.ravel(),
        "queryVectors": None if found.query_vectors is None else found.query_vectors.ravel(),
        "keyVectors": None if found.key_vectors is None else found.key_vectors.ravel(),
        "words": _words(view),
    }


def _second(found: Vectors) -> int | None:
    """Where the second text of a pair begins; None if there is only one."""

    def begins(units: tuple[Unit, ...]) -> int | None:
        return next((i for i, unit in enumerate(units) if unit.sequence == 1), None)

    return None if found.kind == "cross" else begins(found.queries)


def _words(view: View) -> dict[str, object]:
    """The words in view.js and in bertviz's scripts, in the visitor's language."""
    hints: dict[View, str] = {
        "head": t(
            "Each colour is a head; choose the squares above to show and hide heads, a double "
            "click shows one alone. Point at a token for its lines. The tokens on the left can be "
            "reached with Tab."
        ),
        "model": t(
            "Each cell is a head, each line a weight. Choose a cell to see its tokens. "
            "“All heads” above has the same for keyboard and screen reader."
        ),
        "neuron": t(
            "Point at a token on the left, and choose the plus beside it: then its query is "
            "multiplied with every key, number by number. Blue and orange are the two signs."
        ),
    }
    return {
        "layer": t("Layer"),
        "head": t("Head"),
        "heads": t("Heads"),
        "layers": t("Layers"),
        "detail": t("Layer {layer}, head {head}"),
        "query": t("Query"),
        "key": t("Key"),
        "product": t("q × k, number by number"),
        "none": t("No token is chosen"),
        "token": t("{place}. {word}, as query"),
        "part": t("From which sentence to which"),
        "parts": {
            "all": t("All"),
            "aa": t("first → first"),
            "ab": t("first → second"),
            "ba": t("second → first"),
            "bb": t("second → second"),
        },
        "label": t("BertViz: {view}", view=t(VIEWS[view])),
        "hint": hints[view],
    }
