"""How each kind of model answers at a blank: one module per kind, chosen here and nowhere else.

A masked model reads the whole sentence with masks in it. A causal one is asked for the next word
after the left text, ELMo's two models each from their side, an encoder-decoder for what it writes
there. Models that cannot read a blank fill the others, as far as they read them, with guesses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxtyping import Float
from torch import Tensor

from models.answering import causal, denoising, masked, two_way
from models.answering.posed import Answered, Check, Kind, Posed
from models.catalog import Objective
from models.errors import Unusable
from models.gaps import Gapped
from models.runs import Tensors

if TYPE_CHECKING:
    from models.loading import Model

__all__ = ["Answered", "Check", "Posed", "Tensors", "answers", "log_p", "pose"]

KINDS: dict[Objective, Kind] = {
    "masked": masked,
    "causal": causal,
    "two-way": two_way,
    "denoising": denoising,
}


def kind_of(model: Model) -> Kind:
    """How this model answers.

    Raises:
        Unusable: It fills no blanks: it writes another text than it reads.
    """
    if model.objective not in KINDS:
        raise Unusable(model.name, "mask")
    return KINDS[model.objective]


def answers(model: Model, text: Gapped, check: Check = None) -> Iterator[Answered]:
    """The answers to all blanks of a text, in reading order."""
    return kind_of(model).answers(model, text, check)


def pose(
    model: Model, text: Gapped, blank: int, view: str | None = None, check: Check = None
) -> Posed:
    """What the network reads for one blank.

    Args:
        model: Of any kind.
        text: With this blank in it.
        blank: Counted from 0 in reading order.
        view: One of ELMo's models alone (``forward``, ``backward``).
        check: Called at every step; raise from it to give up.

    Raises:
        Unusable: The model fills no blanks.
        ValueError: There is no such blank, or the model has no such view.
    """
    kind = kind_of(model)
    if view is not None and view not in kind.VIEWS:
        raise ValueError(f"{model.name} has no view {view!r}")
    return kind.pose(model, text, text.checked(blank), view, check)


def log_p(
    model: Model, tensors: Tensors, position: int, check: Check = None
) -> Float[Tensor, "row vocabulary"]:
    """Log-probabilities of every word, for each row of tensors like those of a posed blank."""
    return kind_of(model).log_p(model, tensors, position, check)
