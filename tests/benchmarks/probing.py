"""What the probe costs: ``python -m tests.benchmarks.probing`` prints a Markdown table.

Times are processor time of the one thread that computes, so that other work on the machine counts
little; the ratio is to one plain eager forward pass of the same tokens. Medians over rounds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import torch

import models
from models.loading import Model
from models.probing.look import inputs_of
from models.probing.twin import eager_twin

NAMES = ("bert-en", "gpt-s-en", "seq-s-en", "elmo-s-en")
TEXT = "the keeper walked along the bank of the river and met a small dog"
"""16 tokens with start and end."""


def milliseconds(run: Callable[[], object]) -> float:
    """Processor time of one call."""
    start = time.thread_time()
    run()
    return 1000 * (time.thread_time() - start)


def measure(model: Model, rounds: int) -> dict[str, float]:
    """Median ms of a plain pass and of each part of the page."""
    twin, inputs = eager_twin(model.network), inputs_of(model, TEXT)
    largest = max(models.weight_names(model), key=lambda each: torch.Size(each.shape).numel())
    contestants: dict[str, Callable[[], object]] = {
        "plain": torch.inference_mode()(lambda: twin(**inputs.tensors)),
        "probe": lambda: models.probe(model, TEXT),
        "parts": lambda: models.part_sizes(model),
        "demands": lambda: models.demands(model),
        "largest weight": lambda: models.weight(model, largest.name),
        "neighbours": lambda: models.neighbours(model, "river"),
        "tokenizer": lambda: models.cutting(model, TEXT),
    }
    if models.attention_kinds(model):
        contestants["heads, a sentence"] = lambda: models.glance(model, [TEXT])
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(rounds + 1):
        for name, run in contestants.items():
            took = milliseconds(run)
            if number:  # the first round warms up
                times[name].append(took)
    return {name: median(values) for name, values in times.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print("| model | what | ms | ratio to a plain pass |\n|---|---|---|---|")
    for name in NAMES:
        found = measure(models.load(name), rounds)
        for what, took in found.items():
            print(f"| {name} | {what} | {took:.1f} | {took / found['plain']:.1f} |")


if __name__ == "__main__":
    main()
