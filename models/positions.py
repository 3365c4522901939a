"""The waist's part for positions; `models` offers these functions by the same names.

As all of the waist, they load torch with the first model only. `model` is a name for `models.load`
or what it returned; `check` is called between steps and raises to give up. All raise `Refusal`
where the model cannot be had, and `CannotTrace` where it adds no position vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from models.placed import Added, HeadOffsets, Order, PositionTable
from models.read_back import ReadBack, stored
from models.results import Sentence

if TYPE_CHECKING:
    from models.loading import Model

__all__ = ["added", "head_offsets", "position_probe", "position_table", "shuffled",
           "table_program"]  # fmt: skip

Check = Callable[[], None] | None


def position_table(model: str | Model) -> PositionTable:
    """The vectors that a model adds to its words, learned or not."""
    from models.positioning import position_table as read

    return read(_loaded(model))


def head_offsets(model: str | Model) -> HeadOffsets:
    """Products of positions against their distance, before and after the first layer's projections.

    One curve for each head; beside them heads with random weights (seed 0).
    """
    from models.positioning import head_offsets as measure

    return measure(_loaded(model))


def added(model: str | Model, text: str) -> Added:
    """W(x + p) beside [W W][x; p] for each token, and how far words and positions share directions.

    W is the query matrix of the first layer.
    """
    from models.positioning import added as measure

    return measure(_loaded(model), text)


def shuffled(
    model: str | Model,
    sentence: Sentence,
    seed: int = 0,
    taken_away: bool = False,
    check: Check = None,
) -> Order:
    """What a masked or causal model makes of a sentence whose words are shuffled in eight ways.

    Args:
        model: See above.
        sentence: With at least two words.
        seed: Of the orders.
        taken_away: Whether the model's position vectors are replaced by nothing.
        check: See above.

    Raises:
        ValueError: There is nothing to shuffle.
    """
    from models.positioning import shuffled as measure

    return measure(_loaded(model), sentence, seed, taken_away, check)


def position_probe() -> ReadBack | None:
    """The last run of the position probe that is kept in the zoo; None if there is none."""
    return stored()


def table_program(of: PositionTable | None, length: int, width: int = 64, base: float = 1e4) -> str:
    """A program that prints what can be drawn of a table, or of sinusoids by formula if None.

    Args:
        of: The table.
        length: How many positions.
        width: Of the sinusoids; a table has its own.
        base: Likewise.
    """
    from models.positioning import snippets

    first = snippets.formula(length, width, base) if of is None else of.snippet
    return snippets.views(first, length)


def _loaded(model: str | Model) -> Model:
    from models.loading import load

    return load(model) if isinstance(model, str) else model
