"""The Transformer: its encoder reads the text with masks, its decoder writes all of it again.

The answer to a blank is what the decoder writes there, after the true words to the left; a word
hidden from the encoder is hidden from the decoder too, which has its own guess in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jaxtyping import Float
from torch import Tensor

from models.answering.left_to_right import guessed, in_turn, next_words
from models.answering.posed import Answered, Check, Guesses, Posed, as_fills
from models.errors import Unusable
from models.gaps import Gapped, Layout
from models.runs import Tensors

if TYPE_CHECKING:
    from models.loading import Model

SOURCE, PREFIX = "input_ids", "decoder_input_ids"
VIEWS: Sequence[str] = ("source", "prefix")


def pose(model: Model, text: Gapped, blank: int, view: str | None, check: Check) -> Posed:
    """The text with masks, and before the decoder what stands to the left."""
    return guessed(model, text, blank, _lay, check)


def log_p(
    model: Model, tensors: Tensors, position: int, check: Check
) -> Float[Tensor, "row vocabulary"]:
    """What the decoder writes next."""
    return next_words(model, tensors, [position], check)[:, 0]


def answers(model: Model, text: Gapped, check: Check) -> Iterator[Answered]:
    """All blanks from left to right."""
    return in_turn(model, text, _lay, check)


def source(model: Model, text: Gapped) -> Layout:
    """What the encoder reads: one mask for each hidden word, however long.

    Raises:
        Unusable: The model has no mask.
    """
    mask = model.reader.mask_id
    if mask is None:
        raise Unusable(model.name, "mask")
    return text.whole(dict.fromkeys(range(len(text.hidden)), (mask,)))


def _lay(model: Model, text: Gapped, blank: int, guesses: Guesses) -> Posed:
    left = text.left(blank, as_fills(guesses))
    left = left.after(start(model, left.ids))
    return Posed({SOURCE: source(model, text), PREFIX: left}, len(left.ids) - 1, guesses)


def start(model: Model, ids: tuple[int, ...]) -> tuple[int, ...]:
    """The decoder's start token; () where the tokenizer begins a text with the very same one."""
    token = int(model.network.config.decoder_start_token_id)
    return () if ids[:1] == (token,) else (token,)
