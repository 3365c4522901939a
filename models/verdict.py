"""One way to judge a claim: by its effect, beside what chance alone does to it.

A claim is an effect that a textbook says is above 0. *Supported*: it is, by more than twice the
larger of its standard error (bootstrap over documents or items) and the spread between trainings
that differ in their seed alone; *opposite*: it is as far below; else it is *within noise*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import stdev
from typing import Literal

Outcome = Literal["supported", "within noise", "opposite"]


@dataclass(frozen=True)
class Verdict:
    """What became of a claim."""

    claim: str
    """Its name; a page words it."""
    effect: float
    """Above 0 if as claimed: a difference of shares, of bits, of nats."""
    error: float
    """Its standard error."""
    outcome: Outcome
    spread: float = 0.0
    """Standard deviation between trainings with other seeds; 0 where there is one training."""
    items: int = 0
    """How many documents or items were asked; 0 where nobody says."""


def judge(claim: str, effect: float, error: float, spread: float = 0.0) -> Verdict:
    """The outcome of a measured effect.

    Args:
        claim: Its name.
        effect: Above 0 if as claimed.
        error: Its standard error over documents or items.
        spread: Standard deviation between seeds, if known.

    Raises:
        ValueError: A number is not finite, or an error below 0: there is nothing to judge.
    """
    if not all(map(isfinite, (effect, error, spread))) or min(error, spread) < 0:
        raise ValueError(f"{claim}: effect {effect}, error {error}, spread {spread}")
    outcome: Outcome = "within noise"
    if abs(effect) > 2 * max(error, spread):
        outcome = "supported" if effect > 0 else "opposite"
    return Verdict(claim, effect, error, outcome, spread)


def spread_between(seeds: Sequence[float]) -> float:
    """The standard deviation of one figure over trainings with other seeds; 0 of fewer than two."""
    return stdev(seeds) if len(seeds) > 1 else 0.0
