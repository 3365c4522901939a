"""A control of what was done against echoes: the same steps with and without it.

    python -m models.training.control CHECKPOINT [--tokens 765000] [--cache FOLDER]

goes on from a checkpoint of `bert-en` twice, equal but for the loss on echoes, asks both what the
card asks, and writes models/zoo/bert-en/control.json. The checkpoint is that of a run stopped at
the first of the recipe's later stages.
"""

from __future__ import annotations

import argparse
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from models.catalog import ZOO
from models.training.commands import held_out_items, train_recipe
from models.training.fetch import default_cache
from models.training.publishing import averaged
from models.training.recipe import Recipe
from models.training.recipes import RECIPES
from models.training.results import Figures, evaluate_model
from models.training.texts import read_text

FILE = "control.json"
MORE = 765_000


def gone_on(cache: Path, checkpoint: Path, recipe: Recipe, more: int) -> Figures:
    """The figures of a checkpoint after so many more tokens by a recipe."""
    folder = cache / "runs" / recipe.name
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(checkpoint, folder / "checkpoint.pt")
    target = replace(recipe, target_tokens=begun(checkpoint) + more)
    train_recipe(cache, ZOO, target, 60, None)
    text = read_text(recipe.text, cache, recipe.vocabulary_size)
    model = averaged(cache, recipe, text).eval()
    return evaluate_model(recipe.name, model, text.tokenizer, held_out_items(cache, text.tokenizer))


def begun(checkpoint: Path) -> int:
    """The tokens that a checkpoint has seen."""
    return int(torch.load(checkpoint, weights_only=True)["progress"]["tokens"])


def told(figures: Figures) -> dict[str, list[float]]:
    """The figures that are compared, each a mean with its standard error."""
    everyday, held_out = figures.everyday, figures.masked["all"]
    shares = {"echoes": everyday.echo, "everyday_top1": everyday.top1,
              "everyday_top5": everyday.top5, "held_out_top1": held_out.top1}  # fmt: skip
    return {name: [round(s.mean, 4), round(s.error, 4)] for name, s in shares.items()}


def main() -> None:
    """Parse the command line, run both, write the file."""
    parser = argparse.ArgumentParser(prog="python -m models.training.control", description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--tokens", type=int, default=MORE)
    parser.add_argument("--cache", type=Path, default=default_cache())
    options = parser.parse_args()
    torch.set_num_threads(1)
    base = RECIPES["bert-en"]
    runs = {"with": base.later[:1], "without": ()}
    found: dict[str, Any] = {"from": begun(options.checkpoint), "tokens": options.tokens}
    for name, later in runs.items():
        recipe = replace(base, name=f"bert-en-{name}", later=later)
        found[name] = told(gone_on(options.cache, options.checkpoint, recipe, options.tokens))
    (ZOO / "bert-en" / FILE).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
