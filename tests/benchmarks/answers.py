"""Our answers beside transformers' fill-mask pipeline: equal to 1e-5, and how long each takes.

Run it with: python -m tests.benchmarks.answers [MODEL]

Both run in this process, in turn, on the same weights and texts, so that the ratio means something
on any machine. The pipeline computes logits at every position; ours computes them at the blanks,
and also ranks the original and measures the entropy.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

from transformers import pipeline

import models
from models.results import Prediction, Sentence

TEXTS = (
    "The cat sat on the [MASK] in the garden.",
    "She drinks a cup of [MASK] every morning before she goes to work.",
    "The old [MASK] opened the [MASK] and looked at the quiet street for a long time.",
    (
        "When the rain stopped, they ran out to play in the [MASK], and then their mother called: "
        "dinner was almost [MASK] and their father would soon be [MASK]."
    ),
)
ROUNDS = 40
TOP_K = 10


def main(name: str) -> None:
    """Print one line per text: words, blanks, largest difference, milliseconds and their ratio."""
    model = models.load(name)
    fill: Any = pipeline("fill-mask", model=model.network, tokenizer=model.tokenizer, top_k=TOP_K)
    print("words  blanks  largest difference  ours ms  pipeline ms  ours / pipeline")
    for text in TEXTS:
        theirs = text.replace("[MASK]", str(model.tokenizer.mask_token))
        difference = compare(models.predict(model, Sentence(text), TOP_K), fill(theirs))
        a, b = medians(partial(models.predict, model, Sentence(text), TOP_K), partial(fill, theirs))
        print(
            f"{len(text.split()):5}  {text.count('[MASK]'):6}  {difference:18.1e}"
            f"  {a:7.1f}  {b:11.1f}  {a / b:15.2f}"
        )
        if difference > 1e-5:
            raise SystemExit("Answers differ from the pipeline's.")


def compare(ours: Prediction, theirs: list[Any]) -> float:
    """The largest difference between probabilities of words that the pipeline lists too."""
    lists = theirs if isinstance(theirs[0], list) else [theirs]
    differences: list[float] = []
    for blank, answers in zip(ours.blanks, lists, strict=True):
        scores = {answer["token"]: answer["score"] for answer in answers}
        listed = [c for c in blank.candidates if c.token_id in scores]
        differences += [abs(c.probability - scores[c.token_id]) for c in listed]
    return max(differences)


def medians(*actions: Callable[[], object]) -> tuple[float, ...]:
    """Milliseconds of each action, run in turn so that a busy machine slows all of them alike."""
    times: list[list[float]] = [[] for _ in actions]
    for _ in range(ROUNDS):
        for action, spent in zip(actions, times, strict=True):
            start = perf_counter()
            action()
            spent.append(1_000 * (perf_counter() - start))
    return tuple(median(spent) for spent in times)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "bert-en")
