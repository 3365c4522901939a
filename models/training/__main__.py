"""Command line of the training frame.

    python -m models.training corpora              fetch and build the corpora
    python -m models.training bert-en --minutes 60 train, or go on training, a recipe
    python -m models.training publish bert-en      write models/zoo/bert-en with its card
    python -m models.training evaluate [NAME ...]  write models/zoo/RESULTS.md

Everything downloaded or half done lies in a cache outside the repository (--cache, or the
environment variable UNMASK_CACHE).
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import torch

from models.training.fetch import default_cache

ZOO = Path(__file__).parents[1] / "zoo"


def main(arguments: list[str] | None = None) -> None:
    """Parse the command line and run one command."""
    # after parsing would be nicer to --help, but simple wins
    from models.training import commands, evaluating, publishing
    from models.training.recipes import RECIPES

    parser = argparse.ArgumentParser(
        prog="python -m models.training",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=["corpora", "publish", "evaluate", *RECIPES])
    parser.add_argument("names", nargs="*", help="models to publish or evaluate")
    parser.add_argument("--cache", type=Path, default=default_cache())
    parser.add_argument("--minutes", type=float, default=60.0, help="wall clock of this start")
    parser.add_argument("--tokens", type=int, help="stop once so many were seen (default: recipe)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--corpus", type=Path, help="train on this file instead")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    if options.command == "corpora":
        commands.corpora(options.cache)
    elif options.command == "evaluate":
        evaluating.evaluate(options.cache, ZOO, options.names)
    elif options.command == "publish":
        for name in options.names:
            publishing.publish(options.cache, ZOO, name)
    else:
        recipe = RECIPES[options.command]
        if options.tokens:
            recipe = replace(recipe, target_tokens=options.tokens)
        commands.train_recipe(options.cache, ZOO, recipe, options.minutes, options.corpus)


if __name__ == "__main__":
    main()
