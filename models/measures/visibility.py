"""Who sees what: which positions notice when a word changes, and which may.

The measured part compares states (`moved`, `visibility`). The nominal part (`attended`, `carried`)
says from an architecture's rules alone where anything may arrive at all: a position always keeps
what stands at itself, by the skip connections or the cell. `models.seeing` lays one on the other.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

SUBSTITUTES = 4
"""K: how many other words are tried in place of each word."""


def visibility(
    original: Float[np.ndarray, "position dim"],
    changed: Float[np.ndarray, "word substitute position dim"],
) -> Float[np.ndarray, "position word"]:
    """‖h_i − h'_i‖ / ‖h_i‖: how far position i's top-layer state moves when word j is replaced.

    Row = position, column = changed word, mean over substitutes. Exactly 0 where the word cannot
    reach the position, if original and changed texts were run in one batch.
    """
    return np.asarray(moved(original, changed).mean(axis=1).T)


def moved(
    original: Float[np.ndarray, "position dim"],
    changed: Float[np.ndarray, "*version position dim"],
) -> Float[np.ndarray, "*version position"]:
    """How far each state is from the original one, as a share of the original's length."""
    return np.asarray(
        np.linalg.norm(changed - original, axis=-1) / np.linalg.norm(original, axis=-1)
    )


def attended(
    real: Bool[np.ndarray, " token"], *, causal: bool
) -> Bool[np.ndarray, "position token"]:
    """Where anything may arrive through self-attention.

    No key is padding, and a causal mask leaves out those to the right. More layers add nothing:
    who is seen by somebody seen is seen already.

    Args:
        real: False at padding, which stands on the right.
        causal: No position looks ahead.
    """
    position, token = np.indices((len(real), len(real)))
    may = np.broadcast_to(real, position.shape)
    if causal:
        may = may & (token <= position)
    return np.asarray(may | (token == position))


def carried(
    real: Bool[np.ndarray, " token"], *, backward: bool
) -> Bool[np.ndarray, "position token"]:
    """Where anything may arrive through recurrent layers: whatever was read before, and itself.

    A backward layer reads the text from its end, and the padding after that.

    Args:
        real: False at padding, which stands on the right.
        backward: It reads from the right.
    """
    turn = np.arange(len(real))
    if backward:
        turn = np.where(real, real.sum() - 1 - turn, turn)
    return np.asarray(turn[None, :] <= turn[:, None])
