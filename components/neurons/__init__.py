"""The strongest neurons of a feed-forward network: where they fire, and what they promote."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

import numpy as np

from components.register import register
from components.shares import joined
from components.theme import Colour
from components.words import fixed, number, percent, t
from models.trace import Followed, Neuron

__all__ = ["headline", "lifted", "neuron_name", "neurons"]

_neurons = register("neurons", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


def neurons(found: Sequence[Neuron], followed: Followed, *, key: str, colour: Colour) -> None:
    """Draw a row for each: the sentence shaded by how strongly it fires, and its words.

    Args:
        found: Strongest first.
        followed: The sentence, and where the answer is read off.
        key: A name of its own in the session.
        colour: The architecture's own.
    """
    most = max((float(np.abs(each.along).max()) for each in found), default=1.0) or 1.0
    _neurons(
        key=key,
        data={
            "serial": next(_serial),
            "colour": colour.mark,
            "headline": headline(found),
            "names": [t("Neuron"), t("Fires at"), t("Promotes")],
            "label": t("The strongest neurons"),
            "neurons": [
                {
                    "name": neuron_name(each),
                    "share": t("{share} of all that is added", share=percent(each.share, 1)),
                    "tokens": [
                        {
                            "text": token,
                            "level": round(max(0.0, float(value)) / most, 3),
                            "told": t("“{token}”: {value}", token=token, value=fixed(value, 2)),
                            "here": place == followed.position,
                        }
                        for place, (token, value) in enumerate(
                            zip(followed.tokens, each.along.tolist(), strict=True)
                        )
                    ],
                    "words": lifted(each),
                }
                for each in found
            ],
        },
    )


def neuron_name(neuron: Neuron) -> str:
    """Neurons count from 1 on the screen, as layers do."""
    return t("Neuron {number}", number=number(neuron.number + 1))


def lifted(neuron: Neuron) -> list[str]:
    """The words that it promotes, with what it adds to the logit of each."""
    return [
        t("{word} {lift}", word=joined(word), lift=f"+{fixed(lift, 2)}")
        for word, lift in zip(neuron.promotes, neuron.lifts, strict=True)
    ]


def headline(found: Sequence[Neuron]) -> str:
    """How much of the sum the strongest ones are."""
    return t(
        "These {count} neurons make {share} of all that the layer adds here.",
        count=number(len(found)),
        share=percent(sum(each.share for each in found)),
    )
