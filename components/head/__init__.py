"""One head, exactly: a line for each edge, and the same weights as a map, linked.

It stands in a fragment of its own: what `components.heads` is told of a click arrives here and
reruns this part alone, so that the bytes of all heads stay where they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
import streamlit as st

from components.heads import shades
from components.heads.kinds import head_name
from components.register import register
from components.theme import Colour
from components.words import t
from models.trace import HeadAt, OneHead, Unit

__all__ = ["Choice", "choice", "head", "head_title", "label", "message", "zoom_words"]

_head = register("head", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()

_MEMORY = "head/memory"
MOST_MIXED = 32
TOP = 25
"""Per cent of the edges drawn at first."""


@dataclass(frozen=True)
class Choice:
    """What the visitor chose: heads, locked tokens, how many edges."""

    heads: tuple[HeadAt, ...]
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    top: int = TOP


def choice(key: str, depth: int, heads: int, link: Mapping[str, str], otherwise: HeadAt) -> Choice:
    """What is chosen now; a browser and a link may say anything.

    Args:
        key: Of the component.
        depth: How many layers there are.
        heads: How many heads each has.
        link: May have ``head`` ("3.7", counted from 1; several with commas), ``rows``, ``columns``
            (places from 1) and ``top``.
        otherwise: The head that is open where nobody says anything that exists.
    """
    memory = st.session_state.setdefault(_MEMORY, {}).setdefault(key, {})
    state = st.session_state.get(key)
    if isinstance(state, Mapping):
        memory |= {name: value for name, value in state.items() if value is not None}
    asked: dict[str, object] = {
        "heads": _heads_of(link.get("head", "")),
        "rows": _places(link.get("rows", "")),
        "columns": _places(link.get("columns", "")),
        "top": _number(link.get("top", "")),
    }
    found = asked | {name: memory[name] for name in asked if name in memory}
    chosen = [each for each in map(_pair, _listed(found["heads"])) if each is not None]
    chosen = [(la, he) for la, he in chosen if 0 <= la < depth and 0 <= he < heads][:MOST_MIXED]
    top = found["top"]
    return Choice(
        tuple(dict.fromkeys(chosen)) or (otherwise,),
        _indices(found["rows"]),
        _indices(found["columns"]),
        top if type(top) is int and 1 <= top <= 100 else TOP,
    )


def _indices(value: object) -> tuple[int, ...]:
    return tuple(i for i in _listed(value) if type(i) is int and i >= 0)


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def _pair(value: object) -> HeadAt | None:
    match _listed(value):
        case [int(layer), int(head)]:
            return (layer, head)
    return None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else None


def _heads_of(text: str) -> list[list[int]]:
    pairs = [[_number(part) for part in one.split(".")] for one in text.split(",")]
    return [[la - 1, he - 1] for la, he in (p for p in pairs if len(p) == 2) if la and he]


def _places(text: str) -> list[int]:
    return [place - 1 for place in map(_number, text.split(",")) if place]


def head_title(heads: Sequence[HeadAt]) -> str:
    """Which head is shown, or which several are mixed."""
    if len(heads) == 1:
        return head_name(*heads[0])
    names = t(", ").join(f"{layer + 1}·{head + 1}" for layer, head in heads)
    return t("Mean of the heads {names}", names=names)


def label(unit: Unit) -> str:
    """A token as a reader sees it: white space is made visible."""
    return unit.text if unit.text.strip() else "␣"


def head(shown: OneHead, *, key: str, colour: Colour, chosen: Choice, plain: bool) -> None:
    """Draw one head.

    Args:
        shown: From `models.one_head`.
        key: Shared with `components.heads`; its states are read by `choice`.
        colour: The architecture's own.
        chosen: From `choice`.
        plain: Rows and columns are the tokens as they are: so the bytes of another head fit.
    """
    _head(
        key=key,
        data={"serial": next(_serial), **message(shown, key, colour, chosen, plain)},
        on_heads_change=lambda: None,
        on_rows_change=lambda: None,
        on_columns_change=lambda: None,
        on_top_change=lambda: None,
    )


def message(
    shown: OneHead, key: str, colour: Colour, chosen: Choice, plain: bool
) -> dict[str, object]:
    """What the script gets to draw; see `head`."""
    return {
        "key": key,
        "colour": shades(colour),
        "heads": [list(each) for each in shown.heads],
        "title": head_title(shown.heads),
        "note": "",
        "plain": plain,
        "queries": [_unit(unit, place) for place, unit in enumerate(shown.queries)],
        "keys": None
        if shown.keys == shown.queries
        else [_unit(unit, place) for place, unit in enumerate(shown.keys)],
        "weights": shown.weights.ravel(),
        "mask": None if shown.mask.all() else shown.mask.ravel().astype(np.uint8),
        "top": chosen.top,
        "locked": {
            "rows": [i for i in chosen.rows if i < len(shown.queries)],
            "columns": [i for i in chosen.columns if i < len(shown.keys)],
        },
        "words": _words(),
    }


def _unit(unit: Unit, place: int) -> dict[str, object]:
    """What is so is said; of what is not so, long texts would send much."""
    first = {} if unit.tokens[0] == place else {"token": unit.tokens[0]}
    said = {"special": unit.special, "continues": unit.continues}
    flags = {name: True for name, so in said.items() if so}
    return {"text": label(unit), **first, **flags}


def zoom_words() -> dict[str, str]:
    """The words in zoom.js, in the visitor's language."""
    return {
        "closer": t("Closer"),
        "farther": t("Farther away"),
        "whole": t("Whole map"),
        "sharing": t("Where weights share a dot:"),
        "largest": t("the largest"),
        "mean": t("their mean"),
        "window": t("Rows {a}–{b} of {rows}, columns {c}–{d} of {columns}."),
        "dotLargest": t("A dot stands for up to {side} × {side} weights, as the largest of them."),
        "dotMean": t("A dot stands for up to {side} × {side} weights, as their mean."),
        "map": t(
            "The weights as a map. Arrow keys go from cell to cell, plus and minus come closer "
            "and go away, 0 shows all, Enter locks."
        ),
        "moving": t(
            "Drag the map or its small copy to move the window; a double click, two fingers or "
            "Ctrl with the wheel come closer."
        ),
    }


def _words() -> dict[str, object]:
    """The words in the scripts, in the visitor's language; they fill in what stands in braces."""
    return {
        **zoom_words(),
        "part": t(
            "Lines lead from tokens {a}–{b} to tokens {c}–{d}. Move the map’s window for others."
        ),
        "top": t("Lines: strongest {share}%"),
        "free": t("Unlock all"),
        "coming": t("exact numbers are coming …"),
        "hint": t(
            "Point at a token or a cell for its exact weights; choose it to lock it. Lines become "
            "thicker and darker with the weight; the colours of the map are those of all heads."
        ),
        "idle": t("Each line leads from a token that asks (left) to one it looks at (right)."),
        "table": t("As a table"),
        "matrix": t("The weights as a map: rows ask, columns are looked at"),
        "query": t("Query: who asks"),
        "key": t("Key: looked at"),
        "queries": t("Tokens that ask"),
        "keys": t("Tokens that are looked at"),
        "asQuery": t("{place}. {word}, as query"),
        "asKey": t("{place}. {word}, as key"),
        "cell": t("“{query}” gives “{key}” the weight {weight}."),
        "row": t("“{word}” looks most at {text}."),
        "column": t("“{word}” is looked at most by {text}."),
        "one": t("“{word}” {weight}"),
        "comma": t(", "),
        "masked": t("may not look"),
        "places": [t("1st key"), t("2nd key"), t("3rd key")],
    }
