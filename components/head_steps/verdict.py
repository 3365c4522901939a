"""With or without the transform: what it did for one word, in a sentence."""

from __future__ import annotations

from math import log

from components.head_steps.stages import Pair, followed
from components.shares import rare
from components.words import number, sentences, t
from models.trace import HeadSteps

LITTLE = 0.1
"""Nats: a smaller change of the log-probability is no difference worth a verdict."""


def gain(pair: Pair) -> float | None:
    """How much the transform adds to the word's log-probability, in nats; None without a number."""
    if pair.without is None or not pair.without.probability or not pair.with_it.probability:
        return None
    return log(pair.with_it.probability) - log(pair.without.probability)


def verdict(steps: HeadSteps) -> str:
    """Does this word need dense, activation and LayerNorm? Computed, whatever the answer."""
    pair = followed(steps)
    if pair.without is None:
        return t(
            "The head changes the width, from {state} numbers to {head}: the vocabulary matrix "
            "does not fit the bare state, so nothing can be left out.",
            state=number(len(steps.hidden)),
            head=number(len(steps.dense)),
        )
    nats = gain(pair)
    return sentences(_judgement(nats), _compared(pair), _in_nats(nats))


def _judgement(nats: float | None) -> str:
    if nats is None:
        return ""
    if abs(nats) < LITTLE:
        return t("No difference here.")
    return t("Supported here.") if nats > 0 else t("Not supported here: the opposite.")


def _compared(pair: Pair) -> str:
    if pair.without is None:
        return ""
    return t(
        "With dense, activation and LayerNorm “{word}” is rank {rank} with {share}; without them, "
        "rank {other_rank} with {other_share}.",
        word=pair.word,
        rank=number(pair.with_it.rank),
        share=rare(pair.with_it.probability),
        other_rank=number(pair.without.rank),
        other_share=rare(pair.without.probability),
    )


def _in_nats(nats: float | None) -> str:
    if nats is None or abs(nats) < LITTLE:
        return ""
    if nats > 0:
        return t("They add {nats} nats to its log-probability.", nats=number(nats, 1, exactly=True))
    return t("They take {nats} nats from its log-probability.", nats=number(-nats, 1, exactly=True))


def caution() -> str:
    """What the verdict does not say."""
    return t(
        "This is one word in one sentence. And the model was trained with these steps: that it "
        "fails without them does not show that no model could do without."
    )
