"""Beam search from the prompt: several texts side by side, with their scores."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import models
from components.beams import beams as draw
from components.beams.exports import numbers, picture
from components.takeaway import panel_bar
from components.words import msg, number, t
from models.trace import BeamSearch, Drawing
from pages.filling.asking import remembered, saying
from pages.filling.seed import set_by_link
from pages.generating.text import Text

TITLE = msg("Beam search")
KEY, WIDTH, MOST = "generate_beams", "generate_width", "generate_most"
WIDTHS, LENGTHS = (2, 3, 4, 6, 8), (5, 10, 20, 40)


def show(text: Text) -> None:
    """The controls, the tables and their bar."""
    st.subheader(t(TITLE), anchor=False)
    st.markdown(
        t(
            "The most probable next token need not lead to the most probable text. A beam search "
            "keeps several beginnings and goes on with those that are best as a whole."
        )
    )
    width, most = _controls()
    found = _found(text, width, most, st.empty())
    if not found.beams:
        return
    draw(found, key=KEY, colour=text.colour, on_take=lambda i: _take(text, found, i))
    panel_bar(
        key="beams",
        title=t(TITLE),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(found, t(TITLE)),
        link={**text.link, "beams": str(width), "most": str(most)},
        about=found.provenance,
        how=t(
            "At every step each text that goes on is made longer by every token of the vocabulary; "
            "the best of all these are looked at, twice as many as there are beams. The score of "
            "a finished text is its sum of ln p divided by its number of tokens: without that, "
            "short texts would win. As `generate` of transformers does it (num_beams)."
        ),
    )


def _controls() -> tuple[int, int]:
    """How many beams, and how long."""
    set_by_link("beams", WIDTH, range(WIDTHS[0], WIDTHS[-1] + 1), 4)
    set_by_link("most", MOST, range(LENGTHS[0], LENGTHS[-1] + 1), 10)
    with st.container(horizontal=True, gap="large"):
        width = st.select_slider(
            t("Beams"),
            sorted({*WIDTHS, st.session_state[WIDTH]}),
            key=WIDTH,
            format_func=number,
            width=220,
            persist_state="session",
        )
        most = st.select_slider(
            t("Tokens at most"),
            sorted({*LENGTHS, st.session_state[MOST]}),
            key=MOST,
            format_func=number,
            width=220,
            persist_state="session",
        )
    return int(width), int(most)


def _found(text: Text, width: int, most: int, line: DeltaGenerator) -> BeamSearch:
    ids = text.prompt.ids
    return remembered(
        "generate/answers",
        "beams",
        (text.model, ids, width, most),
        lambda check: models.beam_search(text.model, ids, width, most, check),
        saying(line, t("Searching …")),
    )


def _take(text: Text, found: BeamSearch, number_: int) -> None:
    """A text of the search becomes a branch; the greedy one was chosen greedily, others by hand."""
    tree, tokens = text.tree, found.beams[number_].tokens
    greedy = [token.id for token in tokens] == [token.id for token in found.greedy.tokens]
    tree.place = 0
    for token in tokens:
        tree.grow(token, Drawing() if greedy else None)
