"""What every section has to work with: a sentence, its answer, and a turn at the model."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar
from uuid import uuid4

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import models
from components.answers.notices import waiting
from components.tokens.marks import to_marks
from models.catalog import ModelFacts
from models.trace import Prediction, Sentence

Check = Callable[[], None]
Found = TypeVar("Found")


def ask(question: Callable[[Check], Found], say: Callable[[str], object]) -> Found:
    """Ask as soon as a core is free.

    Args:
        question: Gets a function to call between its steps.
        say: Tells the visitor's place in the queue meanwhile, and "" once it is their turn.

    Raises:
        Cancelled: The visitor asked something newer.
        TooBusy: The queue is full.
    """

    def say_place(place: int) -> None:
        say(waiting(place))

    visitor = st.session_state.setdefault("visitor", uuid4().hex)
    with models.slots().claim(visitor, say_place) as ticket:
        say("")
        return question(ticket.check)


def saying(line: DeltaGenerator, meanwhile: str = "") -> Callable[[str], None]:
    """What `ask` tells goes into a line; `meanwhile` stands there while it is a visitor's turn."""
    turns = 0

    def say(told: str) -> None:
        nonlocal turns
        turns += not told
        text = told or (meanwhile if turns == 1 else "")
        if text:
            line.markdown(f":small[{text}]")
        else:
            line.empty()

    return say


def remembered(
    place: str,
    name: str,
    asked: Hashable,
    question: Callable[[Check], Found],
    say: Callable[[str], object],
) -> Found:
    """The answer to a question; asked again only when something of it changes.

    Args:
        place: In the session.
        name: Of the question: each remembers its last answer.
        asked: All that the answer depends on.
        question: As for `ask`.
        say: As for `ask`; also told "" at the end.
    """
    memory = st.session_state.setdefault(place, {})
    if name not in memory or memory[name][0] != asked:
        memory[name] = (asked, ask(question, say))
        say("")
    return memory[name][1]


@dataclass(frozen=True)
class Asking:
    """The sentence on the page, and how a section asks more about it."""

    model: str
    """The catalogue's name."""
    sentence: Sentence
    prediction: Prediction
    """The answers above the sections: of exactly this sentence."""
    line: DeltaGenerator
    """Empty, above the section: for the place in the queue."""
    facts: ModelFacts | None = None
    """About the model; None if nobody knows any."""

    def once(
        self,
        name: str,
        about: Hashable,
        question: Callable[[Check], Found],
        meanwhile: str = "",
    ) -> Found:
        """The answer to a question; asked again only when something of it changes.

        Args:
            name: Of the question: each remembers its last answer.
            about: All it depends on beside the model.
            question: As for `ask`.
            meanwhile: Shown while a question that takes long is answered.
        """
        asked = (self.model, about)
        return remembered("filling/answers", name, asked, question, saying(self.line, meanwhile))

    def link(self, section: str, **more: str) -> dict[str, str]:
        """Query parameters that bring a visitor to this model, sentence and an open section."""
        text = to_marks(self.sentence)
        return {"model": self.model, "section": section, **more, "text": text}
