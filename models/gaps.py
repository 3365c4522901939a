"""A text with words hidden in it, and its tokens laid out around the gaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from models.hiding import Hidden, hidden_tokens
from models.reading import Reading
from models.results import Sentence
from models.settings import settings

if TYPE_CHECKING:
    from models.loading import Model

Fills = Mapping[int, tuple[int, ...]]
"""What is put into blanks: the number of a blank -> token ids."""


@dataclass(frozen=True)
class Layout:
    """Token ids in a row, and where in it everything went."""

    ids: tuple[int, ...]
    places: Mapping[int, int]
    """From a token's index in the reading to its position here; visible tokens only."""
    blanks: Mapping[int, int]
    """From the number of a blank to the position where its filling begins."""

    def after(self, ids: tuple[int, ...]) -> Layout:
        """The same row behind some other tokens."""
        places, blanks = (
            {key: at + len(ids) for key, at in found.items()}
            for found in (self.places, self.blanks)
        )
        return Layout(ids + self.ids, places, blanks)


@dataclass(frozen=True)
class Gapped:
    """A visitor's text as tokens, and the runs of tokens that are hidden in it."""

    reading: Reading
    hidden: tuple[Hidden, ...]

    @classmethod
    def of(cls, model: Model, sentence: Sentence) -> Gapped:
        """Read a sentence, as far as the model can."""
        reading = model.reader.read(sentence.text, settings().max_characters, model.max_tokens)
        return cls(reading, hidden_tokens(reading, sentence.hidden, model.reader.blank_id))

    def checked(self, blank: int) -> int:
        """The number of a blank that exists.

        Raises:
            ValueError: There is no such blank.
        """
        if not 0 <= blank < len(self.hidden):
            raise ValueError(f"blank {blank} of {len(self.hidden)}")
        return blank

    def whole(self, fills: Fills) -> Layout:
        """All of the text."""
        return self._lay(0, len(self.reading.ids), fills)

    def left(self, blank: int, fills: Fills) -> Layout:
        """What stands before a blank."""
        return self._lay(0, self.hidden[blank].first, fills)

    def right(self, blank: int, fills: Fills) -> Layout:
        """What stands behind a blank."""
        return self._lay(self.hidden[blank].end, len(self.reading.ids), fills)

    def parts(self) -> Iterator[tuple[int, ...]]:
        """The visible tokens before, between and behind the blanks: one part more than blanks."""
        starts = [0, *(word.end for word in self.hidden)]
        ends = [*(word.first for word in self.hidden), len(self.reading.ids)]
        for start, end in zip(starts, ends, strict=True):
            yield self.reading.ids[start:end]

    def _lay(self, start: int, end: int, fills: Fills) -> Layout:
        """The tokens from `start` to `end`, with every blank among them filled."""
        ids: list[int] = []
        places: dict[int, int] = {}
        blanks: dict[int, int] = {}
        numbers = {word.first: number for number, word in enumerate(self.hidden)}
        index = start
        while index < end:
            if (number := numbers.get(index)) is not None:
                blanks[number] = len(ids)
                ids.extend(fills[number])
                index = self.hidden[number].end
            else:
                places[index] = len(ids)
                ids.append(self.reading.ids[index])
                index += 1
        return Layout(tuple(ids), places, blanks)
