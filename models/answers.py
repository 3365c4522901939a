"""Answers of a masked model seen from inside: layer by layer, step by step, and while it learns.

Plain, frozen records without torch. Logarithms are natural (nats) unless a name ends in ``_bits``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float

from models.results import Candidate, Provenance, Span
from models.traces import Token

Fate = Literal["masked", "random", "kept"]
Row = Float[np.ndarray, " _"]


@dataclass(frozen=True)
class Answer:
    """A distribution over the full vocabulary, as far as a reader wants it."""

    best: tuple[Candidate, ...]
    """Most probable words first."""
    original_rank: int | None
    """Of the word that really stands there; None if there is none, or it has several pieces."""
    original_probability: float | None
    entropy_bits: float


@dataclass(frozen=True)
class Standing:
    """Where one word stands in a distribution over the full vocabulary."""

    rank: int
    """1 = best; equally probable words share a rank."""
    probability: float


# --- layer by layer ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lens:
    """What the model would answer at a blank if it stopped after each layer.

    Early layers are biased (Belrose et al. 2023); a page says so.
    """

    span: Span
    original: str | None
    layers: tuple[Answer, ...]
    """From the embeddings (0) to the model's own answer (the last)."""
    final: tuple[Standing, ...]
    """Where each layer puts the best word of the last one."""
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class HeadSteps:
    """A masked-LM head at one blank, step by step. All arrays are float32."""

    span: Span
    original: str | None
    layer: int
    """Which layer's state goes in: 0 = the embeddings."""
    hidden: Row
    """(width,): the state, with the model's final norm where it has one."""
    dense: Row
    """(width of the head,)."""
    activation: Row
    layer_norm: Row
    logits: Row
    """(vocabulary,): the normed vector times the vocabulary matrix, plus its bias."""
    answer: Answer
    """The softmax of the logits."""
    without: Answer | None
    """The state straight into the vocabulary matrix; None where the widths do not fit."""
    without_logits: Row | None
    best_without: Standing | None
    """Where the best word of `answer` stands in `without`."""
    provenance: Provenance
    snippet: str


# --- training, made visible ----------------------------------------------------------------------


@dataclass(frozen=True)
class Selected:
    """A position that was selected for the loss, whatever became of it."""

    token: int
    """Index among the tokens."""
    fate: Fate
    shown: str
    """What the model reads there: its mask, another word, or the word itself."""
    nats: float
    """Negative log likelihood of the original token."""
    answer: Answer
    """With the rank and probability of the original."""


@dataclass(frozen=True)
class Corruption:
    """A sentence as a masked model meets it while it learns (Devlin et al. 2018, §3.1)."""

    tokens: tuple[Token, ...]
    """Of the sentence as it was, special ones included."""
    selected: tuple[Selected, ...]
    """In reading order; the loss knows no other positions."""
    loss: float | None
    """Mean over the selected positions, in nats: what training minimises. None without words."""
    total: float
    """Their sum."""
    rate: float
    seed: int
    cut: str
    provenance: Provenance
    snippet: str
