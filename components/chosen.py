"""Which one of several things is chosen in a picture: a layer, a step, a blank."""

from __future__ import annotations

import re
from collections.abc import Mapping

import streamlit as st

_MEMORY = "chosen/memory"


def chosen(
    key: str, name: str, count: int, *, link: str = "", base: int = 1, otherwise: int = 0
) -> int:
    """What the visitor chose, also before the picture was last put away; else what a link asks for.

    Args:
        key: Of the component.
        name: Of its state; a browser may report anything under it.
        count: How many there are; the choice counts from 0.
        link: What the address asks for, counted from `base`.
        base: See `link`.
        otherwise: Where neither says anything that exists.
    """
    memory: dict[str, object] = st.session_state.setdefault(_MEMORY, {})
    state = st.session_state.get(key)
    if isinstance(state, Mapping) and state.get(name) is not None:
        memory[f"{key}/{name}"] = state[name]
    asked = memory.get(f"{key}/{name}")
    if asked is None and re.fullmatch(r"\d{1,4}", link, re.ASCII):
        asked = int(link) - base
    return asked if type(asked) is int and 0 <= asked < count else otherwise


def place(link: str, count: int, otherwise: int) -> int:
    """One of so many things, which a link names by its number, counted from 1; as an index."""
    number = int(link) if re.fullmatch(r"\d{1,4}", link, re.ASCII) else 0
    return number - 1 if 1 <= number <= count else otherwise
