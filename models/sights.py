"""Who sees what, as plain, frozen records without torch; `models.seeing` makes them.

Positions and columns count from 0. Arrays are read-only by agreement.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float

from models.answers import Answer
from models.results import Provenance, Span
from models.traces import Token

PaneName = Literal["whole", "forward", "backward", "encoder", "decoder", "cross"]
"""Whose states are watched, and what is changed: all of a model; one half of ELMo's states; the
encoder's states and the source; the decoder's states and what it has written; and the source."""
ReplacedKind = Literal["word", "special", "padding"]


@dataclass(frozen=True)
class Replaced:
    """Something of a text that is replaced as a whole: a word, or a token that is none."""

    text: str
    kind: ReplacedKind
    span: Span
    """Where it stands in the text; empty for what does not."""
    tokens: tuple[int, ...]
    """Its tokens, as positions of what is read."""


@dataclass(frozen=True)
class LeakCheck:
    """What a mask forbids and what was measured there, and the same of what it allows."""

    forbidden: int
    """Cells that the mask forbids."""
    leaking: int
    """Forbidden cells that are not exactly 0; one that is no number counts, too."""
    largest: float
    """The largest value in a forbidden cell; 0 if there is none."""
    allowed: int
    moving: int
    """Allowed cells above 0."""
    smallest: float
    """The smallest value above 0 in an allowed cell; 0 if there is none."""
    median: float
    """Of the allowed cells."""

    @property
    def passed(self) -> bool:
        """Nothing arrives where nothing may."""
        return self.leaking == 0


@dataclass(frozen=True)
class Pane:
    """One matrix: how far the state at each position moves when each unit is replaced."""

    name: PaneName
    rows: tuple[Token, ...]
    """The positions; padding is a special token."""
    columns: tuple[Replaced, ...]
    """What is replaced."""
    values: Float[np.ndarray, "position unit"]
    """‖h − h'‖ / ‖h‖ at the top layer, the mean over substitutes."""
    allowed: Bool[np.ndarray, "position unit"]
    """The nominal mask: where anything may arrive at all, through any number of layers."""
    check: LeakCheck
    snippet: str


@dataclass(frozen=True)
class Sight:
    """All matrices of one model on one text."""

    panes: tuple[Pane, ...]
    padding: int
    """How many padding tokens were appended."""
    substitutes: int
    """How many other words were tried in place of each."""
    cut: str
    """The end of the text that the model did not read."""
    provenance: Provenance


TargetWay = Literal["masked", "forward", "backward", "written"]
"""How a token is predicted: in place of a mask, from the left, from the right, by a decoder."""


@dataclass(frozen=True)
class Target:
    """One prediction that an objective trains."""

    token: int
    """Which token is to be predicted."""
    way: TargetWay
    nats: float
    """Negative log likelihood."""


@dataclass(frozen=True)
class Targets:
    """Which tokens of a sentence an objective trains a model to predict, and what each costs."""

    tokens: tuple[Token, ...]
    """Of the sentence, framed as in training."""
    read: tuple[str, ...]
    """What the model reads in place of each token; an encoder a single mask per hidden word, at
    its first piece ("" at the others)."""
    targets: tuple[Target, ...]
    """In reading order; of ELMo first all that go forward."""
    loss: float | None
    """Mean over the targets, in nats; None without any."""
    cut: str
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class OpenedWord:
    """A word of a text, and what ELMo would say in its place: its two models, and both combined."""

    text: str
    span: Span
    forward: Answer
    """From the words to the left."""
    backward: Answer
    """From the words to the right."""
    combined: Answer
    """log p_forward + log p_backward − log p_unigram, made a distribution again."""


@dataclass(frozen=True)
class Opened:
    """ELMo taken apart: each word's answers, and how alike words are in each layer or mix."""

    words: tuple[OpenedWord, ...]
    products: Float[np.ndarray, "layer layer word word"]
    """Dot products of states: of word i in layer a with word j in layer b; layer 0 is static."""
    vocabulary: int
    """How many entries can be an answer."""
    cut: str
    provenance: Provenance
    snippet: str

    @property
    def layers(self) -> int:
        """How many there are, the static one included."""
        return int(self.products.shape[0])


@dataclass(frozen=True)
class InContexts:
    """One word in two texts, in one model, layer by layer."""

    word: str
    spans: tuple[Span, Span]
    """Where it stands in the first text and in the second."""
    layers: tuple[str, ...]
    """``static`` (the word vector), ``input`` (with its position, if that is added), ``1``, …"""
    similarity: Float[np.ndarray, " layer"]
    """Cosine of the word's two states; a word of several pieces has their mean."""
    others: Float[np.ndarray, " layer"]
    """Mean cosine of all pairs of different words, one of each text; NaN if there is none."""
    same_before: bool
    """What the model reads before the word is the same in both texts."""
    provenance: Provenance
    snippet: str
