"""The axis of ranks: logarithmic, since rank 3 differs from 1 as 3,000 from 1,000."""

from __future__ import annotations

from math import log


def place(rank: int, words: int) -> float:
    """Where a rank stands on the logarithmic axis: 0 = last of all words, 1 = first."""
    return 1 - log(rank) / log(max(words, 2))


def ticks(words: int) -> list[int]:
    """The ranks 1, 10, 100, … that exist."""
    return [10**i for i in range(len(str(words)))]
