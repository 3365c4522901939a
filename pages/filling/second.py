"""The sentence to compare with: part of `pages.filling.whole`."""

from __future__ import annotations

import re

import streamlit as st

import models
from components.offers import offers
from components.words import t
from models.trace import Candidate, Sentence
from pages.filling.asking import Asking
from pages.filling.linked import follow

SECOND, SUGGESTED = "fill_second", "filling/suggested"

# Minimal pairs: agreement, a reflexive, the order of adjectives, who does what to whom.
PAIRS = (
    "The keys to the cabinet {are|is} on the table.",
    "The girl looked at {herself|himself} in the mirror.",
    "I saw a {big red|red big} house.",
    "The {man|dog} bit the {dog|man}.",
)
CHOICE = re.compile(r"\{(.+?)\|(.+?)\}")


def second_sentence(asking: Asking) -> str:
    """The sentence to compare with: typed, chosen, or one word away from the first."""
    if (linked := follow("second")) is not None:
        st.session_state[SECOND] = linked
    elif st.session_state.get(SECOND, "") == st.session_state.get(SUGGESTED, ""):
        # The visitor has not touched the field: it keeps up with their sentence.
        st.session_state[SECOND] = st.session_state[SUGGESTED] = suggested(asking)
    typed = st.text_input(
        t("Against another sentence"),
        placeholder=t("Type it with one word changed, and see which one the model prefers"),
        key=SECOND,
        live="300ms",
        persist_state="session",
    )
    offers(
        [Sentence(_side(pair, 1)) for pair in PAIRS],
        [CHOICE.sub(r"\1 / \2", pair) for pair in PAIRS],
        key="fill_pairs",
        strip="fill",
        on_taken=_take,
    )
    return typed


def _side(pair: str, side: int) -> str:
    return CHOICE.sub(rf"\{side}", pair)


def _take(number: int) -> None:
    """A pair was chosen: the strip takes its first sentence, the field its second."""
    st.session_state[SECOND] = _side(PAIRS[number], 2)


def suggested(asking: Asking) -> str:
    """The sentence with the model's best other answer in place of a hidden word; "" without one."""
    blanks = asking.prediction.blanks
    choices: list[Candidate | None] = [None] * len(blanks)
    for i, blank in enumerate(blanks):
        for answer in blank.candidates:
            if blank.original is None or answer.continuation:
                continue
            if answer.text.casefold() != blank.original.casefold():
                choices[i] = answer
                return models.filled(asking.sentence.text, blanks, choices)
    return ""
