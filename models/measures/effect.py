"""What removing a part does to the answer, and whether attention would have told."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float


def effect(without: Float[np.ndarray, "*parts"], original: float) -> Float[np.ndarray, "*parts"]:
    """Change of log p of a word, in nats, when a head, edge or feed-forward network is removed.

    Negative: the word lost probability, so the part spoke for it. Removed means zero ablation:
    output 0 (head, network), or weight 0 and the rest of the row scaled up (edge).

    Args:
        without: log p of the original word (of the top answer if there is none) for each removal.
        original: log p of the same word with nothing removed.
    """
    return np.asarray(without - original)


def agreement(
    weights: Float[np.ndarray, "head key"], effects: Float[np.ndarray, "head key"]
) -> float:
    """Spearman's ρ between attention and effect over all (head, key) edges of a blank's row.

    Compared is the size of the effect, whichever its sign: 1 = the more attention an edge has, the
    more cutting it matters; 0 = attention says nothing about that. NaN where all are equal. Many
    edges have effects so small that float32's rounding ranks them: two decimals of ρ are good.
    """
    return spearman(weights.ravel(), abs(effects).ravel())


def spearman(x: Float[np.ndarray, " item"], y: Float[np.ndarray, " item"]) -> float:
    """Rank correlation of two lists: Pearson's r of their ranks, equals sharing their mean rank."""
    ranks = np.stack([_ranks(x), _ranks(y)])
    ranks -= ranks.mean(axis=1, keepdims=True)
    spread = np.linalg.norm(ranks, axis=1).prod()
    return float(ranks[0] @ ranks[1] / spread) if spread > 0 else float("nan")


def _ranks(values: Float[np.ndarray, " item"]) -> Float[np.ndarray, " item"]:
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2)[place])
