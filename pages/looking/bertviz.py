"""BertViz, the tool that many know, on the same numbers: its three views."""

from __future__ import annotations

import streamlit as st

import models
from components.bertviz_views import VIEWS, bertviz, most_tokens
from components.head.exports import numbers
from components.takeaway import panel_bar
from components.words import msg, number, t
from models.trace import Vectors
from pages.filling.asking import Check
from pages.looking import one
from pages.looking.asking import Looking
from pages.looking.controls import one_of
from pages.looking.opened import chosen

TITLE = msg("BertViz")
VIEW = "attention_bertviz"


def show(looking: Looking) -> None:
    """Which view, the view, and its bar; or why it is not drawn."""
    view = one_of(t("View"), "bertviz", VIEW, VIEWS)
    found = looking.found
    most = most_tokens(view, found.depth, found.heads)
    longer = max(len(found.queries), len(found.keys))
    if longer > most:
        st.info(
            t(
                "BertViz draws every weight as a line of its own. With {tokens} tokens this view "
                "would bring your browser to a standstill; up to {most} it is drawn. “All heads” "
                "and “One layer” have the same weights at any length.",
                tokens=number(longer),
                most=number(most),
            )
        )
        return
    seen = _ask(looking, view == "neuron")
    picked = chosen(looking).heads
    bertviz(seen, view, key=VIEW + "_view", colour=looking.colour, at=picked[-1])
    panel_bar(
        key="bertviz",
        title=t("BertViz: {view}", view=t(VIEWS[view])),
        numbers=lambda: numbers(one.plain(looking, picked)),
        code=seen.snippet,
        link=looking.link(section="bertviz", bertviz=view),
        about=seen.provenance,
        how=t(
            "Drawn by BertViz’s own scripts (Vig 2019), with the weights, queries and keys of our "
            "trace. The table has the head that is open above."
        ),
    )


def _ask(looking: Looking, with_vectors: bool) -> Vectors:
    found = looking.found

    def question(check: Check) -> Vectors:
        return models.vectors(looking.model, found.reads, found.kind, with_vectors, check)

    return looking.once("bertviz", with_vectors, question, st.empty())
