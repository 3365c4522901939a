"""What changes without a head: measured, beside where attention looks."""

from __future__ import annotations

import streamlit as st

import models
from components.effects import effects
from components.effects import exports as files
from components.takeaway import panel_bar
from components.words import t
from models.trace import Blank
from pages.filling.blanks import of_several
from pages.looking.asking import KEY, Looking
from pages.looking.opened import chosen

MOST_TOKENS = 64
"""Tokens of a text: every head is one run more."""


def show(looking: Looking) -> None:
    """The map of all heads, below the thumbnails."""
    blanks = _blanks(looking)
    if not blanks:
        return
    blank = of_several(len(blanks))
    found = looking.once(
        "effects",
        (looking.sentence, blank),
        lambda check: models.head_effects(
            looking.model, looking.sentence, blank, looking.found.kind, check
        ),
        st.empty(),
    )
    word = _word(blanks[blank], found.answer)
    effects(found, word, key=KEY, colour=looking.colour, opened=chosen(looking).heads)
    panel_bar(
        key="effects",
        title=t("Effect of silencing each head"),
        numbers=lambda: files.numbers(found, word),
        code=found.snippet,
        picture=lambda: files.picture(found, word),
        link=looking.link(blank=str(blank + 1)),
        about=found.provenance,
        how=t(
            "The model answers once more for every head, each time with that head’s output set to "
            "0. Shown is the change of the natural logarithm of the probability of one word: your "
            "hidden word, or the model’s best answer where there is none."
        ),
    )


def _blanks(looking: Looking) -> tuple[Blank, ...]:
    """The blanks whose answer can be measured; () with a sentence that says why there are none."""
    if (why_not := refused(looking)) is not None:
        st.info(why_not)
        return ()
    if len(looking.found.queries) > MOST_TOKENS:
        st.info(
            t(
                "Silencing every head takes too long for so many tokens; up to {count} it is "
                "measured.",
                count=MOST_TOKENS,
            )
        )
        return ()
    blanks = answered(looking)
    if not blanks:
        st.info(
            t(
                "Hide a word in the sentence: then you see here what its answer loses without "
                "each head."
            )
        )
    return blanks


def refused(looking: Looking) -> str | None:
    """Why there is no answer whose change could be measured, whatever is hidden."""
    if not looking.fills:
        return t("Effects are measured at a blank, and this model fills none.")
    if looking.pair is not None:
        return t("Effects are measured on one sentence. Clear the second one to see them beside.")
    if looking.target is not None:
        return t(
            "Effects are measured while the decoder reads the sentence itself. Clear its text to "
            "see them beside."
        )
    return None


def answered(looking: Looking) -> tuple[Blank, ...]:
    """The blanks of the sentence, with what the model says there."""
    found = looking.once(
        "answer",
        looking.sentence,
        lambda check: models.predict(looking.model, looking.sentence, 1, check),
        st.empty(),
    )
    return found.blanks


def _word(blank: Blank, answer: int | None) -> str:
    """The word that was followed: the best answer, or else the hidden word."""
    best = blank.candidates[0]
    return best.text if best.token_id == answer or blank.original is None else blank.original
