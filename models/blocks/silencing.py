"""Heads silenced one after another, the least useful first or the most useful first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from models.block_records import Silenced
from models.blocks import snippets
from models.blocks.walk import asked
from models.interventions import SilenceHeads
from models.results import Sentence
from models.runs import answers
from models.tracing import NAME
from models.wiring import prepare

if TYPE_CHECKING:
    from models.loading import Model

Head = tuple[int, int]
POINTS = 16
"""Of a curve at most: every one is a run more."""


def silenced(
    model: Model, sentence: Sentence, blank: int = 0, check: Callable[[], None] | None = None
) -> Silenced:
    """Silence every head by itself, then more and more; see `models.blocks_asked.silenced`."""
    question = asked(model, sentence, blank, check)
    wiring = prepare(model.network, NAME)
    stack = wiring.stacks[-1]
    depth, heads = wiring.depth[stack], wiring.heads[stack]
    every = [(layer, head) for layer in range(depth) for head in range(heads)]
    word = question.followed.word.token_id

    def log_p(sets: Sequence[Sequence[Head]]) -> np.ndarray:
        edits = [quiet(each) for each in sets]
        network, tensors = model.network, question.question.tensors
        found = answers(network, tensors, [question.position], edits, check)
        return np.asarray(found[:, 0, word].numpy())

    untouched, *alone = log_p([(), *([each] for each in every)]).tolist()
    effects = np.array(alone) - untouched
    order = [every[i] for i in np.argsort(-effects, kind="stable")]
    counts = points(len(every))
    rising = log_p([order[:count] for count in counts])
    falling = log_p([order[len(order) - count :] for count in counts])
    return Silenced(
        followed=question.followed,
        alone=effects.reshape(depth, heads),
        counts=counts,
        least_first=rising,
        most_first=falling,
        order=tuple(order),
        provenance=model.provenance,
        snippet=snippets.silenced(question, counts, heads),
    )


def points(heads: int) -> tuple[int, ...]:
    """How many heads to silence at each point: evenly from none to all."""
    return tuple(sorted({round(i * heads / POINTS) for i in range(POINTS + 1)}))


def quiet(heads: Sequence[Head]) -> tuple[SilenceHeads, ...]:
    """The interventions that silence these heads."""
    by_layer: dict[int, list[int]] = defaultdict(list)
    for layer, head in heads:
        by_layer[layer].append(head)
    return tuple(SilenceHeads(layer, tuple(sorted(some))) for layer, some in by_layer.items())
