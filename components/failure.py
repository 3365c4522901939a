"""What a visitor sees when a page breaks: a plain sentence, never a stack trace."""

from __future__ import annotations

import streamlit as st

from components.words import t


def show_failure(error: Exception) -> bool:
    """Say in the visitor's language that the page broke; Streamlit has logged the rest.

    Returns:
        True: Streamlit need not show anything itself.
    """
    del error  # its text may hold what a visitor typed, and means nothing to them
    st.error(
        t(
            "This page stopped because of a fault in the app, not because of what you typed. "
            "Reload the page to go on."
        )
    )
    return True
