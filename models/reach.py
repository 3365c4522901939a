"""What a model may look at before it answers at a blank."""

from __future__ import annotations

from collections.abc import Iterable

from models.catalog import Objective
from models.results import Span


def out_of_reach(objective: Objective, spans: Iterable[Span], blank: Span) -> frozenset[Span]:
    """Those of some words and blanks that the model does not read before it answers.

    A causal model reads what stands to the left. ELMo's two models together read all, and so does
    the Transformer, by its encoder.

    >>> sorted(out_of_reach("causal", [(0, 3), (4, 7), (8, 11)], (4, 7)))
    [(8, 11)]
    """
    if objective != "causal":
        return frozenset()
    return frozenset(span for span in spans if span[0] >= blank[1])
