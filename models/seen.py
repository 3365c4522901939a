"""The waist's part for who sees what: visibility, targets, ELMo opened, a word in two contexts.

As all of the waist, these functions load torch with the first model only; `models` offers them by
the same names. `model` is a name for `models.load` or what it returned; `check` is called between
steps and raises to give up. All raise `Refusal` where the model cannot be had.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from models.claims import Verdict
from models.claims import verdicts as judge
from models.sides import METRICS, BothSides, Metric, stored
from models.sights import InContexts, Opened, Sight, Targets

if TYPE_CHECKING:
    from models.loading import Model

__all__ = ["METRICS", "both_sides", "common_words", "in_contexts", "opened", "sight", "targets",
           "verdicts"]  # fmt: skip

Check = Callable[[], None] | None


def sight(model: str | Model, text: str, padding: int = 2, check: Check = None) -> Sight:
    """Which positions notice when a word changes, beside what the model's mask allows.

    Every word is replaced by 4 others, one at a time, and so is every special and every padding
    token; nothing is masked. Values are ‖h − h'‖ / ‖h‖ at the top layer; original and changed texts
    go in one batch, so that what cannot arrive is exactly 0. The nominal mask is the architecture's
    rule. An encoder-decoder reads the text and writes the same text.

    Args:
        model: See above.
        text: With at least one word. Time and memory grow with the square of its length.
        padding: How many padding tokens to append, if the model has one.
        check: See above.

    Raises:
        Refusal: The model brings no counts to draw other words from.
    """
    from models.seeing import sight as measure

    return measure(_loaded(model), text, padding, check=check)


def targets(
    model: str | Model, text: str, seed: int = 0, rate: float = 0.15, check: Check = None
) -> Targets:
    """Which tokens of a sentence the model's objective trains, and what each costs in nats.

    Args:
        model: See above.
        text: Any text.
        seed: Of the draw; the same words are hidden from an encoder-decoder's encoder as from a
            masked model with the same vocabulary.
        rate: Share of the tokens that are drawn.
        check: See above.
    """
    from models.seeing import targets as measure

    return measure(_loaded(model), text, seed, rate, check)


def opened(model: str | Model, text: str, top_k: int = 5, check: Check = None) -> Opened:
    """An ELMo taken apart: at every word the answers of its two models and both combined.

    Each word is asked for with all others visible; and of every two words and two layers the dot
    product of their states, from which any mix of the layers can be computed (Peters et al. 2018,
    equation 1: γ Σ s_j h_j).

    Raises:
        Refusal: It is no ELMo, or brings no counts.
    """
    from models.seeing import opened as take_apart

    return take_apart(_loaded(model), text, top_k, check)


def common_words(model: str | Model, first: str, second: str) -> tuple[str, ...]:
    """The words that two texts have in common, as a model cuts them, the rarest first."""
    from models.seeing import common_words as find

    return find(_loaded(model), first, second)


def in_contexts(
    model: str | Model, first: str, second: str, word: str, check: Check = None
) -> InContexts:
    """How alike the states of a word are in two texts, layer by layer (cosine).

    The static layer holds word vectors: there the same word is exactly 1. Of several places of the
    word in a text, the first counts; of an encoder-decoder the encoder's states.

    Raises:
        ValueError: The word does not stand in both texts.
    """
    from models.seeing import in_contexts as compare

    return compare(_loaded(model), first, second, word, check)


def both_sides() -> BothSides | None:
    """The last run of the both-sides test that is kept in the zoo; None if there is none."""
    return stored()


def verdicts(found: BothSides, metric: Metric) -> tuple[Verdict, ...]:
    """What a run says about each claim, by one of `METRICS`; see `models.claims`."""
    return judge(found, metric)


def _loaded(model: str | Model) -> Model:
    from models.loading import load

    return load(model) if isinstance(model, str) else model
