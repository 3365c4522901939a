"""The seed of a draw: a visitor types it, takes the next one, or finds one again by its number."""

from __future__ import annotations

import streamlit as st

from components.words import t
from pages.filling.linked import follow

MOST = 9_999


def seed_of_draw(key: str) -> int:
    """The field and the button, in whatever container is open; returns the seed.

    Args:
        key: Of the field. A link sets it by ``seed``.
    """
    set_by_link("seed", key, range(MOST + 1), 0)
    seed = st.number_input(
        t("Seed of the draw"), 0, MOST, key=key, width=160, persist_state="session"
    )
    st.button(t("Draw again"), key=f"{key}_again", on_click=_draw_again, args=(key,))
    return int(seed)


def set_by_link(parameter: str, key: str, possible: range, otherwise: int) -> None:
    """Give a widget the number that a new link asks for; without any number it gets `otherwise`."""
    asked = follow(parameter, key) or ""
    if asked.isascii() and asked.isdecimal() and int(asked) in possible:
        st.session_state[key] = int(asked)
    st.session_state.setdefault(key, otherwise)


def _draw_again(key: str) -> None:
    """The next seed: so that every draw can be found again."""
    st.session_state[key] = (st.session_state.get(key, 0) + 1) % (MOST + 1)
