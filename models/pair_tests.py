"""Next-sentence prediction, with and without (C3): a test as it is kept in the zoo.

`python -m models.training.pair_tests` asks two models that were trained on the same pairs of
passages, one of them also whether the second goes on where the first ends. It keeps the hits of
each pair; shares, intervals and verdicts are computed from those here, without torch. Whether it
can be judged at all hangs on whether the question was learned: at chance there is nothing to judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Float

from models import catalog
from models.features import Features, drawn, scored
from models.kept import kept
from models.results import Provenance
from models.revisions import revision
from models.sides import Score
from models.verdict import Verdict, judge, spread_between

FILE = "next_sentence.json"
WITHOUT, WITH = "bert-v-pairs", "bert-v-next-sentence"
SEEDS = ("bert-v", "bert-v-seed1", "bert-v-seed2")
CHANCE = 0.5
LITTLE = 0.01
"""What adds less than one point in a hundred is said to add little."""

Draws = Float[np.ndarray, " draw"]


@dataclass(frozen=True)
class PairTests:
    """One run: the same pairs, the same words hidden, for all models."""

    seed: int
    weights: Mapping[str, str]
    """By model, the revision that was asked."""
    versions: tuple[tuple[str, str], ...]
    hits: Mapping[str, Float[np.ndarray, " pair"]]
    """By model: hidden words whose first answer is right."""
    words: Float[np.ndarray, " pair"]
    """How many words were hidden."""
    right: Float[np.ndarray, " pair"]
    """1 where `WITH` knows whether the second passage goes on where the first ends, else 0."""
    near: Float[np.ndarray, " pair"]
    """Likewise, where the false second passages are a neighbour's: the subject tells nothing."""
    follows: float
    """The share of pairs that do."""

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

    def top1(self, name: str) -> Draws:
        """The share of hidden words found: as measured, then in resamples of the pairs."""
        often = drawn(len(self.words), self.seed)
        return np.asarray(often @ self.hits[name] / (often @ self.words))

    def next_sentence(self) -> Score:
        """The share of pairs, made as in training, about which `WITH` is right."""
        return self._share(self.right)

    def neighbours(self) -> Score:
        """The same where false second passages are a neighbour's."""
        return self._share(self.near)

    def _share(self, right: Float[np.ndarray, " pair"]) -> Score:
        often = drawn(len(right), self.seed)
        return scored(often @ right / often.sum(1), len(right))

    @property
    def learned(self) -> bool:
        """Whether next-sentence prediction is above chance: its interval lies above one half."""
        return self.next_sentence().low > CHANCE

    @property
    def spread(self) -> float:
        """Standard deviation of top-1 between trainings that differ in their seed."""
        return spread_between([float(self.top1(n)[0]) for n in SEEDS if n in self.hits])


def gains(found: PairTests, features: Features | None) -> dict[str, Draws]:
    """What next-sentence prediction adds: to ``words`` and, if probed, to ``features``."""
    added = {"words": found.top1(WITH) - found.top1(WITHOUT)}
    if features is not None and {WITH, WITHOUT} <= features.views.keys():
        added["features"] = features.at_best(WITH) - features.at_best(WITHOUT)
    return added


def pair_verdicts(found: PairTests, features: Features | None) -> tuple[Verdict, ...]:
    """C3, next-sentence prediction adds little; nothing if it was not learned.

    Each effect is by how much the gain stays below `LITTLE`.
    """
    if not found.learned:
        return ()
    judged = []
    for name, draws in gains(found, features).items():
        probed = features is not None and name == "features"
        spread = features.spread if features is not None and probed else found.spread
        items = len(features.words["new"]) if features is not None and probed else len(found.words)
        one = judge(f"little {name}", LITTLE - float(draws[0]), float(draws[1:].std()), spread)
        judged.append(replace(one, items=items))
    return tuple(judged)


def stored_pairs() -> PairTests | None:
    """The last run, if the zoo keeps one."""
    return kept(FILE, from_facts)


def from_facts(facts: Mapping[str, Any]) -> PairTests:
    """A run from what is kept of it."""
    return PairTests(
        seed=facts["seed"],
        weights=facts["weights"],
        versions=tuple(facts["versions"].items()),
        hits={name: np.array(row, dtype=float) for name, row in facts["hits"].items()},
        words=np.array(facts["words"], dtype=float),
        right=np.array(facts["right"], dtype=float),
        near=np.array(facts["near"], dtype=float),
        follows=facts["follows"],
    )
