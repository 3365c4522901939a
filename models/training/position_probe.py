"""Probe the states of each layer for position and word, and keep the hits in the zoo.

    python -m models.training.position_probe

writes models/zoo/position_probe.json: for every model and layer, how many tokens of each sentence
a linear probe tells right. The sentences are the hand-written ones of the repository, split five
times by sentence, so that no sentence is asked about that the probe has learned from. A minute or
two on one core; nothing but the repository is needed. `models.read_back` reads it and judges.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

import models
from models.catalog import ZOO
from models.inputs import read
from models.interventions import NoPositions
from models.loading import Model
from models.read_back import FILE, TASKS, Task
from models.seeing.states import layer_states
from models.training.both_sides import SIDES, filled
from models.training.everyday import read_items

SEED, FOLDS = 0, 5
POSITIONS, SENTENCES_WITH = 10, 8
"""Positions told apart, from the first token; a word is one of the classes if so many have it."""
PENALTY = 1e-2
"""Of the ridge, as a share of the mean square of a feature; fixed before any result was seen."""

MODELS = (
    ("bert-s-en", False), ("gpt-s-en", False), ("elmo-s-en", False), ("seq-s-en", False),
    ("bert-s-en", True), ("gpt-s-en", True), ("bert-v", False), ("bert-v-sinusoids", False),
    ("bert-v-no-positions", False),
)  # fmt: skip
"""Those that are there are probed; True: with the positions taken away."""


@dataclass(frozen=True)
class Labelled:
    """The tokens of all sentences that are asked about."""

    sentence: Int[np.ndarray, " token"]
    position: Int[np.ndarray, " token"]
    piece: Int[np.ndarray, " token"]
    states: dict[str, Float[np.ndarray, "token width"]]
    """By layer."""


def sentences() -> list[str]:
    """The hand-written ones, each with its word in place."""
    return sorted({filled(item).text for item in (*read_items(SIDES), *read_items())})


def labelled(model: Model, texts: Sequence[str], taken_away: bool) -> Labelled:
    """Every token of the texts, with its states."""
    changes = (NoPositions(),) if taken_away else ()
    found: list[tuple[int, int, int]] = []
    layers: dict[str, list[np.ndarray]] = {}
    for number, text in enumerate(texts):
        inputs = read(model, text, target="") if model.has_decoder else read(model, text)
        states = layer_states(model, inputs, changes=changes)
        kept = [i for i, token in enumerate(inputs.tokens) if token.kind != "special"][:POSITIONS]
        found += [(number, at, inputs.tokens[i].id) for at, i in enumerate(kept)]
        for layer, state in states.items():
            layers.setdefault(layer, []).append(state[kept].double().numpy())
    sentence, position, piece = np.array(found).T
    return Labelled(sentence, position, piece, {k: np.concatenate(v) for k, v in layers.items()})


def folds(count: int) -> Int[np.ndarray, " sentence"]:
    """Which fold each sentence is asked about in."""
    return np.random.default_rng(SEED).permutation(np.arange(count) % FOLDS)


def common(data: Labelled) -> Int[np.ndarray, " word"]:
    """The pieces that stand in enough sentences."""
    pairs = set(zip(data.sentence.tolist(), data.piece.tolist(), strict=True))
    counts = Counter(piece for _, piece in pairs)
    return np.array(sorted(p for p, many in counts.items() if many >= SENTENCES_WITH))


def tasks(data: Labelled) -> Iterator[tuple[Task, np.ndarray, np.ndarray]]:
    """Each task: which tokens it asks about, and their labels.

    The control of a position is drawn for each word, that of a word for each position; both as
    often as the labels themselves.
    """
    rng = np.random.default_rng(SEED)
    everyone = np.arange(len(data.piece))
    yield "position", everyone, data.position
    pieces, which = np.unique(data.piece, return_inverse=True)
    yield "position control", everyone, rng.choice(data.position, len(pieces))[which]
    classes = common(data)
    some = np.flatnonzero(np.isin(data.piece, classes))
    words = np.searchsorted(classes, data.piece[some])
    yield "word", some, words
    yield "word control", some, rng.choice(words, POSITIONS)[data.position[some]]


def predicted(
    states: Float[np.ndarray, "token width"],
    labels: Int[np.ndarray, " token"],
    fold: Int[np.ndarray, " token"],
) -> Int[np.ndarray, " token"]:
    """What a ridge on one-hot labels says of each token, trained on the other folds."""
    answers = np.zeros(len(labels), dtype=int)
    targets = np.eye(int(labels.max()) + 1)[labels]
    for each in range(FOLDS):
        train, test = fold != each, fold == each
        if not test.any():
            continue
        middle, spread = states[train].mean(0), states[train].std(0) + 1e-9
        x, y = (states[train] - middle) / spread, targets[train]
        ridge = x.T @ x + PENALTY * len(x) * np.eye(x.shape[1])
        weights = np.linalg.solve(ridge, x.T @ (y - y.mean(0)))
        answers[test] = ((states[test] - middle) / spread @ weights + y.mean(0)).argmax(1)
    return answers


def probed(name: str, taken_away: bool, texts: Sequence[str]) -> dict[str, object]:
    """One model: the hits of each layer, task and sentence."""
    model = models.load(name)
    data = labelled(model, texts, taken_away)
    fold = folds(len(texts))[data.sentence]
    hits: dict[str, dict[str, list[int]]] = {layer: {} for layer in data.states}
    tokens: dict[str, list[int]] = {}
    for task, some, labels in tasks(data):
        tokens[task.partition(" ")[0]] = np.bincount(
            data.sentence[some], minlength=len(texts)
        ).tolist()
        for layer, states in data.states.items():
            right = predicted(states[some], labels, fold[some]) == labels
            hits[layer][task] = np.bincount(
                data.sentence[some], right, minlength=len(texts)
            ).astype(int).tolist()  # fmt: skip
    family = name.partition("-")[0]
    return {"model": name, "family": family, "taken_away": taken_away, "hits": hits,
            "tokens": tokens}  # fmt: skip


def run(wanted: Sequence[tuple[str, bool]] = MODELS) -> dict[str, object]:
    """The whole probe, on the models that are there."""
    texts, there = sentences(), {facts.name for facts in models.bundled()}
    names = [(name, taken) for name, taken in wanted if name in there]
    first = models.load(names[0][0])
    data = labelled(first, texts, taken_away=False)
    often = {
        task: float(np.bincount(labels).max() / len(labels))
        for task, _, labels in tasks(data)
        if task in TASKS[::2]
    }
    return {
        "weights": {n: models.load(n).provenance.revision for n, _ in names},
        "versions": dict(first.provenance.versions),
        "seed": SEED,
        "sentences": len(texts),
        "positions": POSITIONS,
        "words": len(common(data)),
        "often": often,
        "views": [probed(name, taken, texts) for name, taken in names],
    }


def main() -> None:
    """Run it and write it down."""
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    text = json.dumps(run(), ensure_ascii=False, separators=(",", ":"))
    (ZOO / FILE).write_text(text + "\n", encoding="utf-8")
    print(f"written: {ZOO / FILE}")


if __name__ == "__main__":
    main()
