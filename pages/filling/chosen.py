"""The masked model that was chosen: in one line, and what to know about its answers."""

from __future__ import annotations

import models
from components.answers.notices import notices
from components.verbatim import verbatim
from components.words import number, sentences, t
from models.catalog import ModelFacts
from models.names import parse
from models.trace import Prediction, Sentence
from pages.choosing.model import Chosen
from pages.choosing.reading import foreign, prompt, reads_verse, rewritten


def fills_masks(facts: ModelFacts) -> bool:
    """Whether a model was trained to fill masks."""
    return facts.objective == "masked"


def about(chosen: Chosen) -> str:
    """The model in one line.

    Raises:
        Refusal: It cannot be loaded.
    """
    model = models.load(chosen.name)
    size = {
        # A folder may be called anything.
        "model": verbatim(chosen.name) if parse(chosen.name).kind else chosen.name,
        "layers": model.network.config.num_hidden_layers,
        "heads": model.network.config.num_attention_heads,
        "words": number(model.vocabulary.words),
    }
    if reads_verse(chosen.facts):
        return t("{model}: {layers} layers of {heads} attention heads, {words} characters.", **size)
    line = t(
        "{model}: {layers} layers of {heads} attention heads, {words} words and word pieces.",
        **size,
    )
    lower_case = chosen.facts is not None and chosen.facts.lower_case
    return sentences(line, t("It reads and writes in lower case only.") if lower_case else "")


def told(chosen: Chosen, sentence: Sentence, prediction: Prediction) -> list[str]:
    """What to know about the answers, and what to do where there are none."""
    offered = [each for each in models.bundled() if fills_masks(each)]
    found = notices(
        sentence,
        prediction,
        prompt=prompt(reads_verse(chosen.facts)),
        foreign=foreign(chosen.facts, sentence.text, offered),
    )
    return [*found, *filter(None, [rewritten(chosen.name, sentence, prediction)])]
