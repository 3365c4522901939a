"""Generate: a model goes on with a text, token by token; every other choice is a branch."""

from __future__ import annotations

import streamlit as st

import models
from components.answers.notices import not_ready, too_busy
from components.offers import offers
from components.present import station
from components.theme import ELMO, GPT
from components.tokens import sentence_strip
from components.tokens.marks import from_marks, to_marks
from components.verbatim import verbatim
from components.words import msg, t
from models.settings import settings
from models.trace import Sentence
from pages.choosing.model import Chosen, choose_model
from pages.choosing.reading import placeholder, reads_verse
from pages.filling.asking import remembered
from pages.generating import beams, following, state, text, verse, writing
from pages.generating.linked import as_link
from pages.generating.notices import notices, writes
from pages.generating.text import Text

MODEL = "generate_model"
UNSUITED = msg("The model in the link does not write on from the left: here is {other}.")
# An opening with many ways to go on, one where the words decide, one that invites repetition.
EXAMPLES = (
    from_marks("She opened the door and"),
    from_marks("The chef who ran to the store was out of [[food]]."),
    from_marks("In the beginning"),
)


def about() -> str:
    """The page in one sentence."""
    return t(
        "A model that reads from the left says, again and again, what could come next. Choose, "
        "draw, or let it run."
    )


def panels(chosen: Chosen, sentence: Sentence) -> None:
    """The text beside the bars, and the beams below; an order is carried out before all else."""
    with st.spinner(t("Loading the model …")):
        prompt = models.prompt(chosen.name, sentence)
    for notice in notices(chosen, sentence, prompt):
        st.info(verbatim(notice))
    line = st.empty()

    def say(told: str) -> None:
        if told:
            line.markdown(f":small[{told}]")

    known, tree = state.known_settings(), state.tree_of(chosen.name, prompt)
    order = state.take_order()
    if order and order.action in ("one", "force"):
        writing.one(order, chosen.name, prompt, tree, say)
    opening = remembered(
        "generate/answers",
        "opening",
        (chosen.name, prompt.ids),
        lambda check: models.scored(chosen.name, prompt.ids, check),
        say,
    )
    ids = (*prompt.ids, *tree.before)
    found = remembered(
        "generate/answers",
        "next",
        (chosen.name, ids),
        lambda check: models.next_tokens(chosen.name, ids, check),
        say,
    )
    link = {"model": chosen.name, **known.link(), "path": as_link(tree.parts())}
    colour = (ELMO if chosen.facts and chosen.facts.family == "lstm" else GPT).mark
    link["text"] = to_marks(sentence)
    shown = Text(chosen.name, colour, prompt, opening, tree, reads_verse(chosen.facts), link)
    runs = order is not None and order.action == "run"
    station("text", t("The text"))
    left, right = st.columns([6, 5], gap="medium")
    with left:
        since = text.show(shown, found.ends, writing=runs)
    with right:
        following.show(shown, found, known, writing=runs)
    if order is not None and runs:
        with left.empty():
            writing.run(order, shown, say, since)
        st.rerun()
    with left:
        text.take_away(shown, found.provenance)
    with right:
        following.take_away(shown, found, known)
    station("beams", t(beams.TITLE))
    beams.show(shown)


station("sentence", t("The sentence"))
st.title(t("Generate"), anchor=False)
st.markdown(about())
try:
    typed = st.container()  # what can be tried depends on the model, but stands before the menu
    chosen_model = choose_model(MODEL, writes, unsuited=UNSUITED)
    in_verse = reads_verse(chosen_model.facts)
    with typed:
        tried = verse.OPENINGS if in_verse else EXAMPLES
        strip = sentence_strip(
            tried[0],
            key="generate",
            limit=settings().max_characters,
            examples=tried,
            link=st.query_params.get("text", ""),
            placeholder=placeholder(in_verse),
        )
        if in_verse:
            offers(verse.OFFERED, key="generate_forms", strip="generate")
        st.caption(
            t(
                "The model reads up to the first hidden word and writes on from there; without "
                "one, it goes on behind the text."
            )
        )
    panels(chosen_model, strip)
except models.Cancelled:
    st.stop()  # a newer run of this page asks something newer
except models.TooBusy:
    st.info(too_busy())
except models.Refusal as error:
    st.info(verbatim(not_ready(error.name)))
