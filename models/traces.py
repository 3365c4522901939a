"""What one look inside a model yields: plain, frozen, picklable numpy records, without torch.

Layers, heads and positions count from 0. Only what was asked for is here; everything else is None
or absent from its mapping. Arrays are read-only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

import numpy as np
from jaxtyping import Bool, Float

from models.interventions import AttentionKind, Intervention
from models.results import Provenance, Span

Array = np.ndarray
TokenKind = Literal["word", "continuation", "special", "space", "byte"]
StackName = Literal["encoder", "decoder"]

ATTENTION = ("weights", "scores", "mask", "query", "key", "value", "context")
"""What can be recorded of a head."""
STREAM = ("hidden_states", "activations", "residual")
"""What can be recorded of a layer."""
QUANTITIES = (*ATTENTION, *STREAM, "logits")


@dataclass(frozen=True)
class Record:
    """One quantity to record (see `QUANTITIES`), of some layers and heads.

    None means all. For ``hidden_states`` the layers run from 0 (the embeddings) to the depth.

    Raises:
        ValueError: There is no such quantity.
    """

    what: str
    layers: tuple[int, ...] | None = None
    heads: tuple[int, ...] | None = None
    attention: AttentionKind | None = None

    def __post_init__(self) -> None:
        """Refuse a misspelled quantity, which would otherwise come back empty."""
        if self.what not in QUANTITIES:
            raise ValueError(f"cannot record {self.what!r}; choose from {', '.join(QUANTITIES)}")


def records(asked: str | Record | Iterable[str | Record]) -> tuple[Record, ...]:
    """``"weights"``, a `Record`, or several of either, as records."""
    several = (asked,) if isinstance(asked, str | Record) else tuple(asked)
    return tuple(Record(one) if isinstance(one, str) else one for one in several)


@dataclass(frozen=True)
class Token:
    """One unit of what the model read, tied to the visitor's own text."""

    text: str
    """The slice of the text it stands for (all of a character, where it is one byte of it);
    for a special token its own name, such as ``[CLS]``."""
    start: int
    end: int
    """Code points ``[start, end)`` in its text; equal when it stands for none of it."""
    id: int
    piece: str
    """The tokenizer's internal spelling (``##ing``, ``Ġthe``): for a tooltip, not for reading."""
    kind: TokenKind
    """``byte``: one of several tokens that share a character, drawn as one group."""
    group: int
    """Tokens with the same group share characters; groups count from 0 in reading order."""
    sequence: int | None = 0
    """0 for the text, 1 for the second text of a pair, None for what the tokenizer added."""
    unknown: bool = False
    """The tokenizer could not spell it: the model sees its unknown token."""


@dataclass(frozen=True)
class Attention:
    """What heads of one layer did: for each recorded quantity, the asked heads and their numbers.

    Shapes: weights and scores (head, query, key); query and context (head, query, d_head); key and
    value (head, key, d_head). scores are scaled products with position bias, before the mask; query
    and key are as compared, after rotary positions. A key/value head that several query heads share
    (grouped queries) is repeated for each. context is what a head says, before the output
    projection.
    """

    heads: Mapping[str, tuple[int, ...]]
    """Which heads were recorded, by quantity."""
    arrays: Mapping[str, Float[Array, "head row column"]]
    mask: Bool[Array, "query key"] | None = None
    """True where the query may look at the key."""

    def __getitem__(self, what: str) -> Float[Array, "head row column"]:
        """All recorded heads of a quantity; KeyError if it was not recorded."""
        return self.arrays[what]

    def head(self, what: str, head: int) -> Float[Array, "row column"]:
        """One head of a quantity.

        Raises:
            KeyError: The quantity or the head was not recorded.
        """
        if head not in self.heads[what]:
            raise KeyError(f"{what} of head {head}")
        row: Array = self.arrays[what][self.heads[what].index(head)]
        return row


@dataclass(frozen=True)
class Residual:
    """One block's output as a sum of what each part contributes.

    The parts add up to the output. Where a norm follows the sum (BERT), each part is carried
    through it at the scale of that very input; what the norms add themselves is the part ``bias``.
    """

    names: tuple[str, ...]
    """``input``, ``attention``, ``cross``, ``ffn`` and, after norms, ``bias``."""
    parts: Float[Array, "part position dim"]
    output: Float[Array, "position dim"]


@dataclass(frozen=True)
class Stack:
    """One tower of layers. A decoder's `cross` looks at the encoder's tokens."""

    name: StackName
    tokens: tuple[Token, ...]
    depth: int
    """How many layers there are, recorded or not."""
    heads: int
    """How many (query) heads each layer has."""
    attention: Mapping[int, Attention] = field(default_factory=dict)
    cross: Mapping[int, Attention] = field(default_factory=dict)
    hidden_states: Mapping[int, Float[Array, "position dim"]] = field(default_factory=dict)
    """0 is the input of the first layer, n the output of layer n - 1. As in transformers, the last
    one comes after the final norm, where the model has one."""
    activations: Mapping[int, Float[Array, "position neuron"]] = field(default_factory=dict)
    """What the feed-forward network's second matrix reads (gate applied, where there is one)."""
    residual: Mapping[int, Residual] = field(default_factory=dict)

    def weights(self, cross: bool = False) -> Float[Array, "layer head query key"]:
        """Attention weights of all recorded layers, in layer order.

        Raises:
            KeyError: A recorded layer lacks them, or none was recorded.
        """
        layers = self.cross if cross else self.attention
        if not layers:
            raise KeyError("weights")
        return np.stack([layer["weights"] for _, layer in sorted(layers.items())])


@dataclass(frozen=True)
class Missing:
    """Something asked for that this model cannot show; a page words it for its reader."""

    what: str
    reason: Literal["own attention", "no attention"]
    """``own attention``: its code computes attention by itself, so that only weights come out.
    ``no attention``: it has none (a recurrent model)."""


@dataclass(frozen=True)
class Measurement:
    """One measure of one model on one text, with what it takes to compute it again."""

    name: str
    """The function of `models.measuring` that made it."""
    values: Float[Array, ...]
    """Axes as that function says."""
    provenance: Provenance
    snippet: str
    """A program that prints these numbers, with public packages only."""
    words: tuple[Span, ...] = ()
    """Where the words of a word axis stand in the text."""
    tokens: tuple[Token, ...] = ()
    """Of a position axis that is about one text; special tokens are positions, too."""
    answer: int | None = None
    """Id of the word whose probability was followed: the original, else the top answer."""


@dataclass(frozen=True)
class Trace:
    """One forward pass of one model over one text, as far as it was asked for."""

    text: str
    pair: str | None
    target: str | None
    """What the decoder of an encoder-decoder read."""
    arguments: Mapping[str, tuple[int, ...]]
    """What the network was called with: its own argument names, one id per position."""
    cut: tuple[str, str, str]
    """The ends of text, pair and target beyond the model's limit, which it did not read."""
    encoder: Stack | None
    decoder: Stack | None
    logits: Float[Array, "position vocabulary"] | None
    interventions: tuple[Intervention, ...]
    missing: tuple[Missing, ...]
    provenance: Provenance

    @property
    def stack(self) -> Stack:
        """The tower that answers: the decoder where there is one, else the encoder."""
        return cast(Stack, self.decoder or self.encoder)

    def attention(self, kind: AttentionKind, layer: int) -> Attention:
        """The recorded attention of one layer.

        Raises:
            KeyError: It was not recorded.
        """
        stack = self.encoder if kind == "encoder" else self.decoder
        if stack is None:
            raise KeyError(kind)
        return (stack.cross if kind == "cross" else stack.attention)[layer]
