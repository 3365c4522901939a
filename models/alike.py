"""Two heads beside each other, their words aligned: what a page gets to draw. No torch here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Float32

from models.heads import HeadAt
from models.interventions import AttentionKind
from models.results import Provenance


@dataclass(frozen=True)
class Counterpart:
    """A word of the first text and the one of the second that stands beside it; None for neither.

    Equal words stand together; between them, what differs stands in pairs as far as it reaches.
    """

    first: str | None
    second: str | None
    special: bool
    """Of the tokenizer or the model, no word."""

    @property
    def both(self) -> bool:
        """Neither stands alone."""
        return self.first is not None and self.second is not None

    @property
    def same(self) -> bool:
        """They are the same but for upper and lower case."""
        return (
            self.first is not None
            and self.second is not None
            and self.first.casefold() == self.second.casefold()
        )


@dataclass(frozen=True)
class Likeness:
    """A head of a model on a text, and one of the same or another model on the same or another."""

    kinds: tuple[AttentionKind, AttentionKind]
    heads: tuple[HeadAt, HeadAt]
    queries: tuple[Counterpart, ...]
    keys: tuple[Counterpart, ...]
    first: Float32[np.ndarray, "query key"]
    """Whole words; NaN where one of the two has no counterpart here."""
    second: Float32[np.ndarray, "query key"]
    distances: Float[np.ndarray, "layer head"]
    """From the first head to every head of the second model: the mean Jensen-Shannon divergence of
    aligned rows, in bits; what looks at words without a counterpart is one share of each row."""
    elsewhere: tuple[float, float]
    """The mean share of either head's rows that goes to words without a counterpart."""
    about: tuple[Provenance, Provenance]
    snippet: str

    @property
    def difference(self) -> Float32[np.ndarray, "query key"]:
        """First less second; NaN where either has no such word."""
        return self.first - self.second

    @property
    def distance(self) -> float:
        """Of the two heads."""
        return float(self.distances[self.heads[1]])

    @property
    def closest(self) -> HeadAt:
        """The second model's head that is most like the first."""
        layer, head = np.unravel_index(int(self.distances.argmin()), self.distances.shape)
        return int(layer), int(head)
