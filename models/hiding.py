"""Which tokens are hidden: from spans of the text to runs of tokens that become one mask each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from models.reading import Reading
from models.results import Span


@dataclass(frozen=True)
class Hidden:
    """A run of tokens that becomes one mask."""

    first: int
    """Index of its first token in the reading."""
    end: int
    """One past its last token."""
    span: Span
    """The text behind the tokens."""
    ids: tuple[int, ...]
    """The original's tokens; () if it was typed as a mask."""


def hidden_tokens(
    reading: Reading, spans: Iterable[Span], blank_id: int | None
) -> tuple[Hidden, ...]:
    """The tokens behind hidden spans and typed masks, in reading order.

    A span that cuts through a token hides all of it, spans that share a token become one, and a
    span over spaces alone hides nothing.

    Args:
        reading: The text as tokens.
        spans: Of the text; in any order.
        blank_id: What stands in the reading for a typed mask; None leaves those out.
    """
    runs = [(i, i + 1) for i, token_id in enumerate(reading.ids) if token_id == blank_id]
    for start, end in spans:
        inside = [i for i, (a, b) in enumerate(reading.offsets) if a < end and b > start]
        if inside:
            runs.append((inside[0], inside[-1] + 1))
    return tuple(_hidden(reading, first, end, blank_id) for first, end in _merged(runs))


def _merged(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs that overlap become one; runs that only touch stay apart."""
    merged: list[tuple[int, int]] = []
    for first, end in sorted(runs):
        if merged and first < merged[-1][1]:
            before = merged.pop()
            merged.append((before[0], max(before[1], end)))
        else:
            merged.append((first, end))
    return merged


def _hidden(reading: Reading, first: int, end: int, blank_id: int | None) -> Hidden:
    start, stop = reading.offsets[first][0], reading.offsets[end - 1][1]
    word = reading.text[start:stop]
    start += len(word) - len(word.lstrip())  # some tokenizers count the space before a word to it
    ids = reading.ids[first:end]
    return Hidden(first, end, (start, stop), () if blank_id in ids else ids)


def with_masks(
    ids: tuple[int, ...], hidden: Iterable[Hidden], mask_id: int
) -> tuple[list[int], list[int]]:
    """The token ids with one mask for every hidden word, and where those masks stand."""
    masked: list[int] = []
    places: list[int] = []
    cursor = 0
    for word in hidden:
        masked += ids[cursor : word.first]
        places.append(len(masked))
        masked.append(mask_id)
        cursor = word.end
    return masked + list(ids[cursor:]), places
