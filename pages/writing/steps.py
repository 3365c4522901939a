"""The decoder at work, and BERT beside it."""

from __future__ import annotations

import streamlit as st

from components.takeaway import panel_bar
from components.words import msg, t
from components.writing import writing
from components.writing.exports import numbers, picture
from models.trace import Writing
from pages.writing.asking import Page

TITLE = msg("The decoder writes")


def show(page: Page, found: Writing) -> None:
    """The steps, what BERT makes of the same text, and their bar."""
    beside = page.beside()
    writing(found, beside, key="write_steps", link=st.query_params.to_dict())
    panel_bar(
        key="written",
        title=t(TITLE),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(found),
        link=page.link(),
        about=[found.provenance, *([beside.provenance] if beside else [])],
        how=t(
            "The encoder reads the source once. The decoder starts with a token of its own, writes "
            "the most probable next token (greedily), reads it, and so on to the end of the text. "
            "The maps show its cross-attention while each token is written: recorded in a second "
            "run over the finished text, which is the same, since no place sees what follows it. "
            "Attention says where the decoder looks, not why it writes what it writes."
        ),
    )
