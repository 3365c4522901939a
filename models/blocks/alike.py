"""Positions that grow alike: each state beside the mean of all, with parts of the block off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from models.block_records import WAYS, Alike, BlockWay
from models.blocks import snippets
from models.blocks.walk import asked
from models.interventions import Intervention, NoFeedForward, NoSkip
from models.masked.asking import best_word
from models.measures.likeness import centred_residual, mean_cosine
from models.results import Sentence

if TYPE_CHECKING:
    from models.loading import Model

CHANGES: Mapping[BlockWay, tuple[Intervention, ...]] = {
    "trained": (),
    "no ffn": (NoFeedForward(),),
    "no skip ffn": (NoSkip(around=("ffn",)),),
    "no skip attention": (NoSkip(around=("attention",)),),
    "no skips": (NoSkip(),),
}


def alike(
    model: Model, sentence: Sentence, blank: int = 0, check: Callable[[], None] | None = None
) -> Alike:
    """Measure every way; see `models.blocks_asked.alike`."""
    question = asked(model, sentence, blank, check)
    residual, cosine, log_p, best = [], [], [], []
    for way in WAYS:
        seen = question.run(["hidden_states"], CHANGES[way], check)
        states = [states for _, states in sorted(seen.stack.hidden_states.items())]
        residual.append(by_layer(states, centred_residual))
        cosine.append(by_layer(states, mean_cosine))
        answer = question.log_p_of(seen)
        log_p.append(float(answer[question.followed.word.token_id]))
        top = best_word(model, answer.numpy())
        best.append(model.vocabulary.candidate(top, float(answer[top].exp())))
    return Alike(
        followed=question.followed,
        residual=np.stack(residual),
        cosine=np.stack(cosine),
        log_p=np.array(log_p),
        best=tuple(best),
        provenance=model.provenance,
        snippet=snippets.alike(question),
    )


def by_layer(
    states: list[Float[np.ndarray, "position dim"]],
    measure: Callable[[Float[np.ndarray, "position dim"]], float],
) -> Float[np.ndarray, " layer"]:
    """One number for each layer's states."""
    return np.array([measure(each.astype(float)) for each in states])
