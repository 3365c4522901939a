"""Four architectures as blocks, side by side; a gesture turns the Transformer into BERT or GPT."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path

import streamlit as st

from components.blocks.detail import detail
from components.blocks.layout import (
    FRAME,
    ROWS,
    TURNS,
    Drawn,
    cells,
    gesture,
    key_of,
    lanes,
    once,
    turns,
)
from components.heads import shades
from components.register import register
from components.words import number, t
from models.trace import ModelPart, OpenPart

__all__ = ["Drawn", "Opened", "blocks", "opened_at", "turned_into"]

_blocks = register(
    "blocks", Path(__file__).parent, shared=True, borrowed=["sights/choices", "sights/tables"]
)

# No two messages are equal: see `components.answers`.
_serial = count()
_MEMORY = "blocks/memory"

Opened = tuple[Drawn, ModelPart, int | None]
"""A model, one of its blocks (of the first layer), and the layer asked for."""


def opened_at(key: str, shown: Sequence[Drawn], link: str = "") -> Opened | None:
    """Which block is open: what the visitor opened, else what a link asks for; None if none is.

    Args:
        key: Of the component; a browser may report anything under it.
        shown: The models.
        link: ``seq/decoder/cross/2``: model, tower, block, and layer from 1.
    """
    asked = _asked(key, "open", link)
    match = re.fullmatch(r"(.+?)(?:/(\d{1,3}))?", asked)
    if match is None:
        return None
    for drawn in shown:
        for part in once(drawn.blueprint) if drawn.blueprint else ():
            if key_of(drawn, part) == match[1] and drawn.blueprint:
                most = drawn.blueprint.layers(part.side)
                layer = min(max(int(match[2] or 1), 1), most) - 1 if most else 0
                return drawn, part, None if part.layer is None else layer
    return None


def turned_into(key: str, link: str = "") -> str:
    """What the Transformer was turned into; "" if it is whole."""
    asked = _asked(key, "turn", link)
    return asked if asked in TURNS else ""


def _asked(key: str, name: str, link: str) -> str:
    """What the browser reports, also before the picture was last put away; else the link."""
    memory: dict[str, object] = st.session_state.setdefault(_MEMORY, {})
    state = st.session_state.get(key)
    if isinstance(state, Mapping) and state.get(name) is not None:
        memory[f"{key}/{name}"] = state[name]
    asked = memory.get(f"{key}/{name}", link)
    return asked if isinstance(asked, str) else ""


def blocks(
    shown: Sequence[Drawn],
    *,
    key: str,
    turn: str = "",
    at: Opened | None = None,
    opened: OpenPart | None = None,
) -> None:
    """Draw the diagram, and the open block below it.

    Args:
        shown: The models; the Transformer first.
        key: A name of its own in the session.
        turn: `turned_into`.
        at: `opened_at`.
        opened: That block with what runs through it.
    """
    turned = turns(shown)
    data: dict[str, object] = {
        "serial": next(_serial),
        "rows": len(ROWS),
        "frame": FRAME,
        "turn": turn if turn in turned else "",
        "open": "" if at is None else key_of(at[0], at[1]),
        "models": [
            {
                "name": each.name,
                "model": each.model,
                "family": each.family,
                "note": each.note,
                "mark": each.colour.mark,
                "ink": each.colour.text,
                "told": about(each),
                "lanes": lanes(each),
                "cells": cells(each, turned),
                "gives": gives(each),
            }
            for each in shown
        ],
        "gestures": [gesture(name, one, shown) for name, one in turned.items()],
        "words": _words(),
        "detail": None,
    }
    if at is not None and opened is not None and at[0].blueprint is not None:
        found = detail(opened, at[0].blueprint, at[0].name, at[2] or 0)
        data["values"] = found.pop("values")
        data["detail"] = found | {"colour": shades(at[0].colour)}
    _blocks(key=key, data=data, on_open_change=lambda: None, on_turn_change=lambda: None)


def about(drawn: Drawn) -> str:
    """A model's size and cost."""
    found = drawn.blueprint
    if found is None:
        return ""
    return t(
        "{parameters} M parameters · {flops} M FLOPs",
        parameters=number(found.parameters / 1e6, 2, exactly=True),
        flops=number(found.flops / 1e6),
    )


def gives(drawn: Drawn) -> str:
    """How many tokens go in and how many answers come out (C1)."""
    found = drawn.blueprint
    if found is None:
        return ""
    read = number(len(found.source))
    if found.family == "seq":
        return t("{read} tokens read; as many written as the decoder likes", read=read)
    if found.family == "elmo":
        return t("{read} tokens read, {read} answers from either side", read=read)
    return t("{read} tokens read, {read} answers", read=read)


def _words() -> dict[str, str]:
    """The words in the scripts, in the visitor's language; they fill in what stands in braces."""
    return {
        "diagram": t("Blocks of {name}; arrow keys lead from block to block, Enter opens one"),
        "whole": t("Put all back"),
        "whole_title": t("The Transformer, whole"),
        "gestures": t("Turn the Transformer into another architecture"),
        "memory": t("The encoder’s last states go to every cross-attention of the decoder."),
        "wait": t("One moment …"),
        "close": t("Close"),
        "layers": t("Layer"),
        "tensors": t("Tensor"),
        "weights": t("Learned weights"),
        "weight": t("Name"),
        "shape": t("Shape"),
        "count": t("Parameters"),
        "none": t("It has learned nothing."),
        "code": t("The lines that compute it"),
        "hint": t("Choose a block to open it: formula, numbers, picture, code."),
        "legend": t("Number below a name: its parameters, of one layer."),
    }
