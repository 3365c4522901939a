"""What "who sees what" costs: ``python -m tests.benchmarks.visibility`` prints a Markdown table.

All matrices of a text of 32 tokens, for each model of the matched family. Every word, special and
padding token is replaced by 4 others, so there are 4 versions of the text for each; an encoder and
a decoder are changed one after the other. Times are ratios to plain forward passes of the network
with its head, as transformers runs them: to one, to one for each version, and to all versions in
batches as large as ours. Medians over rounds in which all take turns, in processor time of the one
thread that computes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import torch
from torch import Tensor

import models
from models.company import Member
from models.loading import Model
from models.runs import BATCH_TOKENS
from models.seeing.replaced import laid_out

WORDS = (
    "the old man sat on the bank of the river and looked at the water for a long time while his "
    "dog slept in the sun by the wall of the house"
)
TOKENS, SUBSTITUTES = 32, 4


def text_of(model: Model) -> str:
    """Words that make exactly so many tokens, start and end included."""
    words = WORDS.split()
    for count in range(1, len(words) + 1):
        text = " ".join(words[:count])
        if len(laid_out(model, text, 0).sides["input_ids"].tokens) == TOKENS:
            return text
    raise ValueError("the words do not make that many tokens")


def milliseconds(run: Callable[[], object]) -> float:
    """Processor time of one call."""
    start = time.thread_time()
    run()
    return 1_000 * (time.thread_time() - start)


def compare(model: Model, rounds: int) -> tuple[int, float, float, float]:
    """Versions of the text; our time over that of one pass, of one for each, of plain batches."""
    text = text_of(model)
    read = laid_out(model, text, 2)
    versions = SUBSTITUTES * sum(len(side.units) for side in read.sides.values())
    rows = max(1, BATCH_TOKENS // sum(t.shape[1] for t in read.tensors.values()))

    @torch.inference_mode()
    def plain(count: int) -> object:
        batch: dict[str, Tensor] = {n: t.repeat(count, 1) for n, t in read.tensors.items()}
        return model.network(**batch)

    def batches() -> None:
        for start in range(0, versions, rows):
            plain(min(rows, versions - start))

    def ours() -> object:
        return models.sight(model, text)

    contestants = {"ours": ours, "one": lambda: plain(1), "batches": batches}
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(rounds + 1):
        for name, run in contestants.items():
            took = milliseconds(run)
            if number:  # the first round warms up
                times[name].append(took)
    mine, one, batched = (median(times[name]) for name in contestants)
    return versions, mine / one, mine / (versions * one), mine / batched


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    members: tuple[Member, ...] = models.companies()["matched"]
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}, one thread, {asked.rounds} rounds, {TOKENS} tokens\n")
    print("| model | versions | to one pass | to one pass each | to the same in plain batches |")
    print("|---|---|---|---|---|")
    for member in members:
        versions, *ratios = compare(models.load(member.model), asked.rounds)
        shown = " | ".join(f"{ratio:.2f}x" for ratio in ratios)
        print(f"| {member.model} | {versions} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
