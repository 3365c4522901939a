"""The language of the page: a switch in its top right corner, and `<html lang>` to match."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from components.register import register
from components.words import LANGUAGES, closest, language, set_language, t
from components.words.current import is_chosen

KEY = "page_language"
_MOUNT = register("page_language", Path(__file__).parent)


def settle_language() -> None:
    """Choose a new visitor's language: what the link says, else what their browser prefers.

    `?lang=` is read once and not bound: bound parameters of the shell break links between pages.
    """
    if not is_chosen():
        wished = closest(st.query_params.get("lang")) or closest(st.context.locale)
        set_language(wished or "en")


def page_language() -> None:
    """Draw the switch; the page is drawn anew in the language that is chosen."""
    _MOUNT(
        key=KEY,
        data={
            "label": t("Language"),
            "spoken": language(),
            "languages": [vars(each) for each in LANGUAGES.values()],
        },
        on_chosen_change=_choose,
    )


def _choose() -> None:
    chosen = st.session_state[KEY].chosen
    if isinstance(chosen, str) and chosen in LANGUAGES:  # a browser may send anything
        set_language(chosen)
