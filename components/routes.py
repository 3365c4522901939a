"""Which pages there are: a link leads only where there is a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import streamlit as st
from streamlit.navigation.page import StreamlitPage

_THERE = "routes/there"


def settle_routes(sections: Mapping[str, Iterable[StreamlitPage]]) -> None:
    """Note the pages of this run, as they are given to `st.navigation`."""
    pages = (page for section in sections.values() for page in section)
    st.session_state[_THERE] = frozenset(page.url_path for page in pages)


def first_route(wanted: Iterable[str]) -> str:
    """The first of some pages that is there, by its path in the address; "" if none is."""
    there: frozenset[str] = st.session_state.get(_THERE, frozenset())
    return next((path for path in wanted if path in there), "")
