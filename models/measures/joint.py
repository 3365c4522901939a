"""Fill several blanks together: a beam over (blank, word), the most confident blank next.

A masked model gives no joint probability of several hidden words. Filled in one after another, each
answer can depend on those before it, and the log-probabilities add up; but masked conditionals need
not agree, and another order may give the same words another score (Wang & Cho 2019). So the best
other order is found as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

BEAM = 5
"""How many partial fills are kept."""

Step = tuple[int, int]
"""(blank, word)."""
Order = tuple[int, ...]


@dataclass(frozen=True)
class Path:
    """Blanks filled one after another."""

    steps: tuple[Step, ...] = ()
    log_probabilities: tuple[float, ...] = ()
    """Of each step's word given those before it."""

    @property
    def score(self) -> float:
        """Sum of the log-probabilities in fill order."""
        return sum(self.log_probabilities)

    @property
    def order(self) -> Order:
        """The blanks as they were filled."""
        return tuple(blank for blank, _ in self.steps)

    def then(self, blank: int, word: int, log_probability: float) -> Path:
        """One more blank filled."""
        steps = (*self.steps, (blank, word))
        return Path(steps, (*self.log_probabilities, log_probability))


Ask = Callable[[Sequence[Path]], Sequence[Float[np.ndarray, "open vocabulary"]]]
"""Natural log-probabilities at the blanks each path leaves open, in ascending order."""


def fill_jointly(
    blanks: int, ask: Ask, is_word: Bool[np.ndarray, " vocabulary"], beam: int = BEAM
) -> tuple[Path, ...]:
    """The best fills that a beam finds, best first.

    Each partial fill goes on at the blank where its own best word is the most probable, and tries
    the `beam` best words there. Two fills in the beam first differ in the word of one blank, so
    none is counted twice.
    """
    paths: list[Path] = [Path()]
    for _ in range(blanks):
        grown: list[Path] = []
        for path, log_p in zip(paths, ask(paths), strict=True):
            blank, row = most_confident(path, blanks, log_p, is_word)
            words = np.argsort(-np.where(is_word, row, -np.inf), kind="stable")[:beam]
            grown += [path.then(blank, int(w), float(row[w])) for w in words if is_word[w]]
        paths = sorted(grown, key=lambda path: -path.score)[:beam]
    return tuple(paths)


def follow(words: Sequence[int], ask: Ask, is_word: Bool[np.ndarray, " vocabulary"]) -> Path:
    """Given words, one per blank, scored in the order a joint fill would put them in."""
    path = Path()
    for _ in words:
        (log_p,) = ask([path])
        blank, row = most_confident(path, len(words), log_p, is_word)
        path = path.then(blank, words[blank], float(row[words[blank]]))
    return path


def most_confident(
    path: Path,
    blanks: int,
    log_p: Float[np.ndarray, "open vocabulary"],
    is_word: Bool[np.ndarray, " vocabulary"],
) -> tuple[int, Float[np.ndarray, " vocabulary"]]:
    """The open blank with the most probable best word, and the answer there."""
    still_open = [blank for blank in range(blanks) if blank not in path.order]
    row = int(np.where(is_word, log_p, -np.inf).max(axis=1).argmax())
    return still_open[row], log_p[row]


def best_orders(
    log_p: Float[np.ndarray, "filled blank"], keep: int = 2
) -> tuple[tuple[Order, float], ...]:
    """The best-scoring orders of filling given words in, best first, each with its score.

    A step's log-probability depends on which blanks are filled, not on how they came to be; so the
    best ways to fill each subset extend the best ways to fill smaller ones, and 2^n rows do where
    there are n! orders.

    Args:
        log_p: Log-probability of each blank's word, where the row's binary digits say which blanks
            are filled: row 0 = none, row 5 = blanks 0 and 2.
        keep: How many orders to return.
    """
    blanks = log_p.shape[1]
    best: list[list[tuple[float, Order]]] = [[(0.0, ())]]
    for filled in range(1, 2**blanks):
        ways = [
            (score + float(log_p[filled ^ 1 << blank, blank]), (*order, blank))
            for blank in range(blanks)
            if filled >> blank & 1
            for score, order in best[filled ^ 1 << blank]
        ]
        best.append(sorted(ways, key=lambda way: (-way[0], way[1]))[:keep])
    return tuple((order, score) for score, order in best[-1])
