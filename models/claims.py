"""Claims about who needs which side, and a verdict on each, computed from the both-sides test.

A claim is an effect that a textbook says is above 0. *Supported*: it is, by more than twice its
standard error (bootstrap over items or sentences); *opposite*: it is as far below; else it is
*within noise*. There is one training of each model, so the spread between seeds is not known.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from models.sides import BothSides, Metric
from models.verdict import Outcome, Verdict, judge

__all__ = ["CLAIMS", "Draws", "Outcome", "Verdict", "verdict", "verdicts"]

Draws = Float[np.ndarray, " draw"]
"""An effect: as measured, then in each resample."""


def verdict(claim: str, draws: Draws) -> Verdict:
    """The outcome of an effect and its resamples (the first is the effect itself)."""
    return judge(claim, float(draws[0]), float(draws[1:].std()))


def verdicts(found: BothSides, metric: Metric) -> tuple[Verdict, ...]:
    """All claims by one metric; of bits fewer are better."""
    good = -1.0 if metric == "bits" else 1.0

    def side(view: str, side: str) -> Draws:
        return good * found.means(view, metric, side)

    def third(view: str) -> Float[np.ndarray, "draw third"]:
        return good * found.thirds(view, metric)

    return tuple(verdict(name, effect(side, third)) for name, effect in CLAIMS.items())


Side = Callable[[str, str], Draws]
Third = Callable[[str], Float[np.ndarray, "draw third"]]


def _fused(side: Side, _: Third) -> Draws:
    """C8: on what both sides decide, BERT is better than ELMo's two answers combined."""
    return side("bert", "both") - side("elmo", "both")


def _joined(side: Side, _: Third) -> Draws:
    """C8: there, both of ELMo's models together are better than the better one alone."""
    halves = side("forward", "both"), side("backward", "both")
    return side("elmo", "both") - max(halves, key=lambda draws: float(draws[0]))


def _forward(side: Side, _: Third) -> Draws:
    """C8: ELMo's forward model is better where the left decides than where the right does."""
    return _apart(side("forward", "left"), side("forward", "right"))


def _backward(side: Side, _: Third) -> Draws:
    """C8: its backward model the other way round."""
    return _apart(side("backward", "right"), side("backward", "left"))


def _left_only(side: Side, _: Third) -> Draws:
    """C10: GPT is better where the left decides than where the right does."""
    return _apart(side("gpt", "left"), side("gpt", "right"))


def _right(side: Side, _: Third) -> Draws:
    """C10: where the right decides, BERT is better than GPT."""
    return side("bert", "right") - side("gpt", "right")


def _later(_: Side, third: Third) -> Draws:
    """C10: from the first third of a sentence to the last, GPT gains more than BERT."""
    gains = {view: third(view)[:, 2] - third(view)[:, 0] for view in ("gpt", "bert")}
    return np.asarray(gains["gpt"] - gains["bert"])


CLAIMS: dict[str, Callable[[Side, Third], Draws]] = {
    "fused": _fused,
    "joined": _joined,
    "forward": _forward,
    "backward": _backward,
    "left only": _left_only,
    "right": _right,
    "later": _later,
}


def _apart(one: Draws, other: Draws) -> Draws:
    """The difference of two sides: other sentences, so they are resampled independently.

    Where both have as many items their resamples are the same picks; turned round, they are not.
    """
    return np.concatenate([one[:1] - other[:1], one[1:] - other[:0:-1]])
