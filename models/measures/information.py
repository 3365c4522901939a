"""How sure, how surprised, how different: measures of answers, in bits."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int


def entropy_bits(
    probabilities: Float[np.ndarray, "*answers vocabulary"],
) -> Float[np.ndarray, "*answers"]:
    """Shannon entropy of each answer: 0 = certain, log2(vocabulary) = no idea."""
    logs = np.log2(probabilities, out=np.zeros_like(probabilities), where=probabilities > 0)
    return np.asarray(-(probabilities * logs).sum(-1)) + 0.0  # no negative zero


def surprisal_bits(
    log_probabilities: Float[np.ndarray, "answer vocabulary"], ids: Int[np.ndarray, " answer"]
) -> Float[np.ndarray, " answer"]:
    """How unexpected the word that really came was: -log2 of its probability (Shannon 1948).

    Args:
        log_probabilities: Natural logarithms, over the full vocabulary.
        ids: Which entry came, for each answer.
    """
    return np.asarray(-log_probabilities[np.arange(len(ids)), ids] / np.log(2)) + 0.0


def jensen_shannon_bits(
    p: Float[np.ndarray, "*answers vocabulary"], q: Float[np.ndarray, "*answers vocabulary"]
) -> Float[np.ndarray, "*answers"]:
    """How different two answers are: 0 = the same, 1 = nothing in common (Lin 1991).

    The entropy of the two answers' mean, less the mean of their entropies. Symmetric, and finite
    where one answer excludes what the other expects.
    """
    middle = entropy_bits((p + q) / 2) - (entropy_bits(p) + entropy_bits(q)) / 2
    return np.asarray(np.clip(middle, 0.0, 1.0))


def pseudo_perplexity(log_probabilities: Float[np.ndarray, " piece"]) -> float:
    """The exponential of the mean of -log p(word piece | all others), from natural logarithms.

    Whole words are masked at once (Kauf & Ivanova 2023); no probability of a sentence (Salazar et
    al. 2020).
    """
    return float(np.exp(-log_probabilities.mean()))
