"""Where else a visitor's model can be looked at, and why not where it cannot."""

from __future__ import annotations

import streamlit as st

from components.routes import first_route
from components.words import msg, t
from models.catalog import ModelFacts, Objective
from pages.inspecting.links import TITLES, pages_for, try_it

NEEDS: dict[str, tuple[tuple[Objective, ...], str]] = {
    "fill": (("masked",), msg("fills hidden words, as BERT does: bert-en, for one")),
    "generate": (("causal",), msg("writes on from the left, as GPT does: gpt-s-en, for one")),
    "write": (
        ("denoising", "translation"),
        msg("reads one text and writes another, as the Transformer does: seq-s-en, for one"),
    ),
}
"""What a model must be able to do for a page, and which one is."""


def show(found: ModelFacts) -> None:
    """Links, and in a fold what the other pages would need."""
    st.markdown(t("Look at it on these pages:"))
    try_it(found)
    others = [page for page in NEEDS if page not in pages_for(found) and first_route([page])]
    if not others:
        return
    with st.expander(t("Why it is not on the other pages")):
        for page in others:
            needed = t(
                "{page} needs a model that {does}.",
                page=t(TITLES[page]),
                does=t(NEEDS[page][1]),
            )
            st.markdown(f"- {needed}")
        st.markdown(
            "- "
            + t(
                "The first page and Who sees what compare models that learned from the same texts, "
                "which no other can join."
            )
        )
