"""Where words stand in an answer: the best ones, one word's rank, and how open the answer is."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Probabilities = npt.NDArray[np.float64]


def rank_of(token_id: int, probabilities: Probabilities, is_word: npt.NDArray[np.bool_]) -> int:
    """1 + the words strictly more probable; words of equal probability share a rank."""
    return 1 + int(np.count_nonzero(is_word & (probabilities > probabilities[token_id])))


def entropy_bits(probabilities: Probabilities) -> float:
    """Shannon entropy: 0 for a certain answer, log2 of the vocabulary for an even one."""
    some = probabilities[probabilities > 0]
    return abs(float((some * np.log2(some)).sum()))


def best_words(
    probabilities: Probabilities, is_word: npt.NDArray[np.bool_], top_k: int
) -> npt.NDArray[np.intp]:
    """The ids of the most probable words, best first, without sorting the whole vocabulary.

    Equally probable ones come in the order of the vocabulary.
    """
    words = np.flatnonzero(is_word)
    if 0 < top_k < len(words):
        last = np.partition(probabilities[words], -top_k)[-top_k]
        words = words[probabilities[words] >= last]  # all that share the last place, too
    return words[np.argsort(-probabilities[words], kind="stable")][:top_k]
