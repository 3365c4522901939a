"""What may be changed inside a model while it runs: plain, frozen descriptions, to be combined.

A description says *what* to change; `models.tracing` and `models.wiring` carry it out in one
forward pass and leave the model as it was. Layers and heads count from 0. ``attention`` names whose
attention is meant: ``"encoder"`` (BERT), ``"decoder"`` (GPT) or ``"cross"`` (decoder looking at
encoder); None means all there are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from jaxtyping import Float

AttentionKind = Literal["encoder", "decoder", "cross"]
BranchKind = Literal["attention", "cross", "ffn"]
Edge = tuple[int, int]
"""(query position, key position): the query looks at the key."""


@dataclass(frozen=True)
class SilenceHeads:
    """Heads that say nothing: output 0 before the output projection (Michel et al. 2019)."""

    layer: int
    heads: tuple[int, ...]
    attention: AttentionKind | None = None


@dataclass(frozen=True)
class CutEdges:
    """Edges that carry nothing: their weight is 0 and the rest of the row is scaled to sum to 1.

    A row whose edges are all cut stays 0. ``heads`` None means every head of the layer.
    """

    layer: int
    edges: tuple[Edge, ...]
    heads: tuple[int, ...] | None = None
    attention: AttentionKind | None = None


@dataclass(frozen=True)
class ReplaceHead:
    """A head's output taken from elsewhere, such as another sentence (activation patching).

    ``positions`` None means every position. Raises ValueError if the shapes do not fit.
    """

    layer: int
    head: int
    output: Float[np.ndarray, "position d_head"] = field(compare=False)
    positions: tuple[int, ...] | None = None
    attention: AttentionKind | None = None


@dataclass(frozen=True)
class NoFeedForward:
    """Feed-forward branches that add nothing to the residual stream (norms stay)."""

    layers: tuple[int, ...] | None = None
    stack: Literal["encoder", "decoder"] | None = None


@dataclass(frozen=True)
class NoSkip:
    """Skip connections switched off: a branch's output replaces the stream instead of joining it.

    Dong et al. 2021 ("Attention is not all you need") show that then all positions grow alike.
    """

    layers: tuple[int, ...] | None = None
    around: tuple[BranchKind, ...] = ("attention", "cross", "ffn")
    stack: Literal["encoder", "decoder"] | None = None


@dataclass(frozen=True)
class NoPositions:
    """No information about order: position vectors are 0, rotations the identity, biases 0."""


@dataclass(frozen=True)
class ReplaceActivation:
    """Another non-linearity inside the feed-forward network."""

    by: Literal["identity", "relu", "gelu", "tanh", "silu"]
    layers: tuple[int, ...] | None = None
    stack: Literal["encoder", "decoder"] | None = None


@dataclass(frozen=True)
class BypassHead:
    """The masked-LM head's dense layer, activation and norm left out, the vocabulary kept."""


@dataclass(frozen=True)
class Dropout:
    """Dropout as in training, drawn from a seed of its own (Gal & Ghahramani 2016).

    ``p`` None uses each place's own probability, which may be 0 in a model's configuration.
    """

    seed: int
    p: float | None = None

    def __post_init__(self) -> None:
        """Refuse probabilities that leave nothing."""
        if self.p is not None and not 0.0 <= self.p < 1.0:
            raise ValueError(f"dropout probability {self.p} is not in [0, 1)")


InAttention = SilenceHeads | CutEdges | ReplaceHead
"""Carried out inside the attention function: every family that goes through it."""
InStream = NoFeedForward | NoSkip | NoPositions | ReplaceActivation | BypassHead
"""Carried out by hooks on named modules: the families listed in `models.families`."""
Intervention = InAttention | InStream | Dropout
