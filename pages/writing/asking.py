"""What every panel has to work with: a model, a sentence, what was written, and a turn at both."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

from streamlit.delta_generator import DeltaGenerator

import models
from components.tokens.marks import to_marks
from models.catalog import ModelFacts
from models.settings import settings
from models.trace import EveryPosition, Sentence, Writing
from pages.filling.asking import Check, remembered, saying

Found = TypeVar("Found")
BERTS = {"seq-s-en": "bert-s-en", "seq-zh": "bert-zh"}
"""The BERT of the same family; beside others stands the operator's default model."""


@dataclass(frozen=True)
class Page:
    """What is on the page."""

    model: str
    facts: ModelFacts | None
    task: str
    sentence: Sentence
    line: DeltaGenerator
    """For the place in the queue."""

    def once(self, name: str, about: Hashable, question: Callable[[Check], Found]) -> Found:
        """The answer to a question; asked again only when something of it changes."""
        asked = (self.model, self.sentence, about)
        return remembered("write/answers", name, asked, question, saying(self.line))

    def written(self) -> Writing:
        """What the model writes by itself."""
        return self.once(
            "written", None, lambda check: models.write(self.model, self.sentence, check)
        )

    @property
    def bert(self) -> str:
        """The model without a decoder that stands beside this one."""
        wanted = BERTS.get(self.model, "")
        there = {facts.name for facts in models.bundled()}
        return wanted if wanted in there else settings().default_model

    def beside(self) -> EveryPosition | None:
        """What a BERT makes of the same sentence; None if there is none here."""
        try:
            return self.once(
                "beside",
                self.bert,
                lambda check: models.every_position(self.bert, self.sentence, check),
            )
        except models.Refusal:
            return None

    def link(self, **more: str) -> dict[str, str]:
        """Query parameters that bring a visitor to this sentence and model."""
        return {"model": self.model, **more, "text": to_marks(self.sentence)}
