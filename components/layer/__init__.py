"""One layer: all of its heads with every weight, in one window that all of them share.

The bytes of one layer go to the browser at a time: of 512 tokens and 12 heads 3.2 MB.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

from components.head import label, zoom_words
from components.heads import shades
from components.heads.kinds import head_name
from components.register import register
from components.theme import Colour
from components.words import number, t
from models.trace import OneLayer, Unit

__all__ = ["layer", "message"]

_layer = register(
    "layer", Path(__file__).parent, shared=True, borrowed=("head/matrix", "head/zoom")
)

# No two messages are equal: see `components.answers`.
_serial = count()


def layer(
    found: OneLayer, *, key: str, follows: str, colour: Colour, depth: int, head: int
) -> None:
    """Draw the heads of a layer.

    Args:
        found: From `models.one_layer`.
        key: Of the component; its state ``layer`` says which one is asked for.
        follows: The key of `components.head`: there a head is opened exactly.
        colour: The architecture's own.
        depth: How many layers there are.
        head: The one that is drawn large at first.
    """
    data = message(found, follows, colour, depth, head)
    _layer(key=key, data={"serial": next(_serial), **data}, on_layer_change=lambda: None)


def message(
    found: OneLayer, follows: str, colour: Colour, depth: int, head: int
) -> dict[str, object]:
    """What the script gets to draw; see `layer`."""
    return {
        "follows": follows,
        "colour": shades(colour),
        "layer": found.layer,
        "layers": depth,
        "head": head,
        "heads": len(found.levels),
        "title": t("Layer {layer}, every weight", layer=number(found.layer + 1)),
        "names": [head_name(found.layer, i) for i in range(len(found.levels))],
        "queries": [_unit(unit) for unit in found.queries],
        "keys": [_unit(unit) for unit in found.keys],
        "levels": found.levels.ravel(),
        "scales": found.scales.ravel(),
        "words": _words(),
    }


def _unit(unit: Unit) -> dict[str, object]:
    """Most tokens are not special: of a long text, saying so of each would send much."""
    return {"text": label(unit), "special": True} if unit.special else {"text": label(unit)}


def _words() -> dict[str, str]:
    """The words in view.js and zoom.js, in the visitor's language."""
    return {
        **zoom_words(),
        "layer": t("Layer"),
        "head": t("Head {head}"),
        "heads": t("The heads of this layer, in the same window"),
        "title": t("Head"),
        "open": t("Open this head exactly"),
        "cell": t("“{query}” gives “{key}”: {weights}"),
        "one": t("head {head} {weight}"),
        "comma": t(", "),
        "coming": t("The layer is coming …"),
        "hint": t(
            "All heads show the same window. Choose one to see it large. Weights come as bytes: "
            "they are off by at most 1/510 of their row’s largest; opened exactly, a head has "
            "every digit."
        ),
        "table": t("As a table"),
        "caption": t("“{query}” and “{key}”, in every head"),
        "weight": t("Weight"),
    }
