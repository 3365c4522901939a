"""Where an answer comes from: one sentence, each architecture's answer, and what that rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import models
from components.answers.notices import not_ready, notices, too_busy
from components.lanes import Lane, arcs, arcs_of, focused, full_bar, lanes, words_of
from components.lanes.exports import numbers, picture
from components.lanes.notices import no_arcs
from components.present import carried, station
from components.takeaway import panel_bar
from components.theme import BERT
from components.tokens import sentence_strip
from components.tokens.marks import to_marks
from components.words import language, t
from models.settings import settings
from models.trace import Sentence
from pages.filling.asking import ask

MODEL = settings().default_model
LANES = "home_lanes"

# The time that arcs take grows with the square of the length.
MOST_WORDS = 30
MOST_CHARACTERS = 240

Measured = Callable[[], tuple[Lane, str]]


def examples() -> tuple[Sentence, ...]:
    """The model's own; none where it is not ready, as its lane will say."""
    try:
        return models.examples(MODEL)
    except models.Refusal:
        return ()


def about() -> str:
    """The page in one sentence."""
    return t(
        "Hide a word: BERT guesses it from the words on both sides, and each arc shows how much "
        "one of them matters to its answer."
    )


def say(line: DeltaGenerator) -> Callable[[str], object]:
    """What the line tells: the place in the queue, or else what the page is about."""
    return lambda told: line.markdown(told or about())


def bert(sentence: Sentence, line: DeltaGenerator) -> Lane:
    """BERT's lane with its answer, before its arcs are measured."""
    link = "fill?" + urlencode({"text": to_marks(sentence), "lang": language(), **carried()})
    lane = Lane("BERT", t("encoder · sees both sides"), MODEL, BERT, link)
    try:
        answer = ask(lambda check: models.predict(MODEL, sentence, 5, check), say(line))
        visible = models.visible_words(MODEL, sentence)
    except models.TooBusy:
        return replace(lane, note=too_busy())
    except models.Refusal as error:
        return replace(lane, note=not_ready(error.name))
    return replace(
        lane,
        words=words_of(sentence.text, visible, answer),
        answer=answer,
        note="" if answer.blanks else "\n".join(notices(sentence, answer)),
        unmeasured=no_arcs(len(visible), answer.read, MOST_WORDS, MOST_CHARACTERS),
    )


def with_arcs(lane: Lane, sentence: Sentence, focus: int, line: DeltaGenerator) -> tuple[Lane, str]:
    """The lane with its words' measured influence, or why there is none; and a program for it."""
    if lane.unmeasured or lane.answer is None or not lane.answer.blanks:
        return lane, ""
    try:
        found = ask(lambda check: models.influence(MODEL, sentence, focus, check), say(line))
    except models.TooBusy:
        return replace(lane, unmeasured=too_busy()), ""
    except models.Refusal:
        told = t("This model brings no word counts to measure arcs with.")
        return replace(lane, unmeasured=told), ""
    return replace(lane, arcs=arcs_of(lane.words, found)), found.snippet


def take_away(lane: Lane, sentence: Sentence, focus: int, measured: Measured) -> None:
    """The bar under the lanes; what it offers is made once somebody asks for it."""
    panel_bar(
        key="influence",
        title=t("Where an answer comes from"),
        numbers=lambda: numbers([measured()[0]], focus),
        code=None if lane.unmeasured else lambda: measured()[1],
        picture=lambda: picture(measured()[0], focus, full_bar([lane])),
        link={"blank": str(focus + 1), "text": to_marks(sentence)},
        about=lane.answer.provenance if lane.answer else None,
        how=t(
            "Each visible word is replaced by 8 other words, and a punctuation mark by other "
            "marks, one at a time, and the model answers again. The arc is the mean difference "
            "between its answers (Jensen-Shannon divergence over the full vocabulary): 0 bits if "
            "nothing changes, 1 bit if everything does. An answer can rest on words together, "
            "which no single arc shows."
        ),
    )


station("sentence", t("The sentence"))
st.title(t("Where an answer comes from"))
line = st.markdown(about())
sentence = sentence_strip(
    next(iter(examples()), Sentence("")),
    key="home",
    limit=settings().max_characters,
    examples=examples()[:4],
    link=st.query_params.get("text", ""),
)
# No fragment holds this: a keystroke could not interrupt one, and would wait for outdated arcs. A
# run of the page is stopped by the next one, whose claim of a slot ends the computation as well.
try:
    lane = bert(sentence, line)
    blanks = lane.answer.blanks if lane.answer else ()
    focus = focused(LANES, len(blanks), st.query_params.get("blank", ""))
    told = notices(sentence, lane.answer) if lane.answer and blanks else []
    station("lanes", t("The answers, and what they rest on"))
    lanes(sentence, [lane], told, key=LANES, strip="home", focus=focus)
    measured = cache(partial(with_arcs, lane, sentence, focus, line))
    if blanks:
        take_away(lane, sentence, focus, measured)
    arcs(sentence, [measured()[0]], key=LANES, focus=focus)
except models.Cancelled:
    st.stop()  # a newer run of this page asks something newer
