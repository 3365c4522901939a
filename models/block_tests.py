"""The tests of a block's parts as they are kept in the zoo: what each is worth, on held-out text.

`python -m models.training.inside` runs them and keeps the numbers of every passage; means,
intervals and differences are computed from those here, without torch. Differences between models
are paired: all answer the same passages, with the same words hidden. Resamples are drawn by seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from models import catalog
from models.kept import kept
from models.results import Provenance
from models.revisions import revision
from models.sides import Score
from models.verdict import spread_between

FILE = "block.json"
BASE = "bert-v"
SEEDS = (BASE, "bert-v-seed1", "bert-v-seed2")
RESAMPLES = 2_000

Draws = Float[np.ndarray, " draw"]
"""A figure: as measured, then in each resample."""


@dataclass(frozen=True)
class Sums:
    """What a model scored on each passage: nats, and how many words were asked."""

    nats: Float[np.ndarray, " passage"]
    words: Float[np.ndarray, " passage"]

    def draws(self, seed: int) -> Draws:
        """The loss in nats per word, as it is and in resamples of the passages.

        Of as many passages the resamples are the same picks: differences of models are paired.
        """
        picks = picked(len(self.nats), seed)
        return np.asarray(self.nats[picks].sum(1) / self.words[picks].sum(1))


@dataclass(frozen=True)
class Curves:
    """Heads silenced one after another; the order is from other passages than the losses."""

    order: tuple[tuple[int, int], ...]
    """From the head whose loss hurt least."""
    counts: tuple[int, ...]
    least_first: Float[np.ndarray, "count passage"]
    most_first: Float[np.ndarray, "count passage"]
    """Nats of each passage."""
    words: Float[np.ndarray, " passage"]

    def draws(self, which: str, silent: int, seed: int) -> Draws:
        """The loss with so many heads silent, ``least_first`` or ``most_first``."""
        nats = getattr(self, which)[self.counts.index(silent)]
        return Sums(nats, self.words).draws(seed)


@dataclass(frozen=True)
class BlockTests:
    """One run of all tests."""

    seed: int
    weights: Mapping[str, str]
    """By model, the revision that was tested."""
    versions: tuple[tuple[str, str], ...]
    losses: Mapping[str, Sums]
    """By model; of a model with something off by "model/way"."""
    residual: Mapping[str, Float[np.ndarray, "passage layer"]]
    """‖x − mean‖ / ‖x‖, by the same names."""
    cosine: Mapping[str, Float[np.ndarray, "passage layer"]]
    silenced: Mapping[str, Curves]
    read: Mapping[str, tuple[Sums, Sums]]
    """Of models that read little text often: on what they have read, and on held-out text."""

    @property
    def changed(self) -> tuple[str, ...]:
        """The models whose weights are others now, or gone."""
        return tuple(
            name for name, tested in self.weights.items() if revision(catalog.ZOO / name) != tested
        )

    def provenance(self, names: Sequence[str]) -> tuple[Provenance, ...]:
        """Where the numbers of some models come from."""
        return tuple(
            Provenance(name, self.weights[name], "float32", self.versions)
            for name in dict.fromkeys(each.partition("/")[0] for each in names)
            if name in self.weights
        )

    def loss(self, name: str) -> Draws:
        """Of a model; KeyError if it was not tested."""
        return self.losses[name].draws(self.seed)

    def top(self, name: str, measure: str = "residual") -> Draws:
        """A measure of likeness at the last layer."""
        return self.by_layer(name, measure)[:, -1]

    def by_layer(self, name: str, measure: str = "residual") -> Float[np.ndarray, "draw layer"]:
        """A measure of likeness, mean over the passages."""
        values: Float[np.ndarray, "passage layer"] = getattr(self, measure)[name]
        return np.asarray(values[picked(len(values), self.seed)].mean(1))

    def gap(self, name: str) -> Draws:
        """How much better a model does on what it has read than on what it has not."""
        own, held = self.read[name]
        return held.draws(self.seed) - own.draws(self.seed + 1)

    @property
    def seeds(self) -> float:
        """Standard deviation of the base's loss between seeds."""
        return spread_between([float(self.loss(n)[0]) for n in SEEDS if n in self.losses])

    @property
    def seeds_of_residual(self) -> float:
        """Standard deviation of the base's residual at the top between seeds."""
        return spread_between([float(self.top(n)[0]) for n in SEEDS if n in self.residual])


def score(draws: Draws, items: int) -> Score:
    """A figure with the middle 95 % of its resamples."""
    low, high = np.percentile(draws[1:], [2.5, 97.5])
    return Score(float(draws[0]), float(low), float(high), items)


@lru_cache(maxsize=16)
def picked(count: int, seed: int) -> Int[np.ndarray, "draw passage"]:
    """First all passages as they are, then resamples of them."""
    rng = np.random.default_rng([seed, count])
    return np.vstack([np.arange(count), rng.integers(count, size=(RESAMPLES, count))])


def stored_block() -> BlockTests | None:
    """The last run, if the zoo keeps one."""
    return kept(FILE, from_facts)


def from_facts(facts: Mapping[str, Any]) -> BlockTests:
    """The tests, from what the file holds."""
    return BlockTests(
        seed=facts["seed"],
        weights=facts["weights"],
        versions=tuple(facts["versions"].items()),
        losses={name: _sums(row) for name, row in facts["losses"].items()},
        residual={name: np.array(rows) for name, rows in facts["residual"].items()},
        cosine={name: np.array(rows) for name, rows in facts["cosine"].items()},
        silenced={name: _curves(row) for name, row in facts["silenced"].items()},
        read={
            name: (_sums(row["own"]), _sums(row["held_out"])) for name, row in facts["read"].items()
        },
    )


def _sums(row: Mapping[str, Any]) -> Sums:
    return Sums(np.array(row["nats"], dtype=float), np.array(row["words"], dtype=float))


def _curves(row: Mapping[str, Any]) -> Curves:
    return Curves(
        tuple((layer, head) for layer, head in row["order"]),
        tuple(row["counts"]),
        np.array(row["least_first"], dtype=float),
        np.array(row["most_first"], dtype=float),
        np.array(row["words"], dtype=float),
    )
