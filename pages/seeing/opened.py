"""ELMo opened: what its two models say at a word, and what a mix of its layers knows of words."""

from __future__ import annotations

import streamlit as st

import models
from components.opened import opened as draw
from components.opened import word_at
from components.opened.exports import numbers, picture
from components.opened.mix import as_link, mix_of
from components.takeaway import panel_bar
from components.words import msg, t
from models.trace import Opened
from pages.filling.asking import Check
from pages.seeing.asking import Seeing

TITLE = msg("ELMo opened")
KEY = "sees_opened"


def show(seeing: Seeing) -> None:
    """The answers, the mix and their bar; nothing where no ELMo is there."""
    member = next((each for each in seeing.members if each.family == "elmo"), None)
    if member is None:
        return
    st.subheader(t(TITLE), anchor=False)
    st.markdown(
        t(
            "ELMo is two language models with one softmax. A task reads their layers as one mix, "
            "and learns its weights; before any task they are equal."
        )
    )
    text = seeing.text

    def question(check: Check) -> Opened:
        return models.opened(member.model, text, check=check)

    found = seeing.once("opened", member, text, question)
    if isinstance(found, str):
        st.info(found)
    elif found.words:
        _show(seeing, found)


def _show(seeing: Seeing, found: Opened) -> None:
    word = word_at(KEY, found, st.query_params.get("word", ""), _first(seeing, found))
    mix = mix_of(KEY, found.layers, st.query_params.get("mix", ""))
    draw(found, key=KEY, word=word, mix=mix)
    panel_bar(
        key="opened",
        title=t(TITLE),
        numbers=lambda: numbers(found, word, mix),
        code=found.snippet,
        picture=lambda: picture(found, word, mix),
        link=seeing.link(word=str(word + 1), mix=as_link(mix)),
        about=found.provenance,
        how=t(
            "The forward model answers from the words to the left, the backward model from those "
            "to the right. Both are combined as log p forward + log p backward − log p of the word "
            "by itself. The mix is γ Σ softmax(s)ⱼ hⱼ over the static layer and the LSTM layers, "
            "both directions side by side (Peters et al. 2018, equation 1); a word of several "
            "pieces has their mean. The weights here are yours: no task has learned any."
        ),
    )


def _first(seeing: Seeing, found: Opened) -> int:
    """The hidden word, or else the longest: function words show little."""
    spans = [word.span for word in found.words]
    hidden = [spans.index(span) for span in seeing.sentence.hidden if span in spans]
    longest = max(range(len(spans)), key=lambda i: spans[i][1] - spans[i][0])
    return next(iter(hidden), longest)
