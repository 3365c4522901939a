"""The position probe as it is kept in the zoo: what can be read back from the states of a layer.

`python -m models.training.position_probe` runs it and keeps the hits of each sentence; shares,
intervals and verdicts are computed from those here, without torch.

A linear probe is trained on some sentences and asked about others: which position, and which word
does a state stand for? Its control task (Hewitt & Liang 2019) has labels drawn once: each word its
position, each position its word. What a probe only learns by heart, it learns there, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from jaxtyping import Float

from models import catalog
from models.claims import Draws, verdict
from models.kept import kept
from models.results import Provenance
from models.revisions import revision
from models.sides import Score
from models.verdict import Verdict

FILE = "position_probe.json"
Task = Literal["position", "position control", "word", "word control"]
TASKS: tuple[Task, ...] = ("position", "position control", "word", "word control")
RESAMPLES = 1_000

Hits = Float[np.ndarray, " sentence"]


@dataclass(frozen=True)
class Probed:
    """One model's states, as it is or with its positions taken away."""

    model: str
    family: str
    taken_away: bool
    layers: tuple[str, ...]
    """``static`` (word vectors), ``input`` (what the first layer reads), then ``1``, ``2``, …"""
    hits: Mapping[tuple[str, Task], Hits]
    """By layer and task: right answers in each sentence."""
    tokens: Mapping[str, Hits]
    """``position`` and ``word``: how many tokens of each sentence were asked about."""

    @property
    def name(self) -> str:
        """The model, and ``, positions taken away``: for a file."""
        return f"{self.model}, positions taken away" if self.taken_away else self.model


@dataclass(frozen=True)
class ReadBack:
    """One run of the probe."""

    views: tuple[Probed, ...]
    weights: Mapping[str, str]
    """By catalogue's name, the revision that was probed."""
    versions: tuple[tuple[str, str], ...]
    seed: int
    sentences: int
    positions: int
    """How many positions are told apart."""
    words: int
    """How many words are."""
    often: Mapping[str, float]
    """``position`` and ``word``: the share that the commonest answer alone would get."""

    @property
    def changed(self) -> tuple[str, ...]:
        """The models whose weights are others now, or gone."""
        return tuple(
            name for name, then in self.weights.items() if revision(catalog.ZOO / name) != then
        )

    @property
    def provenance(self) -> tuple[Provenance, ...]:
        """Where the numbers come from."""
        return tuple(
            Provenance(name, then, "float32", self.versions) for name, then in self.weights.items()
        )

    def view(self, family: str, *, taken_away: bool = False) -> Probed | None:
        """The first of an architecture."""
        found = (v for v in self.views if (v.family, v.taken_away) == (family, taken_away))
        return next(found, None)

    def draws(self, view: Probed, layer: str, task: Task) -> Draws:
        """The share of right answers; then in resamples of the sentences, the same for all."""
        hits, tokens = view.hits[layer, task], view.tokens[task.partition(" ")[0]]
        rng = np.random.default_rng(self.seed)
        picks = rng.integers(len(hits), size=(RESAMPLES, len(hits)))
        picks = np.vstack([np.arange(len(hits)), picks])
        return np.asarray(hits[picks].sum(1) / np.maximum(1.0, tokens[picks].sum(1)))

    def score(self, view: Probed, layer: str, task: Task) -> Score:
        """The share of right answers with its interval."""
        draws = self.draws(view, layer, task)
        low, high = np.percentile(draws[1:], [2.5, 97.5])
        tokens = view.tokens[task.partition(" ")[0]]
        return Score(float(draws[0]), float(low), float(high), int(tokens.sum()))


def verdicts(found: ReadBack) -> tuple[Verdict, ...]:
    """C11: what becomes of position and word on their way up; of models that were probed."""
    judged = []
    bert = found.view("bert")
    if bert is not None:
        first, last = bert.layers[1], bert.layers[-1]
        judged += [
            _less(found, "added", (bert, first, "position"), (bert, first, "position control")),
            _less(found, "mixed on", (bert, first, "position"), (bert, last, "position")),
            verdict("word", found.draws(bert, last, "word") - found.often["word"]),
        ]
    for family, claim in (("bert", "encoder"), ("gpt", "causal")):
        view = found.view(family, taken_away=True)
        if view is not None:
            top, static = view.layers[-1], view.layers[0]
            judged.append(_less(found, claim, (view, top, "position"), (view, static, "position")))
    return tuple(judged)


Asked = tuple[Probed, str, Task]


def _less(found: ReadBack, claim: str, one: Asked, other: Asked) -> Verdict:
    """Whether the first share is the larger one."""
    return verdict(claim, found.draws(*one) - found.draws(*other))


def stored() -> ReadBack | None:
    """The last run, if the zoo keeps one."""
    return kept(FILE, parse)


def parse(facts: Mapping[str, Any]) -> ReadBack:
    """A run from what is kept of it."""
    return ReadBack(
        views=tuple(map(_probed, facts["views"])),
        weights=facts["weights"],
        versions=tuple(facts["versions"].items()),
        seed=facts["seed"],
        sentences=facts["sentences"],
        positions=facts["positions"],
        words=facts["words"],
        often=facts["often"],
    )


def _probed(row: Mapping[str, Any]) -> Probed:
    return Probed(
        row["model"],
        row["family"],
        row["taken_away"],
        tuple(row["hits"]),
        {
            (layer, task): np.array(tasks[task], dtype=float)
            for layer, tasks in row["hits"].items()
            for task in TASKS
        },
        {task: np.array(counts, dtype=float) for task, counts in row["tokens"].items()},
    )
