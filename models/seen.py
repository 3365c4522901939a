"""The waist's part for who sees what: visibility, targets, ELMo opened, a word in two contexts.

As all of the waist, these functions load torch with the first model only; `models` offers them by
the same names. `model` is a name for `models.load` or what it returned; `check` is called between
steps and raises to give up. All raise `Refusal` where the model cannot be had.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from models.sights import Sight, Targets

if TYPE_CHECKING:
    from models.loading import Model

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


def _loaded(model: str | Model) -> Model:
    from models.loading import load

    return load(model) if isinstance(model, str) else model
