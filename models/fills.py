"""What can be asked of a masked model beyond its best guess: plain, frozen records, without torch.

Spans are code points of the visitor's text and blanks count from 0 in reading order, as in
`models.results`. Logarithms are natural (nats) unless a name ends in ``_bits``.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import Literal

import numpy as np

from models.results import Candidate, Provenance, Span

Outcome = Literal["scored", "empty", "unknown", "mask", "too_long", "left_out"]


# --- words that a visitor names ------------------------------------------------------------------


@dataclass(frozen=True)
class NamedWord:
    """One word a visitor named, and what the model thinks of it at the blank."""

    text: str
    """As typed, without spaces around it."""
    outcome: Outcome
    """``empty``: nothing typed; ``unknown``: the tokenizer cannot spell it; ``mask``: it contains a
    mask; ``too_long``: too many pieces to score; ``left_out``: beyond the longest list."""
    pieces: tuple[str, ...] = ()
    """As the tokenizer spells it; all numbers below are None unless the outcome is ``scored``."""
    token_id: int | None = None
    """Of a word of one piece."""
    rank: int | None = None
    """Among all words of the vocabulary, 1 = best; None for a word of several pieces."""
    probability: float | None = None
    """Over the full vocabulary; of several pieces, the product of each piece's (chain rule)."""
    surprisal_bits: float | None = None
    """-log2 of that."""
    share: float | None = None
    """The probability renormalised within the list: shares of different words sum to 1."""


@dataclass(frozen=True)
class NamedWords:
    """The visitor's own list at one blank, in their order."""

    span: Span
    words: tuple[NamedWord, ...]
    mixed_lengths: bool
    """Scored words differ in how many pieces they have. Each length is a softmax of its own, with
    another number of masks, so shares across lengths are a comparison and no probabilities."""
    provenance: Provenance
    snippet: str


# --- answers longer than one piece ---------------------------------------------------------------


@dataclass(frozen=True)
class LongerAnswer:
    """A word that the tokenizer spells with several pieces."""

    text: str
    """The pieces put together."""
    pieces: tuple[str, ...]
    """As the tokenizer writes them: ``("walk", "##ing")``."""
    ids: tuple[int, ...]
    piece_probabilities: tuple[float, ...]
    """Of each piece, those before it filled in and those after it still hidden."""
    goes_on: tuple[float, ...]
    """After each piece but the last: how probable it was that the word goes on, with any piece."""
    first_rank: int
    """Rank of the first piece among the answers to the one-piece blank."""

    @property
    def probability(self) -> float:
        """The product of its pieces' probabilities (chain rule)."""
        return float(np.prod(self.piece_probabilities))


@dataclass(frozen=True)
class LongerAnswers:
    """Words of two and of three pieces at one blank, best first, each length a list of its own.

    Never merge them with each other or with the one-piece answers by probability: each was computed
    with another number of masks in the sentence, so they do not compete in one softmax.
    """

    span: Span
    two: tuple[LongerAnswer, ...]
    three: tuple[LongerAnswer, ...]
    provenance: Provenance
    snippet: str


# --- several blanks ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fill:
    """A word for every blank, scored one after another."""

    words: tuple[Candidate, ...]
    """One per blank, in reading order; its probability is that given the blanks filled before."""
    order: tuple[int, ...]
    """In which order the blanks were filled: the most confident one next."""
    score: float
    """Sum of the log-probabilities in that order, in nats."""
    other_order: tuple[int, ...] | None
    """The best-scoring different order of filling in the same words; None for a single blank, or
    where there are too many orders to look at."""
    other_score: float | None


@dataclass(frozen=True)
class Difference:
    """What filling together changed, for a page to put into words."""

    changed: tuple[int, ...]
    """The blanks whose words differ."""
    joint: float
    """Score of the joint fill, in nats."""
    independent: float
    """Score of the independent fill, in nats."""

    @property
    def gain(self) -> float:
        """How much better the joint fill is, in nats; below 0 if the beam missed the other one."""
        return self.joint - self.independent

    @property
    def times(self) -> float:
        """How many times as probable the joint fill is: e to the gain."""
        return exp(min(self.gain, 700.0))


@dataclass(frozen=True)
class JointFill:
    """Several blanks filled together, beside each filled as if the others did not matter."""

    spans: tuple[Span, ...]
    """Of the blanks filled."""
    joint: Fill
    independent: Fill
    """The best word of each blank with all others hidden, scored in the same way."""
    alternatives: tuple[Fill, ...]
    """The rest of the beam, best first; their other orders are not looked at."""
    left_out: int
    """How many further blanks stayed hidden."""
    difference: Difference
    provenance: Provenance
    snippet: str


# --- a whole sentence ----------------------------------------------------------------------------


@dataclass(frozen=True)
class ScoredWord:
    """One word of a sentence, hidden once while all others are visible."""

    span: Span
    text: str
    pieces: tuple[str, ...]
    piece_log_probabilities: tuple[float, ...] | None
    """Of each piece, those before it filled in (chain rule); None if it cannot be spelled."""

    @property
    def nats(self) -> float | None:
        """-log p of the word given all others: the height of its bar."""
        found = self.piece_log_probabilities
        return None if found is None else abs(sum(found))


@dataclass(frozen=True)
class ScoredSentence:
    """How well a sentence fits a masked model. No probability of a sentence (Salazar et al. 2020).

    Typed masks stay masked; words that cannot be spelled are read as unknown and not counted.
    """

    text: str
    words: tuple[ScoredWord, ...]
    pieces: int
    """How many pieces were scored."""
    total: float
    """Pseudo-log-likelihood: sum of log p over the pieces, in nats."""
    pseudo_perplexity: float | None
    """e to the mean of -log p per piece; None without a scored word."""
    read: int
    cut: str
    """What was beyond the limit and is not in the numbers."""
    unknown: tuple[str, ...]
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class PairRow:
    """Two words that stand side by side; None where one sentence has no counterpart."""

    first: int | None
    """Index among the first sentence's words."""
    second: int | None
    same: bool


@dataclass(frozen=True)
class SentencePair:
    """Two sentences against each other, such as a minimal pair."""

    first: ScoredSentence
    second: ScoredSentence
    rows: tuple[PairRow, ...]
    """All words of both, aligned, in reading order."""
    difference: float
    """Total of the first less total of the second, in nats: above 0, the first fits better."""
    same_length: bool
    """As many pieces in both; otherwise the longer one has more terms and the totals are unequal
    for that reason, too: compare the pseudo-perplexities."""
    snippet: str
