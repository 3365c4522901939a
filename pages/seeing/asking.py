"""What every panel has to work with: a company of models, a sentence, and a turn at a model."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import models
from components.answers.notices import not_ready
from components.tokens.marks import to_marks
from models.company import Company, Member
from models.trace import Sentence
from pages.filling.asking import Check, remembered

Found = TypeVar("Found")


@dataclass(frozen=True)
class Seeing:
    """The sentence on the page, and who reads it."""

    company: Company
    members: Sequence[Member]
    sentence: Sentence
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
