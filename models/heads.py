"""What a page gets to draw of attention: all heads as bytes, one head exactly, one query in stages.

Plain, frozen and without torch, like all results. Layers, heads and positions count from 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Float32, Int, UInt8

from models.interventions import AttentionKind
from models.results import Provenance, Sentence
from models.traces import Token

Array = np.ndarray
HeadAt = tuple[int, int]
"""(layer, head)."""


@dataclass(frozen=True)
class Reads:
    """What a model reads when attention is looked at: enough to read exactly the same again."""

    sentence: Sentence
    pair: str | None = None
    target: str | None = None
    """What the decoder of an encoder-decoder reads; None for its own answer."""


@dataclass(frozen=True)
class Unit:
    """One row or column of a map: a token, or a word that several tokens spell."""

    text: str
    tokens: tuple[int, ...]
    special: bool
    """The tokenizer or the model put it there: no word of the text."""
    sequence: int | None
    """0 for the text, 1 for the second text of a pair, None for what the tokenizer added."""
    continues: bool = False
    """It goes on with the word before it."""


@dataclass(frozen=True)
class AllHeads:
    """Every head of one kind of attention, one byte for each weight."""

    kind: AttentionKind
    kinds: tuple[AttentionKind, ...]
    """All that this model has."""
    reads: Reads
    """With the target that the decoder really read."""
    queries: tuple[Token, ...]
    keys: tuple[Token, ...]
    levels: UInt8[Array, "layer head row column"]
    scales: Float32[Array, "layer head row"]
    """Weight = level · scale, off by at most row maximum / 510; NaN for a row that holds one."""
    block: int
    """Side of the square of weights that a cell stands for, as their largest; 1 = each has one."""
    statistics: Mapping[str, Float[Array, "layer head"]]
    """By name as in `models.measures.STATISTICS`; NaN where a text or a kind does not have it."""
    sinks: Int[Array, "layer head"]
    """The key that gets most of all queries together."""
    cut: tuple[str, str, str]
    """The ends of text, pair and target beyond the model's limit."""
    provenance: Provenance
    snippet: str
    means: UInt8[Array, "layer head row column"] | None = None
    """As `levels`, of the mean of each square instead; None if each weight has a cell."""
    mean_scales: Float32[Array, "layer head row"] | None = None

    @property
    def depth(self) -> int:
        """How many layers there are."""
        return int(self.levels.shape[0])

    @property
    def heads(self) -> int:
        """How many heads each layer has."""
        return int(self.levels.shape[1])


@dataclass(frozen=True)
class OneHead:
    """The weights of one head exactly, or the mean of several."""

    kind: AttentionKind
    heads: tuple[HeadAt, ...]
    queries: tuple[Unit, ...]
    keys: tuple[Unit, ...]
    weights: Float32[Array, "query key"]
    """NaN in a row whose keys are all hidden."""
    mask: Bool[Array, "query key"]
    """True where the query may look."""
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class OneLayer:
    """All heads of one layer, one byte for each weight, however long the text."""

    kind: AttentionKind
    layer: int
    queries: tuple[Unit, ...]
    keys: tuple[Unit, ...]
    levels: UInt8[Array, "head query key"]
    scales: Float32[Array, "head query"]
    """As in `AllHeads`."""
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class Vectors:
    """What bertviz draws of a text: all weights and, where it asks for them, queries and keys."""

    kind: AttentionKind
    keys: tuple[Unit, ...]
    queries: tuple[Unit, ...]
    weights: Float32[Array, "layer head query key"]
    query_vectors: Float32[Array, "layer head query d_head"] | None
    key_vectors: Float32[Array, "layer head key d_head"] | None
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class Cost:
    """What it takes to look at all heads of a model on so many tokens; an estimate."""

    tokens: int
    seconds: float
    """Of this machine, alone at work."""
    memory: int
    """Bytes held at once while it computes, beside the model."""
    sent: int
    """Bytes that the browser gets for all heads and the open one."""
    layer: int
    """Bytes of one layer with every weight of its heads; sent where somebody asks for it."""


@dataclass(frozen=True)
class TextSize:
    """How long a text is for a model, and how much of it can be looked at together."""

    tokens: int
    """Of the whole text, special tokens included."""
    added: int
    """Special tokens among them."""
    model: int
    """The most that the model reads, special tokens included."""
    most: int
    """The most that is looked at: no more than `model`, nor than time and memory allow."""
    cost: Cost
    """Of as much of the text as is looked at."""


@dataclass(frozen=True)
class TrainedOn:
    """The longest texts that a model was trained on."""

    tokens: int
    share: float
    """Of its steps that had texts of this length."""
    next_longest: int
    """The length that most other steps did not exceed."""


@dataclass(frozen=True)
class QueryStages:
    """How one query of one head comes to its weights, and to what the head says there."""

    kind: AttentionKind
    layer: int
    head: int
    query: int
    """Which token asks."""
    keys: tuple[Unit, ...]
    query_vector: Float32[Array, " d_head"]
    key_vectors: Float32[Array, "key d_head"]
    products: Float32[Array, " key"]
    """The dot products, before any scaling."""
    scale: float | None
    """What they are multiplied by; None where something else (such as a position bias) joins in."""
    scores: Float32[Array, " key"]
    """Scaled, before the mask."""
    mask: Bool[Array, " key"]
    weights: Float32[Array, " key"]
    value_norms: Float32[Array, " key"]
    """Lengths of the value vectors: with the weight they say what a key really brings."""
    context: Float32[Array, " d_head"]
    """What the head says: the values, weighted and summed."""
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class Attribution:
    """Integrated gradients: what each word read adds to log p of an answer, in nats.

    The sum is the difference between `original` and `baseline`, but for `error`.
    """

    values: Mapping[str, Float[Array, " token"]]
    """For each side that reads, by the name of the network's argument; NaN for tokens that are the
    same in the baseline: special tokens and masks."""
    answer: int
    """Id of the word at the blank."""
    original: float
    """log p of the word, everything read."""
    baseline: float
    """log p of the word, no word read."""
    error: float
    """Completeness error: how far the sum of all values is off."""
    steps: int
    mean_baseline: bool
    """The baseline is the mean of all word vectors, since the model reads no masks."""
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class ThirdOpinion:
    """Integrated gradients of a layer's keys, and whether the other two agree with them."""

    values: Float[Array, " key"]
    """NaN for special tokens and masks."""
    elsewhere: float
    """What words that are no keys here add together, such as those of the source; in nats."""
    attention: float
    """Spearman's ρ of weight and size of the gradients, over all edges of words in the layer."""
    effects: float
    """The same for sizes of effects."""
    about: Attribution


@dataclass(frozen=True)
class AtBlank:
    """One layer's edges at the row that answers a blank: attention, and the effect of a cut."""

    kind: AttentionKind
    layer: int
    keys: tuple[str, ...]
    weights: Float[Array, "head key"]
    effects: Float[Array, "head key"]
    """Change of log p of the word, in nats."""
    agreement: float
    """Spearman's ρ of weight and size of the effect, over all edges of the layer."""
    third: ThirdOpinion | None
    """Only where an attribution was given."""
    provenance: Provenance
    snippet: str
