"""Widgets that a link can set: each query parameter is followed once, then the visitor decides.

Streamlit's own binding would write translated labels into the address, and is not for links that
lead from one page to another.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st


def follow(parameter: str, key: str, read: Callable[[str], object] = str) -> None:
    """Before the widget `key` is drawn: give it what a new link asks for.

    Args:
        parameter: Of the address.
        key: Of the widget.
        read: Makes the widget's value of the text; None if it cannot be one.
    """
    followed = st.session_state.setdefault("filling/followed", {})
    asked = st.query_params.get(parameter, "")
    if followed.get(parameter) == asked:
        return
    followed[parameter] = asked
    value = read(asked) if asked else None
    if value is not None:
        st.session_state[key] = value
