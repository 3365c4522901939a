"""The waist's part for what is inside a block; `models` offers these functions by the same names.

All are for models of BERT's kind (masked, or causal as our GPT), all are about one blank of a
sentence, and load torch with the first model only. `model` is a name for `models.load` or what it
returned; `check` is called between steps and raises to give up. All raise `Refusal` where the model
cannot be had, `CannotTrace` where its blocks are built otherwise, and ValueError where there is no
such blank.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from models.block_claims import Section, block_verdicts, untested
from models.block_records import Alike, FeedForward, Passes, Silenced, Stream
from models.block_tests import BlockTests, stored_block
from models.pair_tests import PairTests, stored_pairs
from models.results import Sentence

if TYPE_CHECKING:
    from models.loading import Model

__all__ = [
    "block_alike",
    "block_depth",
    "block_dropout",
    "block_ffn",
    "block_heads",
    "block_stream",
    "block_tests",
    "block_untested",
    "block_verdicts",
    "next_sentence_tests",
]

Check = Callable[[], None] | None


def block_ffn(
    model: str | Model, sentence: Sentence, layer: int, blank: int = 0, check: Check = None
) -> FeedForward:
    """One feed-forward network at the answering position: FFN(x) = W₂ g(W₁ x + b₁) + b₂.

    With it: the answer under other activations, the strongest neurons, the same weights as
    convolutions of width 1 (Vaswani et al. 2017, §3.3), and how sparse every layer is.

    Raises:
        ValueError: There is no such layer.
    """
    from models.blocks import feed_forward

    return feed_forward(_loaded(model), sentence, layer, blank, check)


def block_alike(
    model: str | Model, sentence: Sentence, blank: int = 0, check: Check = None
) -> Alike:
    """How alike all positions are after each layer, as trained and with parts switched off.

    Two measures: ‖x − mean‖ / ‖x‖ (Dong et al. 2021) and the mean cosine, which a direction common
    to all states inflates (Ethayarajh 2019).
    """
    from models.blocks import alike

    return alike(_loaded(model), sentence, blank, check)


def block_heads(
    model: str | Model, sentence: Sentence, blank: int = 0, check: Check = None
) -> Silenced:
    """Log-probability of the word while heads fall silent one after another (Michel et al. 2019).

    The order is that of the heads' own effects on this very answer.
    """
    from models.blocks import silenced

    return silenced(_loaded(model), sentence, blank, check)


def block_dropout(
    model: str | Model,
    sentence: Sentence,
    p: float,
    seed: int = 0,
    blank: int = 0,
    check: Check = None,
) -> Passes:
    """The answer of 40 passes with dropout on, each with other units silent (Gal 2016).

    Raises:
        ValueError: p is not in [0, 1).
    """
    from models.blocks import passes

    return passes(_loaded(model), sentence, p, seed, blank, check)


def block_stream(
    model: str | Model, sentence: Sentence, blank: int = 0, check: Check = None
) -> Stream:
    """The residual stream as a sum of what each part adds, up to the logit of the word.

    Every LayerNorm is held at its actual scale, and each unit of the head's activation at its
    actual gain: so the way is linear, and the parts sum to the logit exactly, up to rounding. That
    is a way to share out this one answer; another input has other scales.
    """
    from models.blocks import stream

    return stream(_loaded(model), sentence, blank, check)


def block_depth(model: str | Model) -> int:
    """How many blocks a model has."""
    from models.blocks.walk import blocks_of

    return len(blocks_of(_loaded(model)))


def block_tests() -> BlockTests | None:
    """The last run of `python -m models.training.inside` that the zoo keeps; None if none."""
    return stored_block()


def block_untested(section: Section) -> tuple[str, ...]:
    """The models that a section's claims need and that nobody has tested yet."""
    return untested(stored_block(), section)


def next_sentence_tests() -> PairTests | None:
    """The last run of `python -m models.training.pair_tests` in the zoo; None if none."""
    return stored_pairs()


def _loaded(model: str | Model) -> Model:
    from models.loading import load

    return load(model) if isinstance(model, str) else model
