"""What a block of a Transformer does, taken apart: plain, frozen records, without torch.

Layers and heads count from 0. Everything is about one sentence and, in it, the position that
answers a blank; `word` is the word whose probability is followed: the hidden one, if one piece of
the vocabulary spells it, else the model's own best answer. Logarithms are natural (nats).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float

from models.answers import Answer
from models.results import Candidate, Provenance

Row = Float[np.ndarray, " _"]
Activation = Literal["gelu", "relu", "identity"]
ACTIVATIONS: tuple[Activation, ...] = ("gelu", "relu", "identity")

BlockWay = Literal["trained", "no ffn", "no skip ffn", "no skip attention", "no skips"]
WAYS: tuple[BlockWay, ...] = ("trained", "no ffn", "no skip ffn", "no skip attention", "no skips")
"""A model as it was trained; without feed-forward networks; without skip connections around them,
around attention, around both."""


@dataclass(frozen=True)
class Followed:
    """What every part of the page has in common: the sentence as read, and what is followed."""

    tokens: tuple[str, ...]
    position: int
    """Of the answer among the tokens."""
    word: Candidate
    """With its probability in the untouched model."""
    own: bool
    """It is the visitor's own word."""
    answer: Answer
    """Of the untouched model."""


@dataclass(frozen=True)
class Swapped:
    """The answer under another activation in every block."""

    activation: Activation
    log_p: float
    """Of the followed word."""
    rank: int
    """Of the followed word."""
    answer: Answer


@dataclass(frozen=True)
class Neuron:
    """One unit of the widened layer at one position."""

    number: int
    along: Row
    """Its activation at every token."""
    promotes: tuple[Candidate, ...]
    """The words whose logits its direct way raises most; probabilities are of the answer."""
    lifts: tuple[float, ...]
    """By how much, beyond the mean over the vocabulary."""
    share: float
    """Of the length of what the feed-forward network adds, by itself: |a| ‖w‖ over the sum."""


@dataclass(frozen=True)
class Convolved:
    """The same weights through `Linear` and through a convolution of width 1."""

    difference: float
    """The largest absolute difference of the two outputs."""
    scale: float
    """The largest absolute output, to compare it with."""
    linear_ms: float
    convolution_ms: float
    """Median milliseconds for the whole sentence."""


@dataclass(frozen=True)
class FeedForward:
    """One feed-forward network at one position, and all of them on the sentence."""

    followed: Followed
    layer: int
    layers: int
    activation: str
    """As the model's configuration calls it."""
    input: Row
    expanded: Row
    activated: Row
    contracted: Row
    output: Row
    """After the skip connection and the norm: what the next layer reads."""
    parameters: tuple[tuple[str, int], ...]
    """By part of the model: embeddings, attention, ffn, norms, head."""
    sparsity: Row
    """By layer: share of |activation| below 1 % of the layer's maximum, over all tokens."""
    silent: Row
    """By layer: share of activations at or below 0."""
    swapped: tuple[Swapped, ...]
    neurons: tuple[Neuron, ...]
    convolved: Convolved
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class Alike:
    """How alike the positions of a sentence are, layer by layer, with parts switched off."""

    followed: Followed
    residual: Float[np.ndarray, "way layer"]
    """Mean over positions of ‖x − mean‖ / ‖x‖; layer 0 is what the first block reads."""
    cosine: Float[np.ndarray, "way layer"]
    """Mean cosine of two different positions."""
    log_p: Row
    """By way: of the followed word."""
    best: tuple[Candidate, ...]
    """By way: the best answer."""
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class Silenced:
    """Heads silenced one after another, in two orders."""

    followed: Followed
    alone: Float[np.ndarray, "layer head"]
    """Change of log p of the followed word when a head is silenced by itself."""
    counts: tuple[int, ...]
    """How many heads are silent at each point of the curves; the first is 0, the last is all."""
    least_first: Row
    most_first: Row
    """log p of the word, by count."""
    order: tuple[tuple[int, int], ...]
    """From the head whose loss hurts least to the one that hurts most, each by itself."""
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class Passes:
    """The same question, asked many times with dropout on."""

    followed: Followed
    p: float
    words: tuple[Candidate, ...]
    """The best words of the mean answer; probabilities without dropout."""
    drawn: Float[np.ndarray, "pass word"]
    """Their probabilities in each pass."""
    log_p: Row
    """Of the followed word, by pass."""
    total_bits: float
    """Entropy of the mean answer."""
    within_bits: float
    """Mean entropy of an answer: the rest of `total_bits` is disagreement between passes."""
    provenance: Provenance
    snippet: str


PartKind = Literal["word", "position", "type", "attention", "ffn", "norms", "head", "bias"]


@dataclass(frozen=True)
class Part:
    """One summand of the residual stream, and so of the followed word's logit."""

    kind: PartKind
    layer: int | None
    length: float
    """Euclidean, where it is added; 0 where that means nothing."""
    logit: float
    """What it adds to the followed word's logit on its direct way."""
    promotes: tuple[Candidate, ...]
    """The words that it raises most beyond the mean over the vocabulary."""


@dataclass(frozen=True)
class Stream:
    """The residual stream at the answering position as a sum of parts."""

    followed: Followed
    logit: float
    """Of the followed word, as the model computes it; the parts sum to it."""
    parts: tuple[Part, ...]
    lengths: Row
    """Of the state that each block reads, and last of that which the head reads."""
    provenance: Provenance
    snippet: str
