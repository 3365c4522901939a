"""What every section has to work with: a model, a sentence with a blank, and a turn at it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st

import models
from components.theme import ARCHITECTURES, BERT, Colour
from components.tokens.marks import to_marks
from components.words import msg, t
from models.catalog import ModelFacts
from models.trace import Sentence
from pages.choosing import model as choosing
from pages.filling.asking import Check, remembered, saying
from pages.filling.blanks import of_several

MODEL = "block_model"
Found = TypeVar("Found")


@dataclass(frozen=True)
class Opening:
    """One sentence before one model, and how a section asks more about it."""

    model: str
    colour: Colour
    sentence: Sentence
    blank: int

    def once(self, name: str, about: Hashable, question: Callable[[Check], Found]) -> Found:
        """The answer to a question; asked again only when something of it changes.

        Raises:
            Cancelled: The visitor asked something newer.
            TooBusy: The queue is full.
            Refusal: The model cannot be had, or is built otherwise.
        """
        asked = (self.model, self.sentence, self.blank, about)
        return remembered("block/answers", name, asked, question, saying(st.empty()))

    def link(self, section: str, **more: str) -> dict[str, str]:
        """Query parameters that bring a visitor to this view."""
        about = {"model": self.model, "section": section, **more}
        return {**about, "blank": str(self.blank + 1), "text": to_marks(self.sentence)}


def suits(facts: ModelFacts) -> bool:
    """Whether a model is built of BERT's blocks, as ours are; variants have their own place."""
    return facts.objective in ("masked", "causal") and facts.family != "lstm" and not facts.variant


def choose_model() -> ModelFacts:
    """The model to open.

    Raises:
        Refusal: There is none.
    """
    chosen = choosing.choose_model(
        MODEL,
        suits=suits,
        unsuited=msg("The model in the link has no blocks that could be opened: here is {other}."),
    )
    if chosen.notice:
        st.info(chosen.notice)
    if chosen.facts is None:
        raise models.Refusal(chosen.name)
    return chosen.facts


def opening(facts: ModelFacts, sentence: Sentence) -> Opening | None:
    """What is looked at; None, with a sentence that says why, where there is no blank."""
    name = facts.name
    colour = ARCHITECTURES.get(facts.family, BERT)
    if sentence.text.strip():
        first = Opening(name, colour, sentence, 0)
        blanks = first.once(
            "blanks", None, lambda check: models.predict(name, sentence, 1, check)
        ).blanks
        if blanks:
            return Opening(name, colour, sentence, of_several(len(blanks)))
    st.info(t("Hide a word of the sentence: all that is shown here is about one answer."))
    return None
