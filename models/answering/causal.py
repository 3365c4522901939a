"""GPT: the next word after the text to the left of the blank. It sees nothing to the right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jaxtyping import Float
from torch import Tensor

from models.answering.left_to_right import first_token, guessed, in_turn, next_words
from models.answering.posed import Answered, Check, Guesses, Posed, as_fills
from models.gaps import Gapped
from models.runs import Tensors

if TYPE_CHECKING:
    from models.loading import Model

VIEWS: Sequence[str] = ()


def pose(model: Model, text: Gapped, blank: int, view: str | None, check: Check) -> Posed:
    """The text to the left, the model's own guesses in earlier blanks."""
    return guessed(model, text, blank, _lay, check)


def log_p(
    model: Model, tensors: Tensors, position: int, check: Check
) -> Float[Tensor, "row vocabulary"]:
    """What comes next."""
    return next_words(model, tensors, [position], check)[:, 0]


def answers(model: Model, text: Gapped, check: Check) -> Iterator[Answered]:
    """All blanks from left to right."""
    return in_turn(model, text, _lay, check)


def _lay(model: Model, text: Gapped, blank: int, guesses: Guesses) -> Posed:
    left = text.left(blank, as_fills(guesses))
    if not left.ids:
        left = left.after((first_token(model),))
    return Posed({"input_ids": left}, len(left.ids) - 1, guesses)
