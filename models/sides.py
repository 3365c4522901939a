"""The both-sides test as it is kept in the zoo: who answers what the left, the right, both decide.

`python -m models.training.both_sides` runs it and keeps each answer; means, intervals and verdicts
are computed from those here, without torch. Everything random is drawn by seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from jaxtyping import Float

from models import catalog
from models.kept import kept
from models.results import Provenance, Sentence
from models.revisions import revision

FILE = "both_sides.json"

Metric = Literal["top1", "top5", "bits"]
METRICS: tuple[Metric, ...] = ("top1", "top5", "bits")
"""The hidden word is the first answer; one of the first five; and its surprisal."""
SIDES = ("left", "right", "both")
"""Where the words stand that decide."""
THIRDS = ("first", "middle", "last")
"""Of the sentence."""
RESAMPLES = 2_000


@dataclass(frozen=True)
class Score:
    """A mean over items with its bootstrap interval."""

    mean: float
    low: float
    high: float
    """The middle 95 % of resampled means."""
    items: int


@dataclass(frozen=True)
class Item:
    """One hand-written sentence with its answers."""

    sentence: Sentence
    side: str
    answers: Mapping[str, str]
    """By view: the best word."""
    ranks: Mapping[str, int]
    """Of the hidden word."""
    bits: Mapping[str, float]
    """Its surprisal."""


@dataclass(frozen=True)
class BothSides:
    """One run of the test on the matched family."""

    models: Mapping[str, str]
    """By architecture, the catalogue's name."""
    weights: Mapping[str, str]
    """By catalogue's name, the revision that was tested."""
    versions: tuple[tuple[str, str], ...]
    seed: int
    items: tuple[Item, ...]
    words: Float[np.ndarray, "sentence third"]
    """How many words of each third were hidden, one at a time."""
    sums: Mapping[tuple[str, Metric], Float[np.ndarray, "sentence third"]]
    """By view: how many of them were hit; their surprisal, added up."""

    @property
    def views(self) -> tuple[str, ...]:
        """Whose answers there are: architectures, and of ELMo each direction alone."""
        return tuple(self.items[0].ranks)

    @property
    def changed(self) -> tuple[str, ...]:
        """The models whose weights are others now, or gone."""
        return tuple(
            name for name, tested in self.weights.items() if revision(catalog.ZOO / name) != tested
        )

    @property
    def provenance(self) -> tuple[Provenance, ...]:
        """Where the numbers come from."""
        return tuple(
            Provenance(name, tested, "float32", self.versions)
            for name, tested in self.weights.items()
        )

    def values(self, view: str, metric: Metric, side: str) -> Float[np.ndarray, " item"]:
        """What each item of a side counts: 1 for a hit, or its bits."""
        mine = [item for item in self.items if item.side == side]
        if metric == "bits":
            return np.array([item.bits[view] for item in mine])
        most = 1 if metric == "top1" else 5
        return np.array([float(item.ranks[view] <= most) for item in mine])

    def by_side(self, view: str, metric: Metric, side: str) -> Score:
        """The mean over the items of one side."""
        values = self.values(view, metric, side)
        return _score(float(values.mean()), values[self._picks(len(values))].mean(1), len(values))

    def by_third(self, view: str, metric: Metric, third: int) -> Score:
        """The mean over the words of one third of all sentences; sentences are resampled."""
        sums, words = self.sums[view, metric][:, third], self.words[:, third]
        picks = self._picks(len(words))
        drawn = sums[picks].sum(1) / np.maximum(1.0, words[picks].sum(1))
        return _score(float(sums.sum() / words.sum()), drawn, int(words.sum()))

    def thirds(self, view: str, metric: Metric) -> Float[np.ndarray, "draw third"]:
        """Means of all thirds: of the sentences as they are, then of each resample of them."""
        sums, words = self.sums[view, metric], self.words
        picks = np.vstack([np.arange(len(words)), self._picks(len(words))])
        return np.asarray(sums[picks].sum(1) / np.maximum(1.0, words[picks].sum(1)))

    def means(self, view: str, metric: Metric, side: str) -> Float[np.ndarray, " draw"]:
        """The mean over a side's items as they are, then of each resample of them.

        Resamples of a side are the same for all views: differences are paired.
        """
        values = self.values(view, metric, side)
        picks = np.vstack([np.arange(len(values)), self._picks(len(values))])
        return np.asarray(values[picks].mean(1))

    def _picks(self, count: int) -> np.ndarray:
        rng = np.random.default_rng([self.seed, count])
        return rng.integers(count, size=(RESAMPLES, count))


def stored() -> BothSides | None:
    """The last run, if the zoo keeps one."""
    return kept(FILE, from_facts)


def from_facts(facts: Mapping[str, Any]) -> BothSides:
    """A run from what is kept of it."""
    items = tuple(
        Item(
            Sentence(row["text"], ((row["start"], row["end"]),)),
            row["side"],
            row["answers"],
            row["ranks"],
            row["bits"],
        )
        for row in facts["items"]
    )
    thirds = facts["thirds"]
    return BothSides(
        models=facts["models"],
        weights=facts["weights"],
        versions=tuple(facts["versions"].items()),
        seed=facts["seed"],
        items=items,
        words=np.array(thirds["words"], dtype=float),
        sums={
            (view, metric): np.array(sums[metric], dtype=float)
            for view, sums in thirds["sums"].items()
            for metric in METRICS
        },
    )


def _score(mean: float, drawn: Float[np.ndarray, " draw"], items: int) -> Score:
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Score(mean, float(low), float(high), items)
