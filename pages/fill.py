"""Fill the mask: type a sentence, hide words, and see what BERT would put in their place."""

from __future__ import annotations

import streamlit as st

import models
from components.answers import answers
from components.answers.exports import numbers, picture
from components.answers.notices import not_ready, notices, too_busy
from components.present import station
from components.takeaway import panel_bar
from components.theme import BERT
from components.tokens import sentence_strip
from components.tokens.marks import from_marks, to_marks
from components.words import number, sentences, t
from models.settings import settings
from models.trace import Prediction, Sentence
from pages.filling import sections
from pages.filling.asking import ask

MODEL = settings().default_model

# For a model that brings no examples. It reads English: so do they, whatever the page speaks.
EXAMPLES = (
    from_marks("We've never [[seen]] such a thing before."),
    from_marks("I would like a cup of [[tea]], please."),
    from_marks("The capital of France is [[Paris]]."),
    from_marks("She is [[reading]] a [[book]] in the library."),
)


def examples() -> tuple[Sentence, ...]:
    """Sentences that show what this model can and cannot do."""
    try:
        return models.examples(MODEL) or EXAMPLES
    except models.Refusal:
        return EXAMPLES


def facts() -> str:
    """The model in one line."""
    model = models.load(MODEL)
    line = t(
        "{model}: {layers} layers of {heads} attention heads, {words} words and word pieces.",
        model=MODEL,
        layers=model.network.config.num_hidden_layers,
        heads=model.network.config.num_attention_heads,
        words=number(model.vocabulary.is_word.sum()),
    )
    lower_case = any(each.lower_case for each in models.bundled() if each.name == MODEL)
    return sentences(line, t("It reads and writes in lower case only.") if lower_case else "")


def predict(sentence: Sentence) -> Prediction:
    """Ask the model as soon as a core is free; its line tells the place in the queue meanwhile."""
    about = facts()
    line = st.markdown(f":small[{about}]")
    return ask(
        lambda check: models.predict(MODEL, sentence, check=check),
        lambda told: line.markdown(f":small[{told or about}]"),
    )


def take_away(sentence: Sentence, prediction: Prediction) -> None:
    """The bar under the answers; what it offers is made once somebody asks for it."""
    panel_bar(
        key="answers",
        title=t("The answers"),
        numbers=lambda: numbers(prediction),
        code=lambda: models.prediction_snippet(MODEL, sentence),
        picture=lambda: picture(sentence, prediction, BERT.mark),
        link={"text": to_marks(sentence)},
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
    sentence = sentence_strip(
        examples()[0],
        key="fill",
        limit=settings().max_characters,
        examples=examples()[:5],
        link=st.query_params.get("text", ""),
    )
    prediction = None
    try:
        prediction = predict(sentence)
        help_ = notices(sentence, prediction)
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
        help_,
        key="fill_answers",
        strip="fill",
        colour=BERT.mark,
        fill=models.filled,
    )
    if prediction and prediction.blanks:
        take_away(sentence, prediction)
    if prediction:
        station("closer", t("Look closer"))
        try:
            sections(MODEL, sentence, prediction)
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
