"""An architecture as blocks, a block opened, one token's way: plain, frozen, picklable records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

import numpy as np
from jaxtyping import Float

from models.results import Candidate, Provenance

Kind = Literal[
    "words", "positions", "segments", "first norm",
    "attention", "attention norm", "cross", "cross norm", "ffn", "ffn norm",
    "lstm", "dense of lstm", "last norm",
    "dense", "activation", "head norm", "vocabulary", "softmax",
]  # fmt: skip
"""What a block does."""
Side = Literal["encoder", "decoder", "forward", "backward", ""]
"""Which tower it stands in; "" for what all towers of a model have in common."""
LAYERED: tuple[Kind, ...] = (
    "attention", "attention norm", "cross", "cross norm", "ffn", "ffn norm", "lstm",
    "dense of lstm",
)  # fmt: skip
"""Kinds that every layer has again."""


@dataclass(frozen=True)
class Weights:
    """One learned tensor."""

    name: str
    """As in ``named_parameters``."""
    shape: tuple[int, ...]
    owner: str = ""
    """The name under which an earlier block has, and counts, the same tensor (tied weights)."""

    @property
    def shared(self) -> bool:
        """It belongs to another block."""
        return bool(self.owner)

    @property
    def count(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


@dataclass(frozen=True)
class ModelPart:
    """One block of one layer of a model."""

    kind: Kind
    side: Side
    layer: int | None
    """None outside the layers."""
    module: str
    """The module whose output it is; "" for the softmax, which is none."""
    weights: tuple[Weights, ...]
    flops: int
    """For the text at hand; matrix products only, a multiplication and an addition are two."""
    heads: int = 0
    inner: int = 0
    """The width inside: of the feed-forward network, of the LSTM's cells."""
    activation: str = ""
    reads: int = 1
    """How many numbers of each position it reads."""
    causal: bool = False

    @property
    def parameters(self) -> int:
        """How many it has of its own."""
        return sum(each.count for each in self.weights if not each.shared)


@dataclass(frozen=True)
class Blueprint:
    """A model as blocks, in the order in which a text passes them."""

    model: str
    family: str
    parts: tuple[ModelPart, ...]
    parameters: int
    """Of the whole model; the parts' own sum up to it."""
    source: tuple[str, ...]
    """The tokens that the first tower reads."""
    target: tuple[str, ...]
    """Those of a decoder that reads something else; () in other models."""
    width: int
    provenance: Provenance
    snippet: str
    """A program that prints the parameters of all parts."""

    @property
    def flops(self) -> int:
        """For this text, all parts together."""
        return sum(part.flops for part in self.parts)

    def layers(self, side: str) -> int:
        """How many layers a tower has."""
        return len({p.layer for p in self.parts if p.side == side and p.layer is not None})

    def of(self, kind: Kind, side: Side, layer: int | None = None) -> ModelPart | None:
        """A part; of a layered one in that layer, by default the first."""
        return next(
            (
                part
                for part in self.parts
                if (part.kind, part.side) == (kind, side)
                and (layer is None or part.layer in (None, layer))
            ),
            None,
        )


@dataclass(frozen=True)
class Spread:
    """The shape of a tensor and how its numbers lie; what is masked does not count."""

    shape: tuple[int, ...]
    mean: float
    deviation: float
    low: float
    high: float
    negative: float
    """Share below zero."""


@dataclass(frozen=True)
class BlockTensor:
    """One tensor inside a block, as computed for the text: a matrix, or one matrix per head."""

    name: str
    """``output``, ``query``, ``weights`` …; a page words it."""
    values: Float[np.ndarray, "*head row column"]
    rows: tuple[str, ...]
    """The positions."""
    spread: Spread
    """Of the whole tensor, of which `values` may be a part."""
    columns: tuple[str, ...] = ()
    """Where they have names: keys, or words of the vocabulary."""


@dataclass(frozen=True)
class OpenPart:
    """A block with all that runs through it."""

    part: ModelPart
    tensors: tuple[BlockTensor, ...]
    """What it gives comes first."""
    snippet: str
    """A program that prints the output's mean, standard deviation and largest number."""
    lines: str
    """The few of its lines that compute it."""


StepName = Literal[
    "embedding", "before", "query key value", "scores", "mask", "softmax", "joined",
    "attention norm", "cross", "cross norm", "expand", "activation", "contract", "ffn norm",
    "gates", "cell", "dense of lstm", "after", "head", "logits", "probabilities",
]  # fmt: skip


@dataclass(frozen=True)
class PathRow:
    """A vector of the token at a step."""

    name: str
    """``word``, ``position``, ``query``, ``sum`` …; a page words it."""
    values: Float[np.ndarray, " number"]


@dataclass(frozen=True)
class PathStep:
    """One step of a token's way: vectors, or numbers by head and key."""

    name: StepName
    rows: tuple[PathRow, ...] = ()
    grid: Float[np.ndarray, "head key"] | None = None
    """−∞ where a key is masked."""


@dataclass(frozen=True)
class TokenPath:
    """The way of one token through a model, one layer of it step by step."""

    family: str
    tokens: tuple[str, ...]
    """Of the tower in which the token stands."""
    memory: tuple[str, ...]
    """What cross-attention looks at; () without it."""
    position: int
    layer: int
    layers: int
    heads: int
    steps: tuple[PathStep, ...]
    best: tuple[Candidate, ...]
    """The most probable words at the end."""
    visible: int
    """How many of the tokens this one may look at."""
    activation: str
    provenance: Provenance
    snippet: str

    def step(self, name: StepName) -> PathStep:
        """The step of that name.

        Raises:
            KeyError: This model has none.
        """
        for step in self.steps:
            if step.name == name:
                return step
        raise KeyError(name)


Gesture = Literal["bert", "gpt"]
"""What the Transformer is turned into."""


@dataclass(frozen=True)
class Rebuilt:
    """What a gesture does to the Transformer's blocks, in kinds and sides."""

    kept: tuple[ModelPart, ...]
    removed: tuple[ModelPart, ...]
    added: tuple[ModelPart, ...]
    """Those of the model it becomes, which have no partner in the Transformer."""
    unlike: tuple[tuple[ModelPart, ModelPart], ...]
    """Kept ones whose partner has other shapes, another activation, another mask."""
    gone: int
    """Parameters that nothing uses any more; tied ones stay as long as one block has them."""


HEAD: tuple[Kind, ...] = ("vocabulary", "softmax")


def rebuilt(transformer: Blueprint, other: Blueprint) -> Rebuilt:
    """What becomes of the Transformer when it is turned into BERT (or GPT), block by block.

    Kept is what stands in the tower that remains, or behind both, and has a partner of its kind.
    """
    side: Side = "encoder" if other.family == "bert" else "decoder"
    partners = {part.kind: part for part in first_layer(other.parts)}
    mine = first_layer(transformer.parts)
    kept = tuple(p for p in mine if p.kind in partners and p.side in (side, ""))
    kinds = {part.kind for part in kept}
    stay = [part for part in transformer.parts if _stays(part, side, kinds)]
    used = {each.owner or each.name for part in stay for each in part.weights}
    return Rebuilt(
        kept=kept,
        removed=tuple(p for p in transformer.parts if not _stays(p, side, kinds)),
        added=tuple(p for p in other.parts if p.kind not in kinds),
        unlike=tuple((p, partners[p.kind]) for p in kept if _unlike(p, partners[p.kind])),
        gone=sum(
            each.count
            for part in transformer.parts
            for each in part.weights
            if not each.shared and each.name not in used
        ),
    )


def first_layer(parts: Sequence[ModelPart]) -> tuple[ModelPart, ...]:
    """What stands outside the layers, and the first of them."""
    return tuple(part for part in parts if part.layer in (None, 0))


def _stays(part: ModelPart, side: Side, kinds: set[Kind]) -> bool:
    return part.kind in kinds and part.side in (side, "")


def _unlike(one: ModelPart, other: ModelPart) -> bool:
    def facts(part: ModelPart) -> object:
        shapes = sorted(each.shape for each in part.weights)
        return shapes, part.heads, part.inner, part.activation, part.causal

    return facts(one) != facts(other)
