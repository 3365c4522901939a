"""Fill the mask: type a sentence, hide words, and see what BERT would put in their place."""

from __future__ import annotations

from uuid import uuid4

import streamlit as st

import models
from components.answers import answers
from components.answers.notices import notices, waiting
from components.theme import BERT
from components.tokens import sentence_strip
from components.tokens.marks import from_marks
from components.words import number, t
from models.settings import settings
from models.trace import Prediction, Sentence

MODEL = settings().default_model

# The model reads English: the examples stay English in every language of the page.
EXAMPLES = [
    from_marks("The chef who ran to the store was out of [[food]]."),
    from_marks("She opened the window because it was too [[hot]] in the room."),
    from_marks("The capital of France is [[Paris]]."),
    from_marks("He put the [[milk]] back into the [[fridge]]."),
    from_marks("They walked along the river [[bank]] until it got dark."),
    from_marks("We've never [[seen]] such a thing before."),
]


def first_sentence() -> Sentence:
    """What a link asks for (``?text=… [[hidden]] …``), else the first example."""
    asked = from_marks(st.query_params.get("text", ""))
    return asked if asked.text.strip() else EXAMPLES[0]


def predict(sentence: Sentence, status: st.delta_generator.DeltaGenerator) -> Prediction:
    """Wait for a free core, say so if it takes long, and ask the model."""
    visitor = st.session_state.setdefault("visitor", uuid4().hex)
    with models.slots().claim(visitor, lambda place: status.caption(waiting(place))) as ticket:
        return models.predict(MODEL, sentence, check=ticket.check)


def no_answer(error: models.Refusal | models.TooBusy) -> str:
    """Why nobody answers, in words for the visitor."""
    if isinstance(error, models.TooBusy):
        return t("Many people are asking just now. Your sentence is kept: ask again in a moment.")
    return t(
        "The model “{model}” is not ready on this server, so there are no answers yet. "
        "Your sentence is kept. Whoever runs the server finds the reason in its log.",
        model=error.name,
    )


def facts(prediction: Prediction) -> str:
    """The model in one line."""
    config = models.load(MODEL).network.config
    line = t(
        "{model}: {layers} layers with {heads} attention heads each, {words} words and word pieces.",
        model=prediction.provenance.model,
        layers=config.num_hidden_layers,
        heads=config.num_attention_heads,
        words=number(prediction.words),
    )
    lower_case = any(each.lower_case for each in models.catalog() if each.name == MODEL)
    return line + " " + t("It reads and writes in lower case only.") if lower_case else line


def provenance(prediction: Prediction) -> None:
    """What it takes to compute these numbers again."""
    origin = prediction.provenance
    st.markdown(
        t("Model {model}, weights {revision} (SHA-256), computed in {dtype}.", **vars(origin))
    )
    st.markdown(" · ".join(f"{package} {version}" for package, version in origin.versions))


@st.fragment
def fill() -> None:
    """The strip and the answers: the only part of the page that a keystroke runs again."""
    sentence = sentence_strip(
        first_sentence(),
        key="fill",
        limit=settings().max_characters,
        examples=EXAMPLES,
    )
    status = st.empty()
    prediction, problem = None, None
    try:
        prediction = predict(sentence, status)
        status.markdown(f":small[{facts(prediction)}]")
    except (models.Refusal, models.TooBusy) as error:
        problem = no_answer(error)
    answers(
        sentence,
        prediction,
        [problem] if problem else notices(sentence, prediction),
        key="fill_answers",
        strip="fill",
        colour=BERT.mark,
        fill=models.filled,
    )
    if prediction:
        with st.expander(t("Where these numbers come from")):
            provenance(prediction)


st.title(t("Fill the mask"))
st.markdown(
    t(
        "Hide a word, and BERT guesses it from the words on both sides: "
        "the very task it was trained on."
    )
)
fill()
