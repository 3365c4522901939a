"""Products of positions before and after the projections of a model's first layer (C7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from models.measures.positions import offset_curve
from models.placed import HeadOffsets, kind_of
from models.positioning.snippets import offsets as snippet
from models.positioning.table import by_head, entering, places, vectors

if TYPE_CHECKING:
    from models.loading import Model

COUNT, REACH, DRAWS = 128, 24, 48
"""Positions used, the farthest offset, and random heads (seed 0)."""


def head_offsets(model: Model) -> HeadOffsets:
    """What each head of the first layer makes of distance and direction.

    Raises:
        CannotTrace: The model adds no position vectors.
    """
    table = vectors(model)[:COUNT]
    inside = entering(model)[:COUNT]
    reach = min(REACH, (len(table) - 1) // 3)
    real = list(by_head(model))
    rng = np.random.default_rng(0)
    drawn = [[rng.normal(size=each.shape) for each in real[0]] for _ in range(DRAWS)]

    def curve(query: np.ndarray, key: np.ndarray) -> np.ndarray:
        return offset_curve((inside @ query.T) @ (inside @ key.T).T / np.sqrt(len(query)), reach)

    return HeadOffsets(
        kind=kind_of(table),
        count=len(table),
        pattern=offset_curve(table @ table.T, reach),
        heads=np.stack([curve(query, key) for query, key in real]),
        random=np.stack([curve(query, key) for query, key in drawn]),
        provenance=model.provenance,
        snippet=snippet(model, places(model), len(table), reach, len(real)),
    )
