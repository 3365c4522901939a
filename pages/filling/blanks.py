"""Which hidden word a section is about: one for all sections."""

from __future__ import annotations

import streamlit as st

from components.words import msg, t
from pages.filling.asking import Asking
from pages.filling.linked import follow

KEY = "fill_blank"
NO_BLANK = msg("Hide a word in the sentence above, and this section looks at it.")


def chosen_blank(asking: Asking) -> int | None:
    """The blank to look at, counted from 0; None, and a sentence that helps, if there is none.

    With several of them the visitor chooses; a link says `blank`, counted from 1.
    """
    blanks = asking.prediction.blanks
    if not blanks:
        st.info(t(NO_BLANK))
        return None
    return of_several(len(blanks))


def of_several(count: int) -> int:
    """Which one of so many blanks, at least one; of several the visitor chooses, or a link."""
    linked = follow("blank") or ""
    if linked.isascii() and linked.isdecimal():
        st.session_state[KEY] = int(linked) - 1
    if st.session_state.get(KEY) not in range(count):
        st.session_state[KEY] = 0
    if count == 1:
        return 0
    chosen = st.radio(
        t("Which blank?"),
        range(count),
        # The number alone: labels are Markdown, and a visitor's word could hold some.
        format_func=lambda i: t("Blank {number}", number=i + 1),
        key=KEY,
        horizontal=True,
        persist_state="session",
    )
    return chosen or 0
