"""A sentence as bars: how much each word surprises a model that sees all the others.

One sentence, or two of them side by side, word against word.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

from components.register import register
from components.surprisals.columns import Column, tallest
from components.surprisals.said import in_nats
from components.words import t

__all__ = ["surprisals"]

_surprisals = register("surprisals", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


def surprisals(
    columns: Sequence[Column], *, headline: str, notes: Sequence[str], key: str, colour: str
) -> None:
    """Draw one column per word, in reading order; with two sentences, two bars in each.

    Args:
        columns: The words and their numbers: `components.surprisals.columns`.
        headline: What the bars show, in words.
        notes: What a reader should know, below them.
        key: A name of its own in the session.
        colour: CSS colour of the bars, the architecture's own.
    """
    full = tallest(columns)
    _surprisals(
        key=key,
        data={
            "serial": next(_serial),
            "colour": colour,
            "headline": headline,
            "legend": [t("First sentence"), t("Second sentence")] if _several(columns) else [],
            "columns": [_column(column, full) for column in columns],
            "notes": list(notes),
            "words": {
                "bars": t("Surprisal of each word, in nats"),
                "hint": t("Point at a word, or go through them with the arrow keys."),
                "scale": t("The tallest bar is {nats}.", nats=in_nats(full)),
            },
        },
    )


def _several(columns: Sequence[Column]) -> bool:
    return any(len(column.words) > 1 for column in columns)


def _column(column: Column, full: float) -> dict[str, object]:
    return {
        "same": column.same,
        "told": column.told,
        "bars": [
            {
                "word": None if word is None else word.text,
                "shown": "" if word is None else column.shown(word),
                "height": None if word is None or word.nats is None else word.nats / full,
            }
            for word in column.words
        ],
    }
