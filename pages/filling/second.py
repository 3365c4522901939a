"""The sentence to compare with: part of `pages.filling.whole`."""

from __future__ import annotations

import re

import streamlit as st

import models
from components.offers import offers
from components.words import t
from models.trace import Candidate, Sentence
from pages.choosing.reading import reads_verse
from pages.filling.asking import Asking
from pages.filling.linked import follow

SECOND, SUGGESTED = "fill_second", "filling/suggested"

# Minimal pairs: agreement, a reflexive, the order of adjectives, who does what to whom.
ENGLISH = (
    "The keys to the cabinet {are|is} on the table.",
    "The girl looked at {herself|himself} in the mirror.",
    "I saw a {big red|red big} house.",
    "The {man|dog} bit the {dog|man}.",
)
# In verse: a word that rhymes or does not, two words that mirror those of the other line or do not,
# a pair of characters the other way round.
VERSE = (
    "床前明月光，疑是地上{霜|雪}。",
    "白日依山盡，黃河{入海|向東}流。",
    "千山鳥飛{絕|盡}，萬徑人蹤滅。",
    "舉頭望{明月|月明}，低頭思故鄉。",
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
    pairs = VERSE if reads_verse(asking.facts) else ENGLISH
    offers(
        [Sentence(_side(pair, 1)) for pair in pairs],
        [CHOICE.sub(r"\1 / \2", pair) for pair in pairs],
        key="fill_pairs",
        strip="fill",
        on_taken=lambda number: _take(pairs[number]),
    )
    return typed


def _side(pair: str, side: int) -> str:
    return CHOICE.sub(rf"\{side}", pair)


def _take(pair: str) -> None:
    """A pair was chosen: the strip takes its first sentence, the field its second."""
    st.session_state[SECOND] = _side(pair, 2)


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
