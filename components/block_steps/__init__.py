"""Through a feed-forward network step by step: read, expand, activate, contract, add, norm."""

from __future__ import annotations

from itertools import count
from math import exp
from pathlib import Path

import components.head_steps as chain
from components.block_steps.told import activation_name, caution, stages, verdict
from components.head_steps import STAGES, vector, wording
from components.register import register
from components.shares import full_bar, joined, rare, share
from components.theme import Colour
from components.words import number, t
from models.trace import Answer, FeedForward, Swapped

__all__ = ["STAGES", "block_steps"]

# Drawn as the steps of an output head are.
_steps = register("block_steps", Path(chain.__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


def block_steps(found: FeedForward, *, key: str, colour: Colour, words: int, step: int) -> None:
    """Draw the steps, one of them opened, and the answer under every activation.

    Args:
        found: One feed-forward network at one position.
        key: A name of its own in the session; its state ``step`` is the open step, from 0.
        colour: The architecture's own.
        words: How many entries of the vocabulary can be an answer: the last rank.
        step: The open step at first; then the browser knows.
    """
    full = full_bar(each.answer.best[0].probability for each in found.swapped)
    _steps(
        key=key,
        data={
            "serial": next(_serial),
            "colour": colour.mark,
            "step": step,
            "stages": [vector(stage) for stage in stages(found)],
            "verdict": verdict(found),
            "caution": caution(),
            "outcomes": [_outcome(found, each, words) for each in found.swapped],
            "full": full,
            "words": wording(full) | {"steps": t("The steps of the feed-forward network")},
        },
        on_step_change=lambda: None,
    )


def _outcome(found: FeedForward, swapped: Swapped, words: int) -> dict[str, object]:
    told = t(
        "{share} · rank {rank} of {words}",
        share=rare(exp(swapped.log_p)),
        rank=number(swapped.rank),
        words=number(words),
    )
    name = t("“{word}”", word=joined(found.followed.word))
    return {
        "title": activation_name(swapped.activation, own=swapped.activation == found.activation),
        "bars": _bars(swapped.answer, found.followed.word.token_id),
        "standing": t("{name}: {text}", name=name, text=told),
    }


def _bars(answer: Answer, word: int) -> list[dict[str, object]]:
    return [
        {
            "word": joined(each),
            "value": each.probability,
            "shown": share(each.probability),
            "strong": each.token_id == word,
        }
        for each in answer.best
    ]
