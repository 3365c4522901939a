"""Positions: learned or computed, added or concatenated, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

import models
from components.answers.notices import not_ready, too_busy
from components.present import station
from components.tokens import sentence_strip
from components.tokens.marks import from_marks
from components.verbatim import verbatim
from components.words import t
from models.settings import settings
from models.trace import Sentence
from pages.filling.tabs import open_section
from pages.positioning import adding, distance, gaze, read_back, relative, shuffle, tables

EXAMPLES = (
    from_marks("The dog chased the [[cat]] up a tree."),
    from_marks("She gave her [[mother]] the book that her sister wrote."),
    from_marks("The old man walked slowly along the [[river]]."),
)


def sentence() -> Sentence:
    """The visitor's sentence; only some parts need one."""
    return sentence_strip(
        EXAMPLES[0],
        key="positions",
        limit=settings().max_characters,
        examples=EXAMPLES,
        link=st.query_params.get("text", ""),
    )


def distances() -> None:
    """Both parts about offsets."""
    distance.show()
    gaze.show()


PARTS: dict[str, tuple[str, Callable[[], None]]] = {
    "tables": (tables.TITLE, tables.show),
    "distance": (distance.TITLE, distances),
    "adding": (adding.TITLE, lambda: adding.show(sentence())),
    "shuffle": (shuffle.TITLE, lambda: shuffle.show(sentence())),
    "probe": (read_back.TITLE, read_back.show),
    "relative": (relative.TITLE, relative.show),
}

station("positions", t("Positions"))
st.title(t("Positions"), anchor=False)
st.markdown(
    t("How do BERT’s positions differ from the Transformer’s, and why are they added to the words?")
)
titles = {name: t(title) for name, (title, _) in PARTS.items()}
for name, tab in open_section(titles, "positions_parts"):
    with tab:
        station("part", titles[name])
        try:
            PARTS[name][1]()
        except models.Cancelled:
            st.stop()  # a newer run of this page asks something newer
        except models.TooBusy:
            st.info(too_busy())
        except models.Refusal as error:
            st.info(verbatim(not_ready(error.name)))
