"""How attention carries words through the layers: what a page gets to draw of it. No torch here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Float32

from models.heads import Unit
from models.interventions import AttentionKind
from models.results import Provenance

Maps = Float32[np.ndarray, "layer row column"]


@dataclass(frozen=True)
class Flow:
    """The same attention told in three ways, layer by layer; every row sums to 1.

    Of a long text a cell is the largest of a block of weights, as in `AllHeads`; there rows sum to
    nothing in particular.
    """

    kind: AttentionKind
    queries: tuple[Unit, ...]
    keys: tuple[Unit, ...]
    block: int
    """Side of the square of weights that a cell stands for; 1 = each has one."""
    mean: Maps
    """The weights, mean of the layer's heads."""
    carried: Maps | None
    """Each row as shares of the vectors' lengths (`models.measures.norms`); None where the model
    lets no values out, or its output matrix is not known."""
    reached: Maps | None
    """Rollout up to this layer; None for cross attention, which joins two texts."""
    agreement: Float[np.ndarray, " layer"]
    """Spearman's ρ of `mean` and `carried`, over all cells that the mask allows; NaN without."""
    even: Float[np.ndarray, " layer"] | None
    """Of a model that looks back only: what the last token would have of the first by rollout if
    every head looked evenly at all it may see."""
    provenance: Provenance
    snippet: str

    @property
    def depth(self) -> int:
        """How many layers there are."""
        return len(self.mean)
