"""What frozen features tell of a word's part of speech, layer by layer, as it is kept in the zoo.

`python -m models.training.features` trains a linear probe on the states of every layer of every
model and keeps which of its answers are right; shares, intervals and verdicts are computed from
those here, without torch. The label of a word is the part of speech under which WordNet gives the
sentence as an example of it.

The probe is asked about words it has not learned from (``new``), in sentences that no model has
read; and about other sentences of words it has learned from (``known``). There stands its control
task, too (Hewitt & Liang 2019): labels drawn once for each word, which can only be learned by heart
(``control``). The layer that is called a model's best is the best for ``known``, so that ``new``
does not choose what it is to judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from jaxtyping import Bool, Float, Int

from models import catalog
from models.kept import kept
from models.recurrence import VARIANTS
from models.results import Provenance
from models.revisions import revision
from models.sides import Score
from models.verdict import Verdict, judge, spread_between

FILE = "features.json"
Asked = Literal["new", "known", "control"]
ASKED: tuple[Asked, ...] = ("new", "known", "control")
RESAMPLES = 2_000
SEEDS = ("bert-v", "bert-v-seed1", "bert-v-seed2")
MATCHED: Mapping[str, str] = {
    "bert": "bert-s-en", "gpt": "gpt-s-en", "seq": "seq-s-en", "elmo": "elmo-s-en",
}  # fmt: skip
"""Of equal size, by architecture: those about which claims are judged."""
BELOW = ("static", "input")
"""What is no layer's work: word vectors, and their sum with the position."""

Draws = Float[np.ndarray, " draw"]


@dataclass(frozen=True)
class Featured:
    """One model's frozen features."""

    model: str
    family: str
    layers: tuple[str, ...]
    """``static`` (word vectors), ``input`` (what the first layer reads), then ``1``, ``2``, …"""
    right: Mapping[tuple[str, Asked], Bool[np.ndarray, " item"]]
    """By layer: which answers of the probe are right."""

    @property
    def best(self) -> str:
        """The layer that tells known words best; the lower of two that do."""
        own = [layer for layer in self.layers if layer not in BELOW]
        return max(own, key=lambda layer: float(self.right[layer, "known"].mean()))


@dataclass(frozen=True)
class Features:
    """One run of the probe."""

    views: Mapping[str, Featured]
    """By model."""
    weights: Mapping[str, str]
    """By model, the revision that was probed."""
    versions: tuple[tuple[str, str], ...]
    seed: int
    learned: int
    """How many sentences the probe learned from."""
    words: Mapping[str, Int[np.ndarray, " item"]]
    """``new`` and ``known``: which word each item is about."""
    often: float
    """The share of ``new`` that the commonest part of speech alone would get."""

    @property
    def changed(self) -> tuple[str, ...]:
        """The models whose weights are others now, or gone."""
        return tuple(
            name for name, then in self.weights.items() if revision(catalog.ZOO / name) != then
        )

    def provenance(self, names: tuple[str, ...]) -> tuple[Provenance, ...]:
        """Where the numbers of some models come from."""
        return tuple(
            Provenance(name, self.weights[name], "float32", self.versions)
            for name in names
            if name in self.weights
        )

    def draws(self, view: Featured, layer: str, asked: Asked = "new") -> Draws:
        """The share of right answers: as measured, then in resamples of the words.

        The same words are drawn for all models and layers, so that differences are paired.
        """
        words = self.words["new" if asked == "new" else "known"]
        right = np.bincount(words, view.right[layer, asked])
        often = drawn(int(words.max()) + 1, self.seed)
        return np.asarray(often @ right / (often @ np.bincount(words)))

    def score(self, view: Featured, layer: str, asked: Asked = "new") -> Score:
        """The share with the middle 95 % of its resamples."""
        return scored(self.draws(view, layer, asked), len(view.right[layer, asked]))

    def at_best(self, model: str, asked: Asked = "new") -> Draws:
        """The share at a model's best layer; KeyError if it was not probed."""
        view = self.views[model]
        return self.draws(view, view.best, asked)

    @property
    def spread(self) -> float:
        """Standard deviation of the best share between trainings that differ in their seed."""
        return spread_between([float(self.at_best(n)[0]) for n in SEEDS if n in self.views])

    def gain(self, model: str) -> Draws:
        """How much more the best layer tells than word vectors do."""
        return np.asarray(self.at_best(model) - self.draws(self.views[model], "static"))


def scored(draws: Draws, items: int) -> Score:
    """A figure with the middle 95 % of its resamples."""
    low, high = np.percentile(draws[1:], [2.5, 97.5])
    return Score(float(draws[0]), float(low), float(high), items)


@lru_cache(maxsize=8)
def drawn(count: int, seed: int) -> Float[np.ndarray, "draw word"]:
    """How often each of so many is drawn: first every one once, then in resamples."""
    rng = np.random.default_rng([seed, count])
    resampled = rng.multinomial(count, np.full(count, 1 / count), size=RESAMPLES)
    return np.vstack([np.ones(count), resampled])


def feature_verdicts(found: Features) -> tuple[Verdict, ...]:
    """C16: what becomes of the claims about features, of models that were probed."""
    seeds = [float(found.gain(name)[0]) for name in SEEDS if name in found.views]
    judged = [
        _judged(found, f"layers {family}", found.gain(name), spread_between(seeds))
        for family, name in MATCHED.items()
        if name in found.views
    ]
    bert, gpt = MATCHED["bert"], MATCHED["gpt"]
    if bert in found.views:
        heart = found.at_best(bert, "known") - found.at_best(bert, "control")
        judged.append(_judged(found, "heart", heart, 0.0))
        view = found.views[bert]
        top = found.at_best(bert) - found.draws(view, view.layers[-1])
        judged.append(_judged(found, "top", top, found.spread))
    if bert in found.views and gpt in found.views:
        sides = found.at_best(bert) - found.at_best(gpt)
        judged.append(_judged(found, "sides", sides, found.spread))
    return tuple(judged)


def depth_verdicts(found: Features) -> tuple[Verdict, ...]:
    """C9: whether a Transformer's features tell more than an LSTM's, by layers of both."""
    return tuple(
        _judged(found, f"features {layers}", difference(found, layers), found.spread)
        for layers in sorted(VARIANTS["gpt"])
        if VARIANTS["gpt"][layers] in found.views and VARIANTS["lstm"][layers] in found.views
    )


def difference(found: Features, layers: int) -> Draws:
    """By how much the best layer of the Transformer tells more than that of the LSTM."""
    one, other = (found.at_best(VARIANTS[kind][layers]) for kind in ("gpt", "lstm"))
    return np.asarray(one - other)


def _judged(found: Features, claim: str, draws: Draws, spread: float) -> Verdict:
    one = judge(claim, float(draws[0]), float(draws[1:].std()), spread)
    return replace(one, items=len(found.words["known" if claim == "heart" else "new"]))


def stored_features() -> Features | None:
    """The last run, if the zoo keeps one."""
    return kept(FILE, from_facts)


def from_facts(facts: Mapping[str, Any]) -> Features:
    """A run from what is kept of it."""
    words = {name: np.array(numbers) for name, numbers in facts["words"].items()}
    return Features(
        views={name: _featured(name, row, words) for name, row in facts["views"].items()},
        weights=facts["weights"],
        versions=tuple(facts["versions"].items()),
        seed=facts["seed"],
        learned=facts["learned"],
        words=words,
        often=facts["often"],
    )


def _featured(
    model: str, row: Mapping[str, Mapping[str, str]], words: Mapping[str, np.ndarray]
) -> Featured:
    right = {
        (layer, asked): unpacked(packed[asked], len(words["new" if asked == "new" else "known"]))
        for layer, packed in row.items()
        for asked in ASKED
    }
    return Featured(model, model.partition("-")[0], tuple(row), right)


def packed(right: Bool[np.ndarray, " item"]) -> str:
    """Yes and no for each item, as hexadecimal digits."""
    return np.packbits(np.asarray(right, dtype=bool)).tobytes().hex()


def unpacked(digits: str, count: int) -> Bool[np.ndarray, " item"]:
    """The first `count` of what `packed` wrote."""
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(digits), dtype=np.uint8), count=count)
    return bits.astype(bool)
