"""Do attention and effect agree? A head's edges at the blank: each weight, and what a cut does."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import numpy as np

from components.effects import nats
from components.heads.kinds import head_name
from components.pictures import Bar, Group, Svg, bar_chart
from components.register import register
from components.shares import spelled
from components.takeaway import Column, Table, origin, precise
from components.theme import Colour
from components.words import fixed, number, sentences, t
from models.trace import AtBlank

__all__ = ["edges", "numbers", "picture", "verdict"]

_edges = register("edges", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


def edges(found: AtBlank, head: int, *, key: str, colour: Colour) -> None:
    """Draw the edges of one head of the layer."""
    weights, effects = found.weights[head], found.effects[head]
    most = float(abs(effects).max()) or 1.0
    _edges(
        key=key,
        data={
            "serial": next(_serial),
            "colour": colour.mark,
            "headline": verdict(found, head),
            "caution": t(
                "A weight says where a head reads, not that the answer needs it: other heads and "
                "layers carry the same words on. Beside it stands what cutting that one edge "
                "changes; the bars of effects are scaled to the largest, {nats}.",
                nats=nats(float(effects[int(abs(effects).argmax())])),
            ),
            "rows": [
                {
                    "key": name,
                    "weight": min(1.0, float(weight)),
                    "weightShown": fixed(float(weight), 3),
                    "effect": float(effect) / most,
                    "effectShown": fixed(round(float(effect), 4) + 0.0, 4),  # never "−0.0000"
                }
                for name, weight, effect in zip(names(found), weights, effects, strict=True)
            ],
            "words": {
                "caption": t("Weight and effect of each edge"),
                "heads": [t("Key"), t("Weight"), t("Effect of cutting it (nats)")],
            },
        },
    )


def names(found: AtBlank) -> list[str]:
    """The keys as a reader sees them."""
    return [spelled([piece]) for piece in found.keys]


def verdict(found: AtBlank, head: int) -> str:
    """How far both agree in the layer, and the two strongest edges of the head, in words."""
    weights, effects = found.weights[head], found.effects[head]
    seen, felt = int(weights.argmax()), int(abs(effects).argmax())
    return sentences(_agreement(found), _strongest(found, head, seen, felt))


def _agreement(found: AtBlank) -> str:
    layer, edges_ = number(found.layer + 1), number(found.weights.size)
    if np.isnan(found.agreement):
        return t(
            "In layer {layer} all edges are alike: there is no agreement to speak of.", layer=layer
        )
    return t(
        "Do they agree? Over the {edges} edges of layer {layer} at the blank, weights and sizes of "
        "effects correlate with Spearman’s ρ = {rho}.",
        layer=layer,
        edges=edges_,
        rho=fixed(found.agreement, 2),
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


def numbers(found: AtBlank) -> Table:
    """One row for each edge of the layer at the blank."""
    return Table(
        columns=[
            Column("layer", t("Layer")),
            Column("head", t("Head")),
            Column("key", t("Place of the key"), lambda place: number(place + 1)),
            Column("key_text", t("Key")),
            Column("weight", t("Weight"), precise),
            Column("effect_nats", t("Change of log p (nats)"), precise),
        ],
        rows=[
            (found.layer, head, key, name, float(found.weights[head, key]), float(effect))
            for head, row in enumerate(found.effects)
            for key, (name, effect) in enumerate(zip(names(found), row, strict=True))
        ],
        note=_agreement(found),
    )


def picture(found: AtBlank, head: int, colour: Colour) -> Svg:
    """Weights on the left, sizes of the effects on the right."""
    weights, effects = found.weights[head], abs(found.effects[head])
    keys, most = names(found), float(effects.max()) or 1.0
    looked = [Bar(k, float(w), fixed(float(w), 3)) for k, w in zip(keys, weights, strict=True)]
    cut = [
        Bar(k, float(e), fixed(float(signed), 4))
        for k, e, signed in zip(keys, effects / most, found.effects[head], strict=True)
    ]
    size = t("Effect of cutting it (nats)")
    return bar_chart(
        verdict(found, head),
        [Group(t("Weight"), looked), Group(size, cut, axis=fixed(most, 3))],
        full=1.0,
        axis="1",
        colour=colour.mark,
        footnote=origin(found.provenance),
    )
