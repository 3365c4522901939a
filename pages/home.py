"""Where an answer comes from: one sentence, each architecture's answer, and what that rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar
from urllib.parse import urlencode
from uuid import uuid4

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import models
from components.answers.notices import not_ready, notices, too_busy, waiting
from components.lanes import Lane, arcs, arcs_of, focused, lanes, words_of
from components.theme import BERT
from components.tokens import sentence_strip
from components.tokens.marks import from_marks, to_marks
from components.words import language, number, t
from models.settings import settings
from models.trace import Sentence

MODEL = settings().default_model
LANES = "home_lanes"

# The time that arcs take grows with the square of the length.
MOST_WORDS = 30
MOST_CHARACTERS = 240

Found = TypeVar("Found")


def examples() -> tuple[Sentence, ...]:
    """The model's own; none where it is not ready, as its lane will say."""
    try:
        return models.examples(MODEL)
    except models.Refusal:
        return ()


def first_sentence() -> Sentence:
    """What a link asks for (``?text=… [[hidden]] …``), else the first example."""
    asked = from_marks(st.query_params.get("text", ""))
    return asked if asked.text.strip() else next(iter(examples()), Sentence(""))


def about() -> str:
    """The page in one sentence."""
    return t(
        "Hide a word: BERT guesses it from the words on both sides, and each arc shows how much "
        "one of them matters to its answer."
    )


def ask(line: DeltaGenerator, question: Callable[[Callable[[], None]], Found]) -> Found:
    """Ask as soon as a core is free; the line tells the place in the queue meanwhile."""

    def say_place(place: int) -> None:
        line.markdown(waiting(place))

    visitor = st.session_state.setdefault("visitor", uuid4().hex)
    with models.slots().claim(visitor, say_place) as ticket:
        line.markdown(about())
        return question(ticket.check)


def bert(sentence: Sentence, line: DeltaGenerator) -> Lane:
    """BERT's lane with its answer, before its arcs are measured."""
    link = "fill?" + urlencode({"text": to_marks(sentence), "lang": language()})
    lane = Lane("BERT", t("encoder · sees both sides"), MODEL, BERT, link)
    try:
        answer = ask(line, lambda check: models.predict(MODEL, sentence, 5, check))
        visible = models.visible_words(MODEL, sentence)
    except models.TooBusy:
        return replace(lane, note=too_busy())
    except models.Refusal as error:
        return replace(lane, note=not_ready(error.name))
    return replace(
        lane,
        words=words_of(sentence.text, visible, answer),
        answer=answer,
        note="" if answer.blanks else notices(sentence, answer)[0],
        unmeasured=no_arcs(len(visible), answer.read),
    )


def no_arcs(words: int, characters: int) -> str:
    """Why a sentence gets no arcs; "" if it does."""
    if not words:
        return t("Arcs need a visible word: type one beside the blank.")
    if words <= MOST_WORDS and characters <= MOST_CHARACTERS:
        return ""
    return t(
        "Arcs are measured for up to {words} visible words and {characters} characters. "
        "Here are {now} words and {length} characters: shorten the sentence to see them.",
        words=number(MOST_WORDS),
        characters=number(MOST_CHARACTERS),
        now=number(words),
        length=number(characters),
    )


def with_arcs(lane: Lane, sentence: Sentence, focus: int, line: DeltaGenerator) -> Lane:
    """The lane with the measured influence of its words on one blank, or with why there is none."""
    if lane.unmeasured or lane.answer is None or not lane.answer.blanks:
        return lane
    try:
        found = ask(line, lambda check: models.influence(MODEL, sentence, focus, check))
    except models.TooBusy:
        return replace(lane, unmeasured=too_busy())
    except models.Refusal:
        return replace(lane, unmeasured=t("This model brings no word counts to measure arcs with."))
    return replace(lane, arcs=arcs_of(lane.words, found))


def how_measured(lane: Lane) -> None:
    """What an arc is, and what it takes to compute the numbers again."""
    st.markdown(
        t(
            "Each visible word is replaced by 8 other words, one at a time, and the model answers "
            "again. The arc is the mean difference between its answers (Jensen-Shannon divergence "
            "over the full vocabulary): 0 bits if nothing changes, 1 bit if everything does. An "
            "answer can rest on words together, which no single arc shows."
        )
    )
    if lane.answer:
        origin = lane.answer.provenance
        st.markdown(
            t("Model {model}, weights {revision} (SHA-256), computed in {dtype}.", **vars(origin))
        )
        st.markdown(" · ".join(f"{package} {version}" for package, version in origin.versions))


st.title(t("Where an answer comes from"))
line = st.markdown(about())
sentence = sentence_strip(
    first_sentence(), key="home", limit=settings().max_characters, examples=examples()[:4]
)
# No fragment holds this: a keystroke could not interrupt one, and would wait for outdated arcs. A
# run of the page is stopped by the next one, whose claim of a slot ends the computation as well.
try:
    lane = bert(sentence, line)
    blanks = lane.answer.blanks if lane.answer else ()
    focus = focused(LANES, len(blanks))
    told = notices(sentence, lane.answer) if lane.answer and blanks else []
    lanes(sentence, [lane], told, key=LANES, focus=focus)
    with st.expander(t("How this is measured")):
        how_measured(lane)
    arcs(sentence, [with_arcs(lane, sentence, focus, line)], key=LANES, focus=focus)
except models.Cancelled:
    st.stop()  # a newer run of this page asks something newer
