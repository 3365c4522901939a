"""Which models are compared: what the visitor chooses, or what their sentence is written in."""

from __future__ import annotations

from collections.abc import Container, Sequence

import streamlit as st

from components.words import msg, t
from models.company import Company
from pages.choosing.reading import is_chinese
from pages.filling.linked import follow

KEY, SCRIPT, BEFORE = "home_models", "home/chinese", "home/before_verse"

TITLES: dict[Company, str] = {
    "best": msg("The best of each"),
    "matched": msg("A matched family"),
    "verse": msg("Chinese verse"),
}


def chosen_company(text: str, offered: Sequence[Company]) -> Company:
    """The company to show; the visitor chooses where there are several.

    Args:
        text: The sentence. When its writing changes, so does the company: verse models know Chinese
            characters, and English ones know none. After that the visitor's choice counts.
        offered: Those that can be shown, the first by default.
    """
    if (linked := follow("models")) in offered:
        st.session_state[KEY], st.session_state[SCRIPT] = linked, is_chinese(text)
    else:
        _follow_script(text, offered)
    if st.session_state.get(KEY) not in offered:
        st.session_state[KEY] = offered[0]
    if len(offered) == 1:
        return offered[0]
    titles = {name: t(TITLES[name]) for name in offered}
    return st.radio(
        t("Models"),
        offered,
        format_func=titles.__getitem__,
        key=KEY,
        horizontal=True,
        label_visibility="collapsed",
        persist_state="session",
    )


def _follow_script(text: str, offered: Container[Company]) -> None:
    """Chinese goes to the verse models, and other writing back to those that were there before."""
    now, before = is_chinese(text), st.session_state.get(SCRIPT)
    if now is None or now == before or "verse" not in offered:
        return
    st.session_state[SCRIPT] = now
    current = st.session_state.get(KEY)
    if now and current != "verse":
        st.session_state[BEFORE], st.session_state[KEY] = current, "verse"
    elif before and current == "verse":
        st.session_state[KEY] = st.session_state.get(BEFORE)
