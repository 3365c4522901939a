"""What changes without a head, and without an edge: measured, beside where attention looks."""

from __future__ import annotations

import streamlit as st

import models
from components.edges import edges, numbers, picture
from components.effects import effects
from components.effects import exports as files
from components.takeaway import panel_bar
from components.words import t
from models.trace import Blank, HeadAt
from pages.filling.blanks import KEY as BLANK
from pages.filling.blanks import of_several
from pages.looking.asking import KEY, Looking
from pages.looking.opened import chosen

MOST_TOKENS, MOST_EDGES = 64, 32
"""Tokens of a text. Every head is one run more, and for edges every key of every head."""


def show(looking: Looking) -> None:
    """The map of all heads, below the thumbnails."""
    blanks = _blanks(looking)
    if not blanks:
        return
    blank = of_several(len(blanks))
    found = looking.once(
        "effects",
        (looking.sentence, blank),
        lambda check: models.head_effects(
            looking.model, looking.sentence, blank, looking.found.kind, check
        ),
        st.empty(),
    )
    word = _word(blanks[blank], found.answer)
    effects(found, word, key=KEY, colour=looking.colour, opened=chosen(looking).heads)
    panel_bar(
        key="effects",
        title=t("Effect of silencing each head"),
        numbers=lambda: files.numbers(found, word),
        code=found.snippet,
        picture=lambda: files.picture(found, word),
        link=looking.link(blank=str(blank + 1)),
        about=found.provenance,
        how=t(
            "The model answers once more for every head, each time with that head’s output set to "
            "0. Shown is the change of the natural logarithm of the probability of one word: your "
            "hidden word, or the model’s best answer where there is none."
        ),
    )


def show_edges(looking: Looking, at: HeadAt) -> None:
    """The edges of the open head at the blank; inside the fragment of that head."""
    if looking.pair is not None or looking.found.kind == "cross":
        return
    if len(looking.found.kinds) > 1 and looking.found.kind != "decoder":
        return
    if len(looking.found.queries) > MOST_EDGES:
        st.caption(
            t(
                "Cutting every edge takes too long for so many tokens; up to {count} it is "
                "measured.",
                count=MOST_EDGES,
            )
        )
        return
    blanks = _answered(looking)
    if not blanks:
        return
    blank = min(int(st.session_state.get(BLANK) or 0), len(blanks) - 1)
    layer, head = at
    found = looking.once(
        "edges",
        (looking.sentence, blank, layer),
        lambda check: models.at_blank(looking.model, looking.sentence, layer, blank, check),
        st.empty(),
    )
    edges(found, head, key="attention_edges", colour=looking.colour)
    panel_bar(
        key="edges",
        title=t("Attention and effect at the blank"),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(found, head, looking.colour),
        link=looking.link(head=f"{layer + 1}.{head + 1}", blank=str(blank + 1)),
        about=found.provenance,
        how=t(
            "For the row that answers the blank, each edge is cut by itself: its weight becomes 0 "
            "and the rest of the row is scaled to sum to 1. Spearman’s ρ compares the ranks of "
            "weights and of sizes of effects over all heads and keys of the layer."
        ),
    )


def _blanks(looking: Looking) -> tuple[Blank, ...]:
    """The blanks whose answer can be measured; () with a sentence that says why there are none."""
    if looking.pair is not None:
        st.info(t("Effects are measured on one sentence. Clear the second one to see them beside."))
        return ()
    if len(looking.found.queries) > MOST_TOKENS:
        st.info(
            t(
                "Silencing every head takes too long for so many tokens; up to {count} it is "
                "measured.",
                count=MOST_TOKENS,
            )
        )
        return ()
    blanks = _answered(looking)
    if not blanks:
        st.info(
            t(
                "Hide a word in the sentence: then you see here what its answer loses without "
                "each head."
            )
        )
    return blanks


def _answered(looking: Looking) -> tuple[Blank, ...]:
    found = looking.once(
        "answer",
        looking.sentence,
        lambda check: models.predict(looking.model, looking.sentence, 1, check),
        st.empty(),
    )
    return found.blanks


def _word(blank: Blank, answer: int | None) -> str:
    """The word that was followed: the best answer, or else the hidden word."""
    best = blank.candidates[0]
    return best.text if best.token_id == answer or blank.original is None else blank.original
