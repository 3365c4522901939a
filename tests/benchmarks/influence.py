"""The arcs of the first page: what measuring them costs, in runs of the model and in CPU time.

Run it with: python -m tests.benchmarks.influence [--rounds 7]

Every visible word is replaced eight times, so that a sentence of twelve words has some ninety other
versions. "all versions" is one run of the network over all of them, as transformers does it, with
logits everywhere: what measuring would cost if nothing were left out. Times are CPU time of this
process, the least of several rounds: what else the machine does hardly shows in them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import process_time

import torch

import models
from models.counts import word_counts
from models.loading import Model
from models.measuring.words import versions
from models.questions import ask
from models.results import Sentence

TEXTS = (
    "The chef who ran to the store was out of [MASK] again",
    "She would like a [MASK] of tea with milk and sugar on Sunday",
)
VERSE = ("白日依山[MASK]，黃河入海流。", "春眠不覺曉，處處聞啼[MASK]。")


def main() -> None:
    """One line per model and text, and for each company what its arcs cost together."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    print("| model | versions | arcs ms | one answer ms | arcs / answer | arcs / all versions |")
    print("|---|---|---|---|---|---|")
    for company, members in models.companies().items():
        texts = VERSE if company == "verse" else TEXTS
        spent = [0.0] * len(texts)
        for member in members:
            for i, text in enumerate(texts):
                spent[i] += row(models.load(member.model), Sentence(text), rounds)
        shown = ", ".join(f"{each:.0f} ms" for each in spent)
        print(f"| **{company}**: all arcs | | {shown} | | | |")


def row(model: Model, sentence: Sentence, rounds: int) -> float:
    """Print what one model's arcs cost; milliseconds."""
    question = ask(model, sentence)
    batch, _ = versions(model, question, word_counts(model))
    arcs = least(lambda: models.influence(model, sentence), rounds)
    answer = least(lambda: models.predict(model, sentence, 5), rounds)
    plain = (
        ""
        if model.objective == "two-way"
        else f"{arcs / least(lambda: run(model, batch), rounds):.2f}"
    )
    count = len(next(iter(batch.values())))
    print(f"| {model.name} | {count} | {arcs:.0f} | {answer:.1f} | {arcs / answer:.1f} | {plain} |")
    return arcs


@torch.inference_mode()
def run(model: Model, batch: dict[str, torch.Tensor]) -> object:
    """All versions at once, as anyone would run them."""
    return model.network(**batch).logits.log_softmax(-1)


def least(action: Callable[[], object], rounds: int) -> float:
    """Milliseconds of CPU time, the least of some rounds after one to warm up."""
    action()
    times = []
    for _ in range(rounds):
        begun = process_time()
        action()
        times.append(process_time() - begun)
    return 1_000 * min(times)


if __name__ == "__main__":
    main()
