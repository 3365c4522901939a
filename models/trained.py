"""How long the texts were that a model was trained on: from the recipe beside its weights."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from models.catalog import BUNDLED
from models.heads import TrainedOn
from models.training.recipe import BLOCKS, Recipe

PAIRS = ("translation", "pairs", "next-sentence")
"""Objectives whose texts are as long as they are: no step has passages of a set length."""


def trained_on(name: str) -> TrainedOn | None:
    """The longest texts of a bundled model's training; None where nobody has written them down."""
    folder = next((facts.folder for facts in BUNDLED if facts.name == name), None)
    file = None if folder is None else folder / "training.json"
    return None if file is None or not file.is_file() else _read(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _read(file: Path, _: int) -> TrainedOn | None:
    training: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    names = {each.name for each in fields(Recipe)}
    recipe = Recipe(**{k: v for k, v in training["recipe"].items() if k in names})
    return longest(recipe, training["tokens"])


def longest(recipe: Recipe, tokens: int) -> TrainedOn | None:
    """Of a recipe that was followed for so many tokens; steps are equally many tokens each."""
    if recipe.objective in PAIRS:
        return None
    begins = sorted({0, *(begin for begin, _ in recipe.later if begin < tokens)})
    shares: dict[int, float] = defaultdict(float)
    for begin, end in zip(begins, [*begins[1:], tokens], strict=True):
        stage = recipe.at(begin)
        kinds = (stage.short, stage.block, stage.long)
        for length, share in zip((stage.longest, *BLOCKS), kinds, strict=True):
            shares[length] += share / sum(kinds) * (end - begin) / tokens
    lengths = sorted(length for length, share in shares.items() if share > 0)
    below = lengths[-2] if len(lengths) > 1 else lengths[-1]
    return TrainedOn(lengths[-1], shares[lengths[-1]], below)
