"""How alike the states of the positions of one text are.

Two numbers side by side. The cosine of two states is the usual one, but all states of a layer share
a common direction, which inflates it (Ethayarajh 2019). What is left without the mean of all states
is what tells positions apart: ‖x − mean‖ / ‖x‖, the residual of Dong et al. (2021) by position.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

States = Float[np.ndarray, "position dim"]


def centred_residual(states: States) -> float:
    """Mean over positions of ‖x − mean‖ / ‖x‖: 0 if all are the same.

    NaN for fewer than two positions.
    """
    if len(states) < 2:
        return float("nan")
    own = np.linalg.norm(states - states.mean(axis=0), axis=1)
    return float(np.mean(own / np.maximum(np.linalg.norm(states, axis=1), 1e-12)))


def mean_cosine(states: States) -> float:
    """Mean cosine of two different positions: 1 if all point the same way.

    NaN for fewer than two positions.
    """
    count = len(states)
    if count < 2:
        return float("nan")
    unit = states / np.maximum(np.linalg.norm(states, axis=1, keepdims=True), 1e-12)
    total = float(np.square(unit.sum(axis=0)).sum())  # Σ Σ of all products, each with itself too
    return (total - float(np.square(unit).sum())) / (count * (count - 1))
