"""What every panel has to work with: a company of models, a sentence, and a turn at a model."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import models
from components.answers.notices import not_ready
from components.tokens.marks import to_marks
from components.words import number, t
from models.company import Company, Member
from models.trace import Sentence
from pages.filling.asking import Check, remembered

Found = TypeVar("Found")

MOST_WORDS, MOST_CHARACTERS = 32, 240
"""Time and memory grow with the square of the length."""


@dataclass(frozen=True)
class Seeing:
    """The sentence on the page, and who reads it."""

    company: Company
    members: Sequence[Member]
    sentence: Sentence
    """As the strip has it."""
    text: str
    """As much of it as is measured; see `beginning`."""
    say: Callable[[str], object]
    """Tells the place in the queue."""

    def once(
        self, name: str, member: Member, about: Hashable, question: Callable[[Check], Found]
    ) -> Found | str:
        """One model's answer to a question, or why there is none, in words.

        It is asked again only when something of it changes.

        Raises:
            Cancelled: The visitor asked something newer.
            TooBusy: The queue is full.
        """
        place, asked = f"{name}/{member.family}", (member.model, about)
        try:
            return remembered("seeing/answers", place, asked, question, self.say)
        except models.Refusal as error:
            return not_ready(error.name)

    def link(self, **more: str) -> dict[str, str]:
        """Query parameters that bring a visitor to this sentence and these models."""
        return {"models": self.company, **more, "text": to_marks(self.sentence)}


def beginning(members: Sequence[Member], text: str) -> tuple[str, str]:
    """As much of a text as is measured, and what to say if that is not all.

    Both are "" for a text without a word. Words are those of the first model that is there.
    """
    for member in members:
        try:
            words = models.visible_words(member.model, Sentence(text))
        except models.Refusal:
            continue
        kept = [end for _, end in words[:MOST_WORDS] if end <= MOST_CHARACTERS]
        if not kept or len(kept) == len(words):
            return (text if kept else "", "")
        told = t(
            "Measured are the first {words} words, up to “{last}”: time grows with the square of "
            "the length.",
            words=number(len(kept)),
            last=text[slice(*words[len(kept) - 1])],
        )
        return text[: kept[-1]], told
    return text, ""
