"""What a visitor should know before a model writes on."""

from __future__ import annotations

from collections.abc import Sequence

import models
from components.answers.notices import shorten
from components.words import t
from models.catalog import ModelFacts
from models.trace import Prompt, Sentence
from pages.choosing.model import Chosen
from pages.choosing.reading import foreign


def writes(facts: ModelFacts) -> bool:
    """A model that goes on with a text."""
    return facts.objective == "causal"


def notices(chosen: Chosen, sentence: Sentence, prompt: Prompt) -> list[str]:
    """What a visitor should know before the model writes."""
    found = [
        chosen.notice,
        foreign(chosen.facts, sentence.text, [f for f in models.bundled() if writes(f)]),
        not_read(prompt.cut),
        cannot_spell(prompt.unknown),
        t("Shorten the text: it leaves the model no room to write.") if prompt.room < 1 else "",
        t("Read in the characters that Taiwan uses: “{text}”",
          text=shorten(models.as_read(chosen.name, prompt.text), 60)) if prompt.rewritten else "",
    ]  # fmt: skip
    return [each for each in found if each]


def not_read(cut: str) -> str:
    """The end of a text that was too long; "" for none."""
    words = shorten(" ".join(cut.split()), 120)
    if not words:
        return ""
    return t("This is longer than the model reads at once. Not read: “{words}”", words=words)


def cannot_spell(unknown: Sequence[str]) -> str:
    """Words that the vocabulary has no pieces for; "" for none."""
    words = t(", ").join(t("“{word}”", word=shorten(word, 40)) for word in unknown[:8])
    if not words:
        return ""
    return t("The vocabulary cannot spell {words}: the model sees an unknown word.", words=words)
