"""Who sees what: which positions notice a word, measured, in all architectures side by side."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import models
from components.answers.notices import too_busy
from components.offers import offers
from components.present import station
from components.tokens import sentence_strip
from components.tokens.marks import from_marks
from components.words import t
from models.settings import settings
from models.trace import Sentence
from pages.choosing.examples import VERSE
from pages.choosing.reading import prompt
from pages.comparing.choice import chosen_company
from pages.seeing import contexts, matrix, opened, sides, targets
from pages.seeing.asking import Seeing, beginning

# A word with two senses, and once twice in one sentence.
ENGLISH = (
    from_marks("The keeper walked along the [[bank]] of the river."),
    from_marks("The [[bank]] lends money to people who buy a house."),
    from_marks("He sat on the bank of the river and counted the money from the [[bank]]."),
)


def about() -> str:
    """The page in one sentence."""
    return t("Change one word, and see which positions notice: what each model can look at.")


def say(line: DeltaGenerator) -> Callable[[str], object]:
    """What the line tells: the place in the queue, or else what the page is about."""
    return lambda told: line.markdown(told or about())


def choose(sentence: Sentence, line: DeltaGenerator) -> tuple[Seeing, bool]:
    """Who reads the sentence, what else could be read, and whether padding is appended."""
    companies = models.companies()
    with st.container(gap="xsmall"):
        tried = st.container()  # what can be tried depends on the models, but stands before them
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            company = chosen_company(sentence.text, tuple(companies))
            padding = matrix.with_padding()
    with tried:
        offers(VERSE if company == "verse" else ENGLISH, key="sees_tried", strip="sees")
    members = companies[company]
    text, told = beginning(members, sentence.text)
    if told:
        st.info(told)
    return Seeing(company, members, sentence, text, say(line)), padding


def panels(seeing: Seeing, padding: bool) -> None:
    """All panels, from top to bottom; the last two need no sentence."""
    station("matrix", t("Who sees what"))
    if seeing.text:
        matrix.show(seeing, padding)
        station("targets", t(targets.TITLE))
        targets.show(seeing)
        station("elmo", t(opened.TITLE))
        opened.show(seeing)
    else:
        st.info(prompt(seeing.company == "verse"))
    station("contexts", t(contexts.TITLE))
    contexts.show(seeing)
    station("sides", t(sides.TITLE))
    sides.show(seeing)
    sides.literature()


station("sentence", t("The sentence"))
st.title(t("Who sees what"))
first = st.markdown(about())
strip = sentence_strip(
    ENGLISH[0], key="sees", limit=settings().max_characters, link=st.query_params.get("text", "")
)
try:
    panels(*choose(strip, first))
except models.Cancelled:
    st.stop()  # a newer run of this page asks something newer
except models.TooBusy:
    st.info(too_busy())
