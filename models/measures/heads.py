"""What kind of head is this? Numbers that name the commonest patterns (Clark et al. 2019)."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int

from models.measures.information import entropy_bits

STATISTICS = (
    "entropy",
    "distance",
    "previous",
    "next",
    "diagonal",
    "sink",
    "same_word",
    "induction",
)


def head_statistics(
    weights: Float[np.ndarray, "head position position"], ids: Int[np.ndarray, " position"]
) -> dict[str, Float[np.ndarray, " head"]]:
    """Statistics of self-attention heads, each a mean over the queries named below.

    - ``entropy``: how widely a query looks, in bits; 0 = at one token.
    - ``distance``: how far it looks, in tokens, weighted by attention.
    - ``previous``, ``next``, ``diagonal``: weight on the token before (all queries but the first),
      after (all but the last), and on itself.
    - ``sink``: weight on the one key that gets most of all queries together, such as a separator or
      the first token (Xiao et al. 2023).
    - ``same_word``: weight on other occurrences of the query's own token; queries that have one.
    - ``induction``: weight on tokens that followed an earlier occurrence of the query's token
      (Olsson et al. 2022); queries that have one.

    NaN where no query has what is measured.
    """
    n = len(ids)
    at = np.arange(n)
    same = (ids[:, None] == ids[None, :]) & (at[:, None] != at[None, :])
    followed = np.zeros_like(same)
    followed[:, 1:] = same[:, :-1] & (at[:, None] > at[None, :-1])
    np.fill_diagonal(followed, val=False)
    return {
        "entropy": np.asarray(entropy_bits(weights).mean(-1)),
        "distance": np.asarray((weights * abs(at[:, None] - at[None, :])).sum(-1).mean(-1)),
        "previous": _share(weights, np.eye(n, k=-1, dtype=bool)),
        "next": _share(weights, np.eye(n, k=1, dtype=bool)),
        "diagonal": _share(weights, np.eye(n, dtype=bool)),
        "sink": np.asarray(weights.mean(axis=1).max(axis=-1)),
        "same_word": _share(weights, same),
        "induction": _share(weights, followed),
    }


def _share(
    weights: Float[np.ndarray, "head query key"], cells: Bool[np.ndarray, "query key"]
) -> Float[np.ndarray, " head"]:
    """Weight on the marked cells, over the queries that have any."""
    queries = cells.any(axis=-1)
    if not queries.any():
        return np.full(len(weights), np.nan)
    return np.asarray((weights * cells).sum(-1)[:, queries].mean(-1))
