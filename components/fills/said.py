"""What filling together changed, in words computed from the two fills."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from components.shares import joined
from components.words import fixed, number, sentences, t, tn
from models.trace import Fill, JointFill

EQUAL = 0.005
"""Nats below which a difference reads as none."""


def difference(found: JointFill) -> str:
    """How the two fills differ, how much that is worth, and what was left out."""
    return sentences(_words(found), _worth(found), _left_out(found.left_out))


def _words(found: JointFill) -> str:
    changed = found.difference.changed
    if not changed:
        return t("Filled together or each by itself, the words are the same.")
    alone, joint = (
        _listed(joined(fill.words[blank]) for blank in changed)
        for fill in (found.independent, found.joint)
    )
    if len(changed) == 1:
        return t(
            "Blank {number} changes from {alone} to {joint} when the blanks are filled together.",
            number=number(changed[0] + 1),
            alone=alone,
            joint=joint,
        )
    return t(
        "{count} blanks change from {alone} to {joint} when they are filled together.",
        count=number(len(changed)),
        alone=alone,
        joint=joint,
    )


def _worth(found: JointFill) -> str:
    """The gain in nats and as a factor. A beam keeps few ways, so that it may even lose."""
    gain, times = found.difference.gain, found.difference.times
    if not found.difference.changed:
        return ""
    if abs(gain) < EQUAL:
        return t("For the model, both fit equally well.")
    if gain < 0:
        return t(
            "Here each by itself fits better, by {nats} nats: the search keeps five ways at a "
            "time, and this one was not among them.",
            nats=fixed(-gain, 2),
        )
    return t(
        "Together they fit {times} times as well: {nats} nats more.",
        times=number(float(f"{times:.2g}"), 1),
        nats=fixed(gain, 2),
    )


def _left_out(count: int) -> str:
    if not count:
        return ""
    return tn(
        "{count} blank after these stays hidden.", "{count} blanks after these stay hidden.", count
    )


def other_order(fill: Fill) -> str:
    """How much the order of filling matters: the best score in another one."""
    if fill.other_order is None or fill.other_score is None:
        return ""
    said = {"order": order_of(fill.other_order), "score": in_nats(fill.other_score)}
    if abs(fill.other_score - fill.score) < EQUAL:
        return t("The same words in the order {order} score the same: {score}.", **said)
    if fill.other_score > fill.score:
        return t("The same words in the order {order} would score better: {score}.", **said)
    return t("The same words in the order {order}, the best other one: {score}.", **said)


def order_of(order: Sequence[int]) -> str:
    """Blanks in the order in which they are filled, counted from 1."""
    return " → ".join(number(blank + 1) for blank in order)


def in_nats(score: float) -> str:
    """A sum of log-probabilities with its unit."""
    return t("{nats} nats", nats=fixed(score, 2))


def _listed(words: Iterable[str]) -> str:
    return t(", ").join(t("“{word}”", word=word) for word in words)
