"""What is found of a checkpoint when it is asked what it is: plain, frozen, picklable records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int

from models.interventions import AttentionKind
from models.results import Provenance
from models.traces import StackName, Token

Scheme = Literal[
    "learned", "sinusoids", "zero", "rotary", "bias", "relative", "alibi", "recurrent"
]  # fmt: skip
"""How a model tells places apart: vectors added to the words (what their numbers are), rotated
queries and keys, a number for each distance, vectors for distances, a slope, the order of reading.
"""
Watched = Literal["whole", "encoder", "decoder", "cross", "forward", "backward"]
"""Whose states: ``cross`` are the decoder's where the source is changed."""
Tying = Literal["tied", "equal", "apart", "none"]
"""Input and output matrix: one tensor, two with the same numbers, two, or no output matrix."""


@dataclass(frozen=True)
class Reach:
    """How far states notice a token that is replaced, each as a share of the state's length."""

    watched: Watched
    ahead: float
    """The largest move of a position before the replaced token; exactly 0 if nothing leaks."""
    back: float
    """The largest move of a position after it."""
    pairs: int
    """How many (position, later token) pairs were tried."""

    @property
    def one_way(self) -> bool:
        """No position noticed a later token."""
        return self.pairs > 0 and self.ahead == 0 and self.back > 0


@dataclass(frozen=True)
class HeadsOfKind:
    """One kind of attention, as recorded on the text."""

    kind: AttentionKind
    layers: int
    heads: int
    key_heads: int | None
    """How many heads have keys of their own; None where the family does not let keys out."""
    d_head: int | None
    rows: int
    """How many rows of weights there were, all heads together."""
    row_error: float
    """The largest distance of a row's sum from 1."""
    broken: int
    """Weights that are no finite number."""
    farthest: tuple[int, ...]
    """For each layer the farthest token, in tokens, that anything may look at."""
    looks_ahead: bool
    """Some query may look at a later key."""


@dataclass(frozen=True)
class Ability:
    """Something that can be recorded or changed, tried on the text; or why it cannot."""

    name: str
    """A quantity, or an intervention's class."""
    reason: str
    """"" if it can be; else as in `models.errors.CannotTrace`."""
    size: float = 0.0
    """How many numbers were recorded; or how far the largest output moved."""


@dataclass(frozen=True)
class Probe:
    """One checkpoint, tried on one sentence."""

    family: str
    """``model_type`` of its configuration."""
    architecture: str
    """The class that computes."""
    objective: str
    known: bool
    """Its parts are in the table of `models.families`."""
    text: str
    tokens: tuple[str, ...]
    depth: Mapping[StackName, int]
    attention: tuple[HeadsOfKind, ...]
    reaches: tuple[Reach, ...]
    """Empty where the text has a single token."""
    order: float
    """How far states move when the words stand the other way round, each in its new place."""
    recorded: tuple[Ability, ...]
    changed: tuple[Ability, ...]
    compared: Literal["logits", "states"]
    parity: float
    """The largest difference between what tracing computes and a plain eager forward pass."""
    largest: float
    """The largest number among those compared."""
    broken: int
    """Numbers in states and outputs that are not finite."""
    positions: tuple[Scheme, ...]
    window: int | None
    """How many tokens its configuration lets some layers see; None where it names no window."""
    tied: Tying
    extras: tuple[str, ...]
    """Modules that stand on top of the body."""
    parameters: int
    provenance: Provenance
    snippet: str


PartKindName = Literal[
    "words", "positions", "segments", "attention", "cross", "ffn", "norm", "recurrent", "head",
    "other",
]  # fmt: skip


@dataclass(frozen=True)
class PartSize:
    """The parameters of one part."""

    kind: PartKindName
    stack: str
    """``encoder``, ``decoder``, ``forward``, ``backward``; "" outside of them."""
    layer: int | None
    parameters: int
    tensors: tuple[str, ...]


@dataclass(frozen=True)
class Sizes:
    """All parameters by part, each counted once."""

    parts: tuple[PartSize, ...]
    total: int
    tied: tuple[tuple[str, str], ...]
    """Names of one and the same tensor: the one it is counted under, and another."""
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class Demands:
    """What running a checkpoint takes."""

    lengths: tuple[int, ...]
    flops: tuple[int, ...]
    """Counted, of a whole text of so many tokens; matrix products, a multiplication and an addition
    are two. An encoder-decoder reads so many and writes as many."""
    formula: tuple[int, int, int] | None
    """(c, a, b): c + a n + b n² is what was counted at every length, to the last digit; None where
    the counts lie on no such curve."""
    longest: int
    """The longest text that is read."""
    memory: int
    """Bytes of the parameters, as they lie in memory here."""
    disk: int | None
    """Bytes of the weights' files; None for a network that was not loaded."""
    formats: tuple[str, ...]
    """How numbers are stored there."""
    cache: int | None
    """Bytes that each token read adds to a decoder's keys and values; None without any."""
    config: tuple[tuple[str, str], ...]
    provenance: Provenance
    snippet: str

    def at(self, length: int) -> int | None:
        """FLOPs of a text of so many tokens, counted or by the formula; None without one."""
        if length in self.lengths:
            return self.flops[self.lengths.index(length)]
        if self.formula is None:
            return None
        c, a, b = self.formula
        return c + a * length + b * length**2


@dataclass(frozen=True)
class WeightName:
    """One tensor that can be chosen."""

    name: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Outlier:
    """A row or column of unusual length."""

    axis: Literal["row", "column"]
    index: int
    norm: float
    deviations: float
    """How many standard deviations above the mean of its axis."""


@dataclass(frozen=True)
class WeightFacts:
    """The numbers of one tensor."""

    name: str
    shape: tuple[int, ...]
    counts: Int[np.ndarray, " bin"]
    edges: Float[np.ndarray, " edge"]
    norm: float
    """Frobenius."""
    mean: float
    deviation: float
    low: float
    high: float
    zeros: int
    broken: int
    """Numbers that are not finite; they are in no count and in no norm."""
    singular: Float[np.ndarray, " value"]
    """From the largest; empty for a vector, and where there are too many."""
    outliers: tuple[Outlier, ...]
    """More than 3 standard deviations longer than the mean (Kovaleva et al. 2021); the farthest
    first, at most 20."""
    found: int
    """How many there are in all."""
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class Neighbour:
    """An entry of the vocabulary and how alike its vector is."""

    text: str
    id: int
    cosine: float


@dataclass(frozen=True)
class Neighbours:
    """The words whose vectors point most the same way."""

    word: str
    pieces: tuple[str, ...]
    """The word as the tokenizer cuts it; of several, the mean is looked from."""
    nearest: tuple[Neighbour, ...]
    mean: float
    """Of the cosines with all entries: raw cosines are inflated where this is large."""
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class Places:
    """One tensor that tells places apart."""

    scheme: Scheme
    name: str
    values: Float[np.ndarray, "row column"]
    """Added vectors (position, dim); a bias (bucket, head); vectors of distances (distance, dim);
    of rotations the cosines (distance, pair of dims)."""
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class Special:
    """A token that is no text."""

    role: str
    token: str
    id: int


@dataclass(frozen=True)
class Mismatch:
    """Something in which tokenizer and weights disagree."""

    what: Literal["rows beyond", "no rows", "holes", "role", "length"]
    ours: str
    """What the tokenizer says."""
    theirs: str
    """What the network says."""
    role: str = ""


@dataclass(frozen=True)
class Cutting:
    """How a tokenizer cuts a text, and what it is."""

    text: str
    tokens: tuple[Token, ...]
    cut: str
    algorithm: str
    """``WordPiece``, ``BPE``, ``Unigram``, ``WordLevel``."""
    entries: int
    rows: int
    """Of the input matrix."""
    spells_bytes: bool
    """It can write any text, since it has an entry for each byte."""
    lower_case: bool
    specials: tuple[Special, ...]
    mismatches: tuple[Mismatch, ...]
    again: str
    """The text that the tokens spell."""
    provenance: Provenance
    snippet: str

    @property
    def unknown(self) -> int:
        """How many tokens stand for what cannot be spelled."""
        return sum(token.unknown for token in self.tokens)


@dataclass(frozen=True)
class Glance:
    """Every head over several sentences."""

    kind: AttentionKind
    sentences: int
    names: tuple[str, ...]
    """Of the measures, as in `models.measures.STATISTICS`."""
    means: Float[np.ndarray, "measure layer head"]
    """NaN where no sentence has what is measured."""
    errors: Float[np.ndarray, "measure layer head"]
    """Standard errors of the means; NaN with fewer than two sentences."""
    counts: Int[np.ndarray, "measure layer head"]
    """How many sentences had it."""
    provenance: Provenance
    snippet: str
