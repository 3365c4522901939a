"""Who sees what: which positions notice when a word changes."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

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
    moved = np.linalg.norm(changed - original, axis=-1)  # (word, substitute, position)
    return np.asarray(moved.mean(axis=1).T / np.linalg.norm(original, axis=-1)[:, None])
