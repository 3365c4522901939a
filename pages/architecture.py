"""Architecture: the Transformer, BERT, GPT and ELMo as blocks, and what runs through them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import models
from components.answers.notices import too_busy
from components.offers import offers
from components.present import carried, station
from components.routes import first_route
from components.tokens import sentence_strip
from components.tokens.marks import from_marks
from components.words import t
from models.settings import settings
from models.trace import Sentence
from pages.building import blocks, features, path, recurrence
from pages.building.asking import missing
from pages.choosing.reading import prompt
from pages.seeing.asking import Seeing, beginning

ENGLISH = (
    from_marks("The cat sat on the [[mat]] in the sun."),
    from_marks("She would like a cup of [[tea]] with milk."),
    from_marks("The [[king]] of France wrote a letter to the queen."),
)


def about() -> str:
    """The page's question, and its answer in a sentence."""
    return t(
        "Where did BERT’s decoder go? Take the Transformer apart, block by block, with the numbers "
        "of your sentence running through it."
    )


def say(line: DeltaGenerator) -> Callable[[str], object]:
    """What the line tells: the place in the queue, or else what the page is about."""
    return lambda told: line.markdown(told or about())


def read(sentence: Sentence, line: DeltaGenerator) -> Seeing | None:
    """Who reads the sentence, and as much of it as is looked at; None where nobody does."""
    members = models.companies().get("matched", ())
    if not members:
        st.info(missing(""))
        return None
    text, told = beginning(members, sentence.text)
    if told:
        st.info(told)
    if not text:
        st.info(prompt(verse=False))
        return None
    hidden = tuple(span for span in sentence.hidden if span[1] <= len(text))
    return Seeing("matched", members, Sentence(text, hidden), text, say(line))


def panels(seeing: Seeing) -> None:
    """What the sentence runs through."""
    station("blocks", t(blocks.TITLE))
    blocks.show(seeing)
    station("path", t(path.TITLE))
    path.show(seeing)


def literature() -> None:
    """What papers add to the claims of this page, and the pages that go on; folded away."""
    with st.expander(t("What the literature adds")):
        st.markdown("\n".join(f"- {line}" for line in recurrence.literature()))
    for page, label in (
        ("sees", t("GPT only the left, BERT both sides: measured")),
        ("write", t("How long is the output? Measured")),
    ):
        if first_route([page]):
            st.page_link(
                Path(__file__).with_name(f"{page}.py"), label=label, query_params=carried()
            )


station("sentence", t("The sentence"))
st.title(t("Architecture"))
first = st.markdown(about())
strip = sentence_strip(
    ENGLISH[0],
    key="architecture",
    limit=settings().max_characters,
    link=st.query_params.get("text", ""),
)
offers(ENGLISH, key="architecture_tried", strip="architecture")
try:
    if seeing := read(strip, first):
        panels(seeing)
    station("recurrence", t(recurrence.TITLE))
    recurrence.show()
    station("features", t(features.TITLE))
    features.show()
    literature()
except models.Cancelled:
    st.stop()  # a newer run of this page asks something newer
except models.TooBusy:
    st.info(too_busy())
