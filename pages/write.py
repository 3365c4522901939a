"""Read, then write: an encoder reads a text, a decoder writes another, and BERT has no decoder."""

from __future__ import annotations

import streamlit as st

import models
from components.answers.notices import not_ready, too_busy
from components.present import station
from components.tokens import sentence_strip
from components.verbatim import verbatim
from components.words import msg, number, t
from models.catalog import ModelFacts
from models.settings import settings
from models.trace import Sentence, Writing
from pages.choosing.model import Chosen, choose_model
from pages.choosing.reading import foreign
from pages.generating.notices import cannot_spell, not_read
from pages.writing import dates, forcing, maps, measuring, steps, tasks
from pages.writing.asking import Page

MODEL = "write_model"
STRIKING = "seq-en-zhtw"  # opens the page: what it writes shares no word with what it reads
UNSUITED = msg("The model in the link has no decoder: here is {other}.")


def writes(facts: ModelFacts) -> bool:
    """An encoder-decoder."""
    return facts.objective in ("denoising", "translation")


def notices(chosen: Chosen, page: Page, found: Writing) -> list[str]:
    """What a visitor should know about what was written."""
    reads_gaps = page.task in ("gaps", "verse")
    others = [facts for facts in models.bundled() if writes(facts)]
    told = [
        chosen.notice,
        foreign(chosen.facts, page.sentence.text, others),
        not_read(found.cut),
        cannot_spell(found.unknown),
        ""
        if found.ended
        else t(
            "The decoder was stopped after {count} tokens: it had not come to an end.",
            count=number(len(found.steps)),
        ),
        t("This model reads hidden words like all others: it has not learned of masks.")
        if page.sentence.hidden and not reads_gaps
        else "",
    ]
    return [each for each in told if each]


def panels(chosen: Chosen, sentence: Sentence) -> None:
    """All panels about the sentence, from top to bottom."""
    task = tasks.task_of(chosen.facts)
    line = st.empty()
    if not sentence.text.strip():
        st.info(t(tasks.TASKS[task].prompt))
        return
    page = Page(chosen.name, chosen.facts, task, sentence, line)
    with st.spinner(t("Loading the model …")):
        models.load(chosen.name)
    found = page.written()
    for notice in notices(chosen, page, found):
        st.info(verbatim(notice))
    if task == "dates" and (said := dates.show(page, found)):
        st.info(said)
    station("steps", t(steps.TITLE))
    steps.show(page, found)
    station("target", t(forcing.TITLE))
    forcing.show(page, found)
    station("lengths", t(measuring.TITLE))
    measuring.show(page, found)
    station("maps", t(maps.TITLE))
    maps.show(page, found)


station("sentence", t("The sentence"))
st.title(t("Read, then write"), anchor=False)
st.markdown(
    t(
        "An encoder reads the whole text at once; a decoder writes another, token by token, and "
        "looks back at the source for each of them."
    )
)
try:
    typed = st.container()  # what can be tried depends on the model, but stands before the menu
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        there = any(each.name == STRIKING for each in models.bundled())
        chosen_model = choose_model(MODEL, writes, STRIKING if there else "", UNSUITED)
        st.caption(tasks.domain(chosen_model.facts))
    tried = tasks.examples(chosen_model.name, chosen_model.facts)
    with typed:
        strip = sentence_strip(
            tried[0],
            key="write",
            limit=settings().max_characters,
            examples=tried[:5],
            link=st.query_params.get("text", ""),
            placeholder=t(tasks.TASKS[tasks.task_of(chosen_model.facts)].prompt),
        )
    panels(chosen_model, strip)
except models.Cancelled:
    st.stop()  # a newer run of this page asks something newer
except models.TooBusy:
    st.info(too_busy())
except models.Refusal as error:
    st.info(verbatim(not_ready(error.name)))
