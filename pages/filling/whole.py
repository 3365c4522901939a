"""A whole sentence: how well it fits the model, word by word, and against another one."""

from __future__ import annotations

import streamlit as st

import models
from components.facts import facts
from components.surprisals import surprisals
from components.surprisals.columns import Column, of_pair, of_sentence
from components.surprisals.exports import numbers, picture
from components.surprisals.said import notes, pair_scores, scores, verdict
from components.takeaway import panel_bar
from components.theme import BERT
from components.words import msg, t
from models.trace import ScoredSentence
from pages.choosing.reading import prompt, reads_verse
from pages.filling.asking import Asking
from pages.filling.second import second_sentence

TITLE = msg("Whole sentence")


def show(asking: Asking) -> None:
    """Draw the section."""
    second = second_sentence(asking)
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
        st.info(prompt(reads_verse(asking.facts)))
        return
    facts(found, label=t("Scores of the sentence"), key="fill_scores", colour=BERT.mark)
    surprisals(columns, headline=said, notes=notes(*shown), key="fill_surprisals", colour=BERT.mark)
    _take_away(asking, second, shown, columns, program)


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
