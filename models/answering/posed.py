"""A blank as a network is asked about it, and what comes back: shared by all kinds of models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from models.gaps import Fills, Gapped, Layout
from models.ranking import best_words
from models.results import Candidate, Way
from models.runs import Tensors

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None
Guesses = Mapping[int, Candidate]
"""What the model itself put into other blanks: the number of a blank -> the word."""
LogP = Float[np.ndarray, " vocabulary"]


@dataclass(frozen=True)
class Posed:
    """Rows of token ids whose answer at one position is the answer to a blank."""

    layouts: Mapping[str, Layout]
    """By the name of what reads them: an argument of the network's forward; of ELMo, its models."""
    position: int
    """Of the answer among the logits."""
    guesses: Guesses = field(default_factory=dict)

    def tensors(self) -> Tensors:
        """One row for each of the names."""
        return {name: torch.tensor([layout.ids]) for name, layout in self.layouts.items()}


@dataclass(frozen=True)
class Answered:
    """The answer to one blank."""

    log_p: LogP
    """Natural logarithms over the full vocabulary, float64."""
    pieces_log_p: float | None = None
    """Of a hidden word of several pieces; None where it has one, or cannot be scored."""
    guesses: Guesses = field(default_factory=dict)
    ways: Mapping[Way, Answered] = field(default_factory=dict)
    """The answers of ELMo's two models, which `log_p` combines."""


class Kind(Protocol):
    """How one kind of model is asked; each module of this package is one."""

    VIEWS: Sequence[str]
    """Parts of the model, or of what it reads, that can be looked at by themselves."""

    def pose(self, model: Model, text: Gapped, blank: int, view: str | None, check: Check) -> Posed:
        """What the network reads for one blank; the guesses before it are made here."""

    def log_p(
        self, model: Model, tensors: Tensors, position: int, check: Check
    ) -> Float[Tensor, "row vocabulary"]:
        """The answer to each row of posed tensors: natural logarithms, float64."""

    def answers(self, model: Model, text: Gapped, check: Check) -> Iterator[Answered]:
        """The answers to all blanks, in reading order."""


def best_word(model: Model, log_p: LogP) -> Candidate:
    """The most probable word; special tokens are none."""
    best = int(best_words(log_p, model.vocabulary.is_word, 1)[0])
    return model.vocabulary.candidate(best, float(np.exp(log_p[best])))


def as_fills(guesses: Guesses) -> Fills:
    """Guesses as what is put into the blanks."""
    return {blank: (word.token_id,) for blank, word in guesses.items()}


def several_pieces(model: Model, text: Gapped, blank: int) -> tuple[int, ...]:
    """The pieces of a hidden word that has more than one, all of which can be spelled; else ()."""
    ids = text.hidden[blank].ids
    return ids if len(ids) > 1 and model.reader.unknown_id not in ids else ()
