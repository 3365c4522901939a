"""Output length against input length (C1): free for an encoder-decoder, equal for BERT."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import models
from components.lengths import Measured, lengths
from components.lengths.exports import numbers, picture
from components.takeaway import panel_bar
from components.words import msg, t
from models.trace import Lengths, Sentence, Writing
from pages.filling.asking import Check
from pages.writing.asking import Page
from pages.writing.tasks import TASKS

TITLE = msg("How long is the output?")


def show(page: Page, found: Writing) -> None:
    """The points and their bar."""
    st.subheader(t(TITLE), anchor=False)
    st.markdown(
        t(
            "BERT is the Transformer’s encoder alone: it answers once at every position. The full "
            "Transformer maps a text to one of another length: its decoder writes until it ends."
        )
    )
    own = Lengths(len(found.source), len(found.steps))
    others = [each for each in TASKS[page.task].examples if each.text != page.sentence.text]
    measured = page.once(
        "lengths",
        page.bert,
        lambda check: _measured(page, [page.sentence, *others], own, check),
    )
    lengths(measured, key="write_lengths")
    texts = [page.sentence, *others]
    about = [found.provenance]
    if (beside := page.beside()) is not None:
        about.append(beside.provenance)
    panel_bar(
        key="lengths",
        title=t(TITLE),
        numbers=lambda: numbers(measured),
        code=lambda: models.lengths_snippet(page.model, texts),
        picture=lambda: picture(measured, t(TITLE), about),
        link=page.link(),
        about=about,
        how=t(
            "The sentence on the page and the examples of this page. Counted are tokens, special "
            "ones and the end of the text among them; each model has its own. Devlin et al. 2018 "
            "keep the encoder of Vaswani et al. 2017."
        ),
    )


def _measured(
    page: Page, sentences: Sequence[Sentence], own: Lengths, check: Check
) -> list[Measured]:
    """The lengths of all texts; of the first one the writer's are known."""
    found = []
    for i, sentence in enumerate(sentences):
        writer = own if i == 0 else models.lengths(page.model, sentence, check)
        try:
            bert = models.lengths(page.bert, sentence, check)
        except models.Refusal:
            bert = None
        found.append(Measured(sentence.text, writer, bert, current=i == 0))
    return found
