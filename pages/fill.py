"""Fill the mask: type a sentence, hide words, and see what BERT would put in their place."""

from __future__ import annotations

import streamlit as st

import models
from components.answers import answers
from components.answers.exports import numbers, picture
from components.answers.notices import not_ready, too_busy
from components.present import station
from components.takeaway import panel_bar
from components.theme import BERT
from components.tokens import sentence_strip
from components.tokens.marks import to_marks
from components.words import msg, t
from models.settings import settings
from models.trace import Prediction, Sentence
from pages.choosing.examples import examples_of
from pages.choosing.model import Chosen, choose_model
from pages.choosing.reading import placeholder, reads_verse
from pages.filling import sections
from pages.filling.asking import ask
from pages.filling.chosen import about, fills_masks, told

MODEL = "fill_model"
UNSUITED = msg("The model in the link fills no masks, as BERT does: here is {other}.")


def predict(chosen: Chosen, sentence: Sentence) -> Prediction:
    """Ask the model as soon as a core is free; its line tells the place in the queue meanwhile."""
    line = st.empty()
    with line, st.spinner(t("Loading the model …")):
        facts = about(chosen)
    line.markdown(f":small[{facts}]")
    return ask(
        lambda check: models.predict(chosen.name, sentence, check=check),
        lambda place: line.markdown(f":small[{place or facts}]"),
    )


def take_away(chosen: Chosen, sentence: Sentence, prediction: Prediction) -> None:
    """The bar under the answers; what it offers is made once somebody asks for it."""
    panel_bar(
        key="answers",
        title=t("The answers"),
        numbers=lambda: numbers(prediction),
        code=lambda: models.prediction_snippet(chosen.name, sentence),
        picture=lambda: picture(sentence, prediction, BERT.mark),
        link={"model": chosen.name, "text": to_marks(sentence)},
        about=prediction.provenance,
        how=t(
            "All hidden words become masks at once, and one pass of the model answers each of them "
            "by itself: a softmax over the full vocabulary."
        ),
    )


# No fragment: a restored sentence arrives while the page still runs for the first time, and
# Streamlit would draw a fragment's answer into a page not there yet ("Bad delta path index").
def fill() -> None:
    """The strip and the answers; a keystroke runs the page again and ends its older run."""
    typed = st.container()  # what can be tried depends on the model, but stands before the menu
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        chosen = choose_model(MODEL, fills_masks, settings().default_model, UNSUITED)
        line = st.container(width="stretch")
    tried = examples_of(chosen.name, chosen.facts)
    with typed:
        sentence = sentence_strip(
            tried[0],
            key="fill",
            limit=settings().max_characters,
            examples=tried[:5],
            link=st.query_params.get("text", ""),
            placeholder=placeholder(reads_verse(chosen.facts)),
        )
    prediction = None
    try:
        with line:
            prediction = predict(chosen, sentence)
        help_ = told(chosen, sentence, prediction)
    except models.Cancelled:
        st.stop()  # a newer run of this page asks something newer
    except models.TooBusy:
        help_ = [too_busy()]
    except models.Refusal as error:
        help_ = [not_ready(error.name)]
    station("answers", t("The answers"))
    answers(
        sentence,
        prediction,
        [*filter(None, [chosen.notice]), *help_],
        key="fill_answers",
        strip="fill",
        colour=BERT.mark,
        fill=models.filled,
    )
    if prediction and prediction.blanks:
        take_away(chosen, sentence, prediction)
    if prediction:
        station("closer", t("Look closer"))
        try:
            sections(chosen, sentence, prediction)
        except models.Cancelled:
            st.stop()


station("sentence", t("The sentence"))
st.title(t("Fill the mask"), anchor=False)
st.markdown(
    t(
        "Hide a word, and BERT guesses it from the words on both sides: "
        "the very task it was trained on."
    )
)
fill()
