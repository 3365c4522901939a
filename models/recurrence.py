"""LSTM against Transformer (C9): how long both take by length, and what more layers are worth.

Times come from a stored run, `python -m models.training.speeds`; losses from the figures of trained
variants, each written when it was published. Both are judged here, without torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot, log
from typing import Any, Literal

import numpy as np
from jaxtyping import Float

from models import catalog
from models.kept import kept
from models.report import Estimate, Report, report
from models.verdict import Verdict, judge, spread_between

FILE = "speed.json"
Rival = Literal["gpt", "lstm"]
KINDS: tuple[Rival, ...] = ("gpt", "lstm")
Place = tuple[Rival, int]
"""An architecture with so many layers."""
Work = Literal["read", "learn"]
"""A forward pass; a forward and a backward pass."""
RESAMPLES = 2_000

VARIANTS: Mapping[Rival, Mapping[int, str]] = {
    "gpt": {1: "gpt-v-1-layer", 2: "gpt-v-2-layers", 4: "gpt-v"},
    "lstm": {1: "lstm-v-1-layer", 2: "lstm-v-2-layers", 4: "lstm-v-4-layers"},
}
"""By layers: as many parameters, the same text, the same next-token loss."""
SEEDS = ("bert-v", "bert-v-seed1", "bert-v-seed2")
TESTS = {"gpt": "forward", "lstm": "forward", "bert": "masked"}


@dataclass(frozen=True)
class Timed:
    """How long one model took, round after round."""

    kind: Rival
    work: Work
    threads: int
    tokens: int
    milliseconds: Float[np.ndarray, " round"]

    @property
    def median(self) -> float:
        """The usual round."""
        return float(np.median(self.milliseconds))

    def draws(self, seed: int) -> Float[np.ndarray, " draw"]:
        """Medians: as measured, then of resampled rounds. Of one round both models share a pick."""
        count = len(self.milliseconds)
        rng = np.random.default_rng([seed, count])
        picks = np.vstack([np.arange(count), rng.integers(count, size=(RESAMPLES, count))])
        return np.asarray(np.median(self.milliseconds[picks], axis=1))


@dataclass(frozen=True)
class Speeds:
    """One run: all models at all lengths, in turn, round after round."""

    seed: int
    parameters: Mapping[Rival, int]
    layers: Mapping[Rival, int]
    cores: int
    """That the machine had."""
    load: float
    """How many programs wanted a core on average while it ran, itself among them."""
    versions: tuple[tuple[str, str], ...]
    timed: tuple[Timed, ...]

    @property
    def lengths(self) -> tuple[int, ...]:
        """In tokens, growing."""
        return tuple(sorted({each.tokens for each in self.timed}))

    @property
    def rounds(self) -> int:
        """How often each was timed."""
        return len(self.timed[0].milliseconds)

    def at(self, kind: Rival, work: Work, threads: int, tokens: int) -> Timed:
        """One cell.

        Raises:
            KeyError: It was not measured.
        """
        for each in self.timed:
            if (each.kind, each.work, each.threads, each.tokens) == (kind, work, threads, tokens):
                return each
        raise KeyError((kind, work, threads, tokens))

    def sequential(self, kind: Rival, tokens: int) -> int:
        """Steps that have to wait for each other: an LSTM layer takes one for each token."""
        return self.layers[kind] * (tokens if kind == "lstm" else 1)

    def verdicts(self, work: Work) -> tuple[Verdict, ...]:
        """At the greatest length: who is faster with one thread, whom a second one helps more."""
        tokens = self.lengths[-1]

        def logs(kind: Rival, threads: int) -> Float[np.ndarray, " draw"]:
            return np.log(self.at(kind, work, threads, tokens).draws(self.seed))

        faster = logs("lstm", 1) - logs("gpt", 1)
        gains = (logs("gpt", 1) - logs("gpt", 2)) - (logs("lstm", 1) - logs("lstm", 2))
        return tuple(
            judge(name, float(draws[0]), float(draws[1:].std()))
            for name, draws in (("faster", faster), ("parallel", gains))
        )


@dataclass(frozen=True)
class Depths:
    """Held-out loss by layers, as far as the variants are trained."""

    losses: Mapping[Place, Estimate]
    targets: int
    """Words that each was asked for; 0 where nothing is there."""
    missing: tuple[str, ...]
    """Variants that are not here yet."""
    seeds: tuple[float, ...]
    """Losses of the base with different seeds."""
    models: tuple[str, ...]

    @property
    def spread(self) -> float:
        """Standard deviation between seeds; 0 while fewer than two are trained."""
        return spread_between(self.seeds)

    def verdicts(self) -> tuple[Verdict, ...]:
        """Whose loss is lower at each depth; who gains from the third and the fourth layer."""
        found = [
            judge(f"better {layers}", *gained, self.spread)
            for layers in (1, 2, 4)
            if (gained := self._between(("lstm", layers), ("gpt", layers))) is not None
        ]
        deeper = [self._between((kind, 2), (kind, 4)) for kind in KINDS]
        gpt, lstm = deeper
        if gpt is not None and lstm is not None:
            found.append(judge("stops", gpt[0] - lstm[0], hypot(gpt[1], lstm[1]), self.spread))
        return tuple(found)

    def _between(
        self, one: tuple[Rival, int], other: tuple[Rival, int]
    ) -> tuple[float, float] | None:
        """How much lower the second loss is, with its standard error; None if one is missing.

        Both answered the same passages; taken as independent, the error is rather too large.
        """
        if one not in self.losses or other not in self.losses:
            return None
        a, b = self.losses[one], self.losses[other]
        return a.mean - b.mean, hypot(a.error, b.error)


def stored_speeds() -> Speeds | None:
    """The last run, if the zoo keeps one."""
    return kept(FILE, from_facts)


def from_facts(facts: Mapping[str, Any]) -> Speeds:
    """A run from what is kept of it."""
    return Speeds(
        seed=facts["seed"],
        parameters=facts["parameters"],
        layers=facts["layers"],
        cores=facts["cores"],
        load=facts["load"],
        versions=tuple(facts["versions"].items()),
        timed=tuple(
            Timed(row["kind"], row["work"], row["threads"], row["tokens"], np.array(row["ms"]))
            for row in facts["timed"]
        ),
    )


def depths() -> Depths:
    """What the published variants say; none of them is loaded."""
    there = {facts.name: report(facts) for facts in catalog.bundled() if facts.variant}
    losses: dict[Place, Estimate] = {}
    missing, targets = [], 0
    for kind, by_layers in VARIANTS.items():
        for layers, name in by_layers.items():
            found = _loss(there.get(name), TESTS[kind])
            if found is None:
                missing.append(name)
            else:
                losses[kind, layers], targets = found
    seeds = [_loss(there.get(name), TESTS["bert"]) for name in SEEDS]
    named = tuple(name for names in VARIANTS.values() for name in names.values() if name in there)
    return Depths(
        losses, targets, tuple(missing), tuple(one[0].mean for one in seeds if one), named
    )


def _loss(found: Report | None, test: str) -> tuple[Estimate, int] | None:
    tested = None if found is None else found.test(test)
    if tested is None or "loss" not in tested.figures:
        return None
    return tested.figures["loss"], tested.targets


def growth(speeds: Speeds, kind: Rival, work: Work, threads: int) -> float:
    """The exponent of time over length between the two greatest lengths: 1 is proportional."""
    shorter, longer = speeds.lengths[-2:]
    first, last = (speeds.at(kind, work, threads, n).median for n in (shorter, longer))
    return log(last / first) / log(longer / shorter)
