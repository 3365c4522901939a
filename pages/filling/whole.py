"""A whole sentence: how well it fits the model, word by word, and against another one."""

from __future__ import annotations

import re

import streamlit as st

import models
from components.facts import facts
from components.offers import offers
from components.surprisals import surprisals
from components.surprisals.columns import Column, of_pair, of_sentence
from components.surprisals.exports import numbers, picture
from components.surprisals.said import notes, pair_scores, scores, verdict
from components.takeaway import panel_bar
from components.theme import BERT
from components.words import msg, t
from models.trace import Candidate, ScoredSentence, Sentence
from pages.filling.asking import Asking
from pages.filling.linked import follow

TITLE = msg("Whole sentence")
SECOND, SUGGESTED = "fill_second", "filling/suggested"

# Minimal pairs: agreement, a reflexive, the order of adjectives, who does what to whom.
PAIRS = (
    "The keys to the cabinet {are|is} on the table.",
    "The girl looked at {herself|himself} in the mirror.",
    "I saw a {big red|red big} house.",
    "The {man|dog} bit the {dog|man}.",
)
CHOICE = re.compile(r"\{(.+?)\|(.+?)\}")


def show(asking: Asking) -> None:
    """Draw the section."""
    second = _second(asking)
    first = asking.sentence.text
    if second.strip():
        pair = asking.once(
            "pair",
            (first, second),
            lambda check: models.compare_sentences(asking.model, first, second, check),
        )
        shown, columns, said = [pair.first, pair.second], of_pair(pair), verdict(pair)
        found, program = pair_scores(pair), pair.snippet
    else:
        alone = asking.once(
            "whole", first, lambda check: models.pseudo_perplexity(asking.model, first, check)
        )
        shown, columns, said = [alone], of_sentence(alone), ""
        found, program = scores(alone), alone.snippet
    if not shown[0].words:
        st.info(t("Type an English sentence, or choose an example."))
        return
    facts(found, label=t("Scores of the sentence"), key="fill_scores", colour=BERT.mark)
    surprisals(columns, headline=said, notes=notes(*shown), key="fill_surprisals", colour=BERT.mark)
    _take_away(asking, second, shown, columns, program)


def _second(asking: Asking) -> str:
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


def _take_away(
    asking: Asking,
    second: str,
    shown: list[ScoredSentence],
    columns: list[Column],
    program: str,
) -> None:
    title = t("Surprisal of each word")
    panel_bar(
        key="whole",
        title=title,
        numbers=lambda: numbers(*shown),
        code=program,
        picture=lambda: picture(title, columns, BERT.mark, shown[0].provenance),
        link=asking.link("sentence", second=second),
        about=shown[0].provenance,
        how=t(
            "Each word is hidden as a whole while all others are visible; its pieces are read off "
            "by the chain rule (Kauf & Ivanova 2023). The sum of their log-probabilities is the "
            "pseudo-log-likelihood; e to the mean of −log p per piece is the pseudo-perplexity "
            "(Salazar et al. 2020)."
        ),
    )
