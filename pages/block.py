"""Inside a block: what is there beside attention, and what each part is worth."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

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
from pages.opening import alike, dropout, ffn, heads, pairs, stream
from pages.opening.asking import Opening, choose_model, opening

EXAMPLES = (
    from_marks("She poured some hot [[water]] into the cup."),
    from_marks("The children were playing in the [[garden]]."),
    from_marks("He opened the door and went into the [[house]]."),
)
# By the name that a link has for them, as it stands in every language.
SECTIONS: Mapping[str, ModuleType] = {
    "ffn": ffn,
    "alike": alike,
    "heads": heads,
    "dropout": dropout,
    "stream": stream,
    "pairs": pairs,
}


def sections(looked: Opening) -> None:
    """The row of sections; only the open one computes."""
    titles = {name: t(section.TITLE) for name, section in SECTIONS.items()}
    for name, tab in open_section(titles, "block_sections"):
        with tab:
            SECTIONS[name].show(looked)


def block(sentence: Sentence) -> None:
    """The model, then the sections."""
    facts = choose_model()
    station("parts", t("Inside a block"))
    if (looked := opening(facts, sentence)) is not None:
        sections(looked)


station("sentence", t("The sentence"))
st.title(t("Inside a block"))
st.markdown(
    t(
        "Is a block only attention and one linear layer? What does the feed-forward network do, "
        "why are there many heads, and what does dropout do?"
    )
)
strip = sentence_strip(
    EXAMPLES[0],
    key="block",
    limit=settings().max_characters,
    examples=EXAMPLES,
    link=st.query_params.get("text", ""),
)
try:
    block(strip)
except models.Cancelled:
    st.stop()  # a newer run of this page asks something newer
except models.TooBusy:
    st.info(too_busy())
except models.CannotTrace:
    st.info(t("The blocks of this model are built otherwise than BERT’s. Choose another model."))
except models.Refusal as error:
    st.info(verbatim(not_ready(error.name)))
