"""Do they agree? Attention at the blank, the effect of each cut, and integrated gradients."""

from __future__ import annotations

import streamlit as st

import models
from components.edges import edges
from components.edges.exports import numbers, picture
from components.takeaway import panel_bar
from components.words import msg, t
from models.trace import AtBlank, AttentionKind, Attribution
from pages.filling.asking import Check
from pages.filling.blanks import KEY as BLANK
from pages.looking.asking import KEY, Looking
from pages.looking.effect import answered, refused
from pages.looking.opened import chosen

TITLE = msg("Do they agree?")
MOST_TOKENS = 32
"""Of a text: every key of every head of a layer is one run more."""


def show(looking: Looking) -> None:
    """The edges of the open head at the blank, and their bar; or why there are none."""
    if (why_not := _refused(looking)) is not None:
        st.info(why_not)
        return
    blanks = answered(looking)
    if not blanks:
        st.info(
            t("Hide a word in the sentence: these are three opinions on what its answer needs.")
        )
        return
    blank = min(int(st.session_state.get(BLANK) or 0), len(blanks) - 1)
    layer, head = chosen(looking).heads[-1]
    found = _ask(looking, blank, layer)
    edges(found, head, key="attention_edges", follows=KEY, colour=looking.colour)
    panel_bar(
        key="edges",
        title=t("Attention, effect and gradients at the blank"),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(found, head, looking.colour),
        link=looking.link(section="agree", head=f"{layer + 1}.{head + 1}", blank=str(blank + 1)),
        about=found.provenance,
        how=t(
            "For the row that answers the blank, each edge is cut by itself: its weight becomes 0 "
            "and the rest of the row is scaled to sum to 1. Integrated gradients (Sundararajan et "
            "al. 2017) of the same log-probability, summed over each word vector; special tokens "
            "and masks are part of their baseline. Spearman’s ρ compares the ranks of sizes over "
            "all heads and keys of the layer; with gradients, over the keys that are words."
        ),
    )


def _refused(looking: Looking) -> str | None:
    """Why there is nothing to compare here."""
    found = looking.found
    if (why_not := refused(looking)) is not None:
        return why_not
    if _answering(looking) is None:
        return t(
            "The decoder writes the answer: choose its own attention or cross attention to see "
            "what it rests on."
        )
    if max(len(found.queries), len(found.keys)) > MOST_TOKENS:
        return t(
            "Cutting every edge takes too long for so many tokens; up to {count} it is measured.",
            count=MOST_TOKENS,
        )
    return None


def _answering(looking: Looking) -> AttentionKind | None:
    """The kind of attention that is shown, if the answer at the blank comes out of it."""
    found = looking.found
    return None if len(found.kinds) > 1 and found.kind == "encoder" else found.kind


def _ask(looking: Looking, blank: int, layer: int) -> AtBlank:
    """All three; the gradients are of the blank, whatever layer is looked at."""

    def gradients(check: Check) -> Attribution:
        return models.attributions(looking.model, looking.sentence, blank, check)

    third = looking.once("gradients", (looking.sentence, blank), gradients, st.empty())

    def question(check: Check) -> AtBlank:
        kind = _answering(looking)
        return models.at_blank(looking.model, looking.sentence, layer, blank, kind, third, check)

    return looking.once("edges", (looking.sentence, blank, layer), question, st.empty())
