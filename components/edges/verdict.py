"""Whether attention, effect and gradients agree: in words."""

from __future__ import annotations

import numpy as np

from components.effects import nats
from components.heads.kinds import head_name
from components.shares import spelled
from components.words import fixed, number, sentences, t
from models.trace import AtBlank, ThirdOpinion

SMALL = 0.0001
"""Nats: errors below it are told as such."""


def names(found: AtBlank) -> list[str]:
    """The keys as a reader sees them."""
    return [spelled([piece]) for piece in found.keys]


def verdict(found: AtBlank, head: int) -> str:
    """How far all agree in the layer, and the strongest edges of the head."""
    weights, effects = found.weights[head], found.effects[head]
    seen, felt = int(weights.argmax()), int(abs(effects).argmax())
    return sentences(agreement(found), _third(found), _strongest(found, head, seen, felt))


def agreement(found: AtBlank) -> str:
    """Attention and effect."""
    layer, edges = number(found.layer + 1), number(found.weights.size)
    if np.isnan(found.agreement):
        return t(
            "In layer {layer} all edges are alike: there is no agreement to speak of.", layer=layer
        )
    return t(
        "Over the {edges} edges of layer {layer} at the blank, weights and sizes of effects "
        "correlate with Spearman’s ρ = {rho}.",
        layer=layer,
        edges=edges,
        rho=fixed(found.agreement, 2),
    )


def _third(found: AtBlank) -> str:
    third = found.third
    if third is None or np.isnan(third.attention) or np.isnan(third.effects):
        return ""
    best = int(np.nanargmax(abs(third.values)))
    return t(
        "Integrated gradients agree with the weights to ρ = {attention} and with the effects to "
        "ρ = {effects}; by them, “{word}” adds most: {nats}.",
        attention=fixed(third.attention, 2),
        effects=fixed(third.effects, 2),
        word=names(found)[best],
        nats=nats(float(third.values[best])),
    )


def _strongest(found: AtBlank, head: int, seen: int, felt: int) -> str:
    keys, at = names(found), head_name(found.layer, head)
    values = {
        "head": at,
        "seen": keys[seen],
        "weight": fixed(float(found.weights[head, seen]), 2),
        "nats": nats(float(found.effects[head, seen])),
    }
    if seen == felt:
        return t(
            "At the blank, {head} looks most at “{seen}” ({weight}), and cutting that edge "
            "changes the answer most, too: {nats}.",
            **values,
        )
    return t(
        "At the blank, {head} looks most at “{seen}” ({weight}): cutting that edge changes the "
        "answer by {nats}. Most changes by cutting “{felt}”: {most}.",
        **values,
        felt=keys[felt],
        most=nats(float(found.effects[head, felt])),
    )


def caution(found: AtBlank, head: int) -> str:
    """What the numbers are, and what they are not."""
    effects = found.effects[head]
    return sentences(
        t(
            "A weight says where a head reads, not that the answer needs it: other heads and "
            "layers carry the same words on. Beside it stands what cutting that one edge "
            "changes; the bars of effects are scaled to the largest, {nats}.",
            nats=nats(float(effects[int(abs(effects).argmax())])),
        ),
        "" if found.third is None else completeness(found.third),
    )


def completeness(third: ThirdOpinion) -> str:
    """Where the gradients lead from and to, and how far their sum is off."""
    about = third.about
    return sentences(
        t(
            "A key that speaks for the answer has a negative effect of cutting and positive "
            "gradients."
        ),
        t(
            "Integrated gradients belong to a word, whatever head reads it: they lead in {steps} "
            "steps from a text of no words (log p = {start}) to this one ({end}).",
            steps=number(about.steps),
            start=fixed(about.baseline, 2),
            end=fixed(about.original, 2),
        ),
        t("This model reads no masks: the mean of all word vectors stands for no word.")
        if about.mean_baseline
        else t("[MASK] stands for no word."),
        t("Words elsewhere add {nats} together.", nats=nats(third.elsewhere))
        if abs(third.elsewhere) >= SMALL
        else "",
        t(
            "Completeness error: {nats} nats.",
            nats=fixed(abs(about.error), 4)
            if abs(about.error) >= SMALL
            else t("less than {nats}", nats=fixed(SMALL, 4)),
        ),
    )
