"""A row of sections, of which only the open one computes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from components.words import language
from pages.filling.linked import follow

if TYPE_CHECKING:
    from streamlit.elements.lib.mutable_tab_container import TabContainer


def open_section(titles: Mapping[str, str], key: str) -> Iterator[tuple[str, TabContainer]]:
    """Draw the row; yields the section that is open, at most one.

    A link's `section` opens one, else it is where the visitor left it. Streamlit knows tabs by
    their labels, and only while they are shown: so each language has a row of its own, and which
    section is open is kept beside it.

    Args:
        titles: In the visitor's language, by the name that a link has for the section.
        key: Of the row.
    """
    kept = f"{key}/open"
    linked = follow("section")
    row = f"{key}_{language()}"
    if linked in titles or row not in st.session_state:
        name = linked if linked in titles else st.session_state.get(kept)
        st.session_state[row] = titles.get(str(name), next(iter(titles.values())))
    tabs = st.tabs(list(titles.values()), key=row, on_change="rerun")
    for tab, name in zip(tabs, titles, strict=True):
        if tab.open:
            st.session_state[kept] = name
            yield name, tab
