"""The one-blank test: the same sentences for every kind of model, one word hidden in each.

A masked model reads both sides, GPT the left, ELMo's models one side each and combined, the
Transformer the left words and, by its encoder, both sides. See `models.answering`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from models.prediction import predict
from models.results import Blank, Sentence, Way

if TYPE_CHECKING:
    from models.loading import Model

TOP_K = 5


def one_blank(
    model: Model, items: Sequence[Sentence], check: Callable[[], None] | None = None
) -> tuple[Blank, ...]:
    """Each item's blank: its five best words, and rank and probability of the hidden one.

    Args:
        model: Of any kind; of ELMo the answers are combined, and each alone is among the `views`.
        items: Sentences with one hidden word each.
        check: Called at every step; raise from it to give up.

    Raises:
        ValueError: An item has no blank, or more than one.
        Refusal: The model cannot fill blanks.
    """
    found = [predict(model, item, TOP_K, check).blanks for item in items]
    for item, blanks in zip(items, found, strict=True):
        if len(blanks) != 1:
            raise ValueError(f"{len(blanks)} blanks in {item.text!r}")
    return tuple(blanks[0] for blanks in found)


def ranks(answers: Sequence[Blank], way: Way | None = None) -> Float[np.ndarray, " item"]:
    """Rank of each hidden word, 1 = best; infinite where it has none (several pieces, unknown).

    The share of ranks up to k is top-k accuracy. `way` asks for one of ELMo's models alone.
    """
    found = [
        answer if way is None else next(view for view in answer.views if view.way == way)
        for answer in answers
    ]
    return np.array([np.inf if a.original_rank is None else a.original_rank for a in found])
