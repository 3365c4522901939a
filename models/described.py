"""The facts about any model that can be loaded here, bundled or not."""

from __future__ import annotations

from models.catalog import ModelFacts, Objective, bundled, folder

FAMILIES: dict[Objective, str] = {
    "masked": "bert",
    "causal": "gpt",
    "two-way": "elmo",
    "denoising": "seq",
    "translation": "seq",
    "states": "bert",
}
"""The architecture that a model from elsewhere counts as, by what it was trained to do."""


def described(name: str) -> ModelFacts:
    """What a page may say about a model; see `models.describe`."""
    for facts in bundled():
        if facts.name == name:
            return facts
    path = folder(name)
    from models.loading import load

    model = load(name)
    normalizer = model.tokenizer.backend_tokenizer.normalizer
    lower_case = normalizer is not None and normalizer.normalize_str("A") == "a"
    return ModelFacts(name, FAMILIES[model.objective], model.objective, (), lower_case, path)
