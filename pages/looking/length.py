"""Long texts: what they cost, told before it is spent, and which part of one is looked at."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

import models
from components.words import fixed, number, percent, sentences, t
from models.catalog import ModelFacts
from models.trace import Cost, Sentence, TextSize
from pages.filling.linked import follow

PART = "attention_part"
LONG = 128
"""Tokens up to which everything is there at once, and nothing needs to be said."""


@dataclass(frozen=True)
class Part:
    """What is looked at of a text: all of it, or some tokens, counted from 1."""

    sentence: Sentence
    tokens: tuple[int, int] | None = None

    @property
    def link(self) -> dict[str, str]:
        """What a link calls it."""
        return {} if self.tokens is None else {"window": "{}-{}".format(*self.tokens)}


def choose_part(model: ModelFacts, sentence: Sentence) -> Part:
    """The part to look at, where the text is long; and in a line what it costs."""
    size = models.text_size(model.name, sentence)
    trained = trained_line(model.name, min(size.tokens, size.most))
    if size.tokens <= LONG:
        st.caption(trained)
        return Part(sentence)
    if size.tokens > size.most:
        st.info(too_long(model.name, size))
    words = size.tokens - size.added
    first, last = _window(words, size.most - size.added)
    if (first, last) == (1, words):
        part = Part(sentence)
    else:
        part = Part(models.part_of(model.name, sentence, first - 1, last - 1), (first, last))
    cost = models.text_size(model.name, part.sentence).cost
    st.caption(sentences(cost_line(cost), trained_line(model.name, cost.tokens)))
    return part


def _window(words: int, room: int) -> tuple[int, int]:
    """The first and the last token, as a link or the visitor says, as many as there is room for."""
    if (linked := follow("window")) is not None:
        ends = [int(end) for end in linked.split("-") if end.isascii() and end.isdecimal()]
        st.session_state[PART] = tuple(ends[:2]) if len(ends) == 2 else None
    kept = st.session_state.get(PART)
    first, last = kept if isinstance(kept, tuple | list) and len(kept) == 2 else (1, room)
    first = min(max(1, int(first)), words)
    last = min(max(first, int(last)), first + room - 1, words)
    st.session_state[PART] = (first, last)
    # Two ends, since that is what the state has; a value beside it would be one too many.
    st.slider(
        t("Which tokens to look at (at most {most} at once)", most=number(room)),
        1, words, key=PART, persist_state="session",
    )  # fmt: skip
    first, last = st.session_state[PART]
    return first, min(last, first + room - 1)


def too_long(model: str, size: TextSize) -> str:
    """Why not all of it is looked at together."""
    if size.most == size.model:
        return t(
            "This text has {tokens} tokens, and {model} reads at most {most} at once. Choose which "
            "part to look at.",
            tokens=number(size.tokens),
            model=model,
            most=number(size.most),
        )
    return t(
        "{tokens} tokens would take more time or memory than one visitor may use here (20 seconds, "
        "256 MB, 8 MB to your browser). Up to {most} it works: choose which part to look at.",
        tokens=number(size.tokens),
        most=number(size.most),
    )


def cost_line(cost: Cost) -> str:
    """What it takes, before it is done."""
    return t(
        "{tokens} tokens: about {seconds} s and {memory} MB of memory on the server, {sent} MB to "
        "your browser; a layer with every weight, where you ask for it, {layer} MB more.",
        tokens=number(cost.tokens),
        seconds=fixed(cost.seconds, 1),
        memory=number(max(1, round(cost.memory / 1e6))),
        sent=fixed(cost.sent / 1e6, 1),
        layer=fixed(cost.layer / 1e6, 1),
    )


def trained_line(model: str, tokens: int) -> str:
    """The longest texts that the model knows from its training, and whether this is longer."""
    known = models.trained_on(model)
    if known is None:
        return ""
    longest = t(
        "{model} was trained on texts of up to {tokens} tokens ({share} of its steps; the others "
        "had at most {other}).",
        model=model,
        tokens=number(known.tokens),
        share=percent(known.share),
        other=number(known.next_longest),
    )
    if tokens <= known.tokens:
        return longest
    return sentences(longest, t("This one is longer: what it does there it has never practised."))
