"""Attention rollout: attention multiplied through the layers (Abnar & Zuidema 2020)."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float


def rollout(
    weights: Float[np.ndarray, "layer head position position"],
) -> Float[np.ndarray, "layer position position"]:
    """How much of each input position reaches each position by each layer, if attention told all.

    A layer passes on half of what its heads attend to, on average, and half of what was there (its
    skip connection): 0.5·A + 0.5·I. Row = position after that layer, column = input position; rows
    sum to 1. Never for a model without attention.
    """
    step = 0.5 * weights.mean(axis=1) + 0.5 * np.eye(weights.shape[-1])
    reached = [step[0]]
    for layer in step[1:]:
        reached.append(layer @ reached[-1])
    return np.stack(reached)
