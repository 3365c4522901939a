"""What every panel has to work with: a model, what it read, and a turn at it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import models
from components.theme import ARCHITECTURES, ENCODER_DECODER, Colour
from components.tokens.marks import to_marks
from models.catalog import ModelFacts
from models.trace import AllHeads, AttentionKind, Sentence
from pages.filling.asking import Check, remembered, saying
from pages.looking.length import Part

KEY = "attention_head"
"""Of the open head; all heads go by it too."""

Found = TypeVar("Found")


@dataclass(frozen=True)
class Looking:
    """One look at all heads of a model on a text, and how a panel asks more about it."""

    model: str
    colour: Colour
    sentence: Sentence
    """What is looked at: all that the strip has, or a part of it."""
    pair: str | None
    target: str | None
    """What the decoder reads, if the visitor says so."""
    fills: bool
    """The model answers at blanks."""
    found: AllHeads
    whole: Sentence
    """All that the strip has."""
    part: Part

    @property
    def cut(self) -> str:
        """What was too long to be read."""
        return " ".join(" ".join(self.found.cut).split())[:200]

    @property
    def text(self) -> str:
        """All that was read, as one line."""
        return " · ".join(filter(None, (self.sentence.text, self.pair, self.target)))

    def once(
        self, name: str, about: Hashable, question: Callable[[Check], Found], line: DeltaGenerator
    ) -> Found:
        """The answer to a question; asked again only when something of it changes."""
        asked = (self.model, self.found.reads, self.found.kind, about)
        return remembered("attention/answers", name, asked, question, saying(line))

    def link(self, **more: str) -> dict[str, str]:
        """Query parameters that bring a visitor to this look."""
        link = {"model": self.model, "attention": self.found.kind, **self.part.link, **more}
        texts = {"pair": self.pair, "target": self.target, "text": to_marks(self.whole)}
        return link | {name: text for name, text in texts.items() if text is not None}


def colour(model: ModelFacts) -> Colour:
    """The colour of a model's architecture."""
    return ARCHITECTURES.get(model.family, ENCODER_DECODER)


def look(
    facts: ModelFacts,
    part: Part,
    pair: str | None,
    kind: AttentionKind | None,
    target: str | None,
    whole: Sentence,
) -> Looking:
    """Look at all heads, once for each text."""
    line, sentence = st.empty(), part.sentence
    found = remembered(
        "attention/answers",
        "all",
        (facts.name, sentence, pair, kind, target),
        lambda check: models.all_heads(facts.name, sentence, pair, kind, target, check),
        saying(line),
    )
    fills = facts.objective not in ("translation", "states")
    return Looking(
        facts.name, colour(facts), sentence, pair, target, fills, found, whole, part
    )  # fmt: skip
