"""The lens, as a reader wants it: the best words after each layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from models import measuring
from models.answers import Lens
from models.masked.asking import Check, Masked, answer, best_word, standing
from models.results import Sentence

if TYPE_CHECKING:
    from models.loading import Model


def lens(
    model: Model, sentence: Sentence, blank: int = 0, top_k: int = 5, check: Check = None
) -> Lens:
    """The answer after every layer; see `models.lens`. Defined in `models.measures.lens`."""
    masked = Masked.of(model, sentence)
    _, span = masked.at(blank)
    found = measuring.lens(model, sentence, blank, check)
    with np.errstate(divide="ignore"):  # a probability of 0 keeps being 0
        rows = [np.log(row) for row in found.values]
    best = best_word(model, rows[-1])
    return Lens(
        span=span,
        original=masked.original(blank),
        layers=tuple(answer(model, row, found.answer, top_k) for row in rows),
        final=tuple(standing(model, row, best) for row in rows),
        provenance=model.provenance,
        snippet=found.snippet,
    )
