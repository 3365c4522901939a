"""What a visitor should know before a model writes on."""

from __future__ import annotations

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
    cut = shorten(" ".join(prompt.cut.split()), 120)
    unknown = t(", ").join(t("“{word}”", word=shorten(word, 40)) for word in prompt.unknown[:8])
    found = [
        chosen.notice,
        foreign(chosen.facts, sentence.text, [f for f in models.bundled() if writes(f)]),
        t("This is longer than the model reads at once. Not read: “{words}”", words=cut)
        if cut
        else "",
        t("The vocabulary cannot spell {words}: the model sees an unknown word.", words=unknown)
        if unknown
        else "",
        t("Shorten the text: it leaves the model no room to write.") if prompt.room < 1 else "",
        t("Read in the characters that Taiwan uses: “{text}”",
          text=shorten(models.as_read(chosen.name, prompt.text), 60)) if prompt.rewritten else "",
    ]  # fmt: skip
    return [each for each in found if each]
