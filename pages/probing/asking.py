"""What every panel has to work with: a checkpoint, a text, and a turn at it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st

import models
from components.answers.notices import not_ready, too_busy
from components.theme import Colour
from components.verbatim import verbatim
from components.words import t
from models.catalog import ModelFacts
from models.settings import settings
from pages.filling.asking import Check, remembered, saying
from pages.filling.linked import follow
from pages.inspecting.words import COLOURS

Found = TypeVar("Found")

TEXT = "probing_text"
ENGLISH = "The keeper walked along the bank of the river."
VERSE = "白日依山盡，黃河入海流。"


@dataclass(frozen=True)
class Probing:
    """One checkpoint on the page, and what it reads."""

    name: str
    facts: ModelFacts
    text: str

    @property
    def colour(self) -> Colour:
        """Of its architecture."""
        return COLOURS[self.facts.family]

    def once(
        self,
        name: str,
        about: Hashable,
        question: Callable[[Check], Found],
        meanwhile: str = "",
    ) -> Found | None:
        """The answer to a question, asked again only when something of it changes.

        Where the model cannot answer, the page says so, and the answer is None.

        Raises:
            Cancelled: The visitor asked something newer.
        """
        line = st.empty()
        try:
            return remembered(
                "probing/answers", name, (self.name, about), question, saying(line, meanwhile)
            )
        except models.TooBusy:
            st.info(too_busy())
        except models.CannotTrace as error:
            st.info(_cannot(error))
        except models.Refusal as error:
            st.info(verbatim(not_ready(error.name)))
        return None

    def link(self, **more: str) -> dict[str, str]:
        """Query parameters that bring a visitor to this checkpoint, text and section."""
        return {"model": self.name, **more, "text": self.text}


def _cannot(error: models.CannotTrace) -> str:
    if error.reason == "no attention":
        return t("This model has no attention: it reads with recurrent layers.")
    return t("This family keeps that where this page does not look for it.")


def text_of(facts: ModelFacts) -> str:
    """The text that is tried, tokenized and looked at; the visitor's own."""
    if linked := follow("text", TEXT):
        st.session_state[TEXT] = linked
    first = VERSE if "lzh-Hant" in facts.languages else ENGLISH
    st.session_state.setdefault(TEXT, first)
    typed: str = st.text_area(
        t("Text to try it on"),
        key=TEXT,
        height=80,
        max_chars=settings().max_characters,
        persist_state="session",
    )
    # A browser may send anything: the limit above is only its own.
    return typed[: settings().max_characters]
