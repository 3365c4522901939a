"""Attention weighed by what is carried: the length of a vector, not its share (Kobayashi 2020)."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float


def carried(
    weights: Float[np.ndarray, "head query key"], says: Float[np.ndarray, "head key dim"]
) -> Float[np.ndarray, "query key"]:
    """‖Σ_h α^h_ij f^h(x_j)‖: how long the vector is that key j adds to query i in one layer.

    A weight alone does not tell what arrives: a head that has nothing to say looks at a separator
    whose value vector is short (Kobayashi et al. 2020, "Attention is not only a weight").

    Args:
        weights: α of all heads of the layer.
        says: f(x) = (x W_V + b_V) W_O of each head: what it would add if it looked at that key
            alone. The output projection's own bias, which comes from no key, is left out.
    """
    # ‖Σ_h α^h f^h‖² = Σ_hg α^h α^g f^h·f^g: no vector for each pair of tokens is ever written down.
    products = np.einsum("hkd,gkd->hgk", says, says)
    met = np.einsum("gqk,hgk->hqk", weights, products)
    squares = np.einsum("hqk,hqk->qk", weights, met)
    return np.sqrt(np.maximum(squares, 0.0))
