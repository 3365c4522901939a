"""What a lane shows, as plain data: a model, its words, its answers, its arcs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from components.theme import Colour
from models.trace import Blank, Measurement, Prediction, Span


@dataclass(frozen=True)
class Word:
    """A word of the sentence, as a lane shows it."""

    span: Span
    """Where it stands in the sentence's text."""
    text: str
    blank: int | None = None
    """Which blank it is, counted from 0; None for a visible word."""


@dataclass(frozen=True)
class Lane:
    """One architecture's way with the sentence.

    Raises:
        ValueError: `arcs` does not fit `words`, or holds something else than 0 to 1 bits.
    """

    name: str
    """The architecture, such as ``BERT``."""
    sees: str
    """In one line, what it is and what it may look at; translated."""
    model: str
    """The catalogue's name of the model that answers."""
    colour: Colour
    link: str = ""
    """Address of the model's own page, with this sentence; "" if it has none."""
    size: str = ""
    """How large the model is; translated."""
    words: tuple[Word, ...] = ()
    answer: Prediction | None = None
    """None if there is none; `note` then says why."""
    unseen: tuple[frozenset[Span], ...] = ()
    """For each blank, the words and blanks that the model does not look at before it answers there.
    () if it looks at all."""
    arcs: tuple[float | None, ...] | None = None
    """Influence of each word on the blank in focus, in bits: None for blanks and for words that
    are not seen. None altogether if it is not measured (yet)."""
    note: str = ""
    """Shown in place of the answers; translated."""
    unmeasured: str = ""
    """Why there are no arcs and will be none; translated."""

    def __post_init__(self) -> None:
        """Refuse arcs that would be drawn at a wrong word."""
        if self.arcs is None:
            return
        if len(self.arcs) != len(self.words):
            raise ValueError(f"{len(self.arcs)} arcs for {len(self.words)} words")
        blind = frozenset[Span]().union(*self.unseen)
        for word, bits in zip(self.words, self.arcs, strict=True):
            if bits is None and word.blank is None and word.span not in blind:
                raise ValueError(f"{word} has no influence")
            if bits is not None and (word.blank is not None or not 0 <= bits <= 1):  # or NaN
                raise ValueError(f"{word} has influence {bits}")

    def blank(self, focus: int) -> Blank | None:
        """The blank in focus; None if this model has no answer there."""
        blanks = self.answer.blanks if self.answer else ()
        return blanks[focus] if 0 <= focus < len(blanks) else None

    def sees_word(self, word: Word, focus: int) -> bool:
        """Whether the model may look at a word when it answers the blank in focus."""
        return not self.unseen or focus >= len(self.unseen) or word.span not in self.unseen[focus]


def words_of(text: str, visible: Sequence[Span], answer: Prediction) -> tuple[Word, ...]:
    """The words of a sentence in reading order: what a model reads, and the blanks in between.

    Args:
        text: The sentence's.
        visible: Where its visible words stand.
        answer: Has the blanks.
    """
    places: dict[Span, int | None] = dict.fromkeys(visible)
    places |= {blank.span: i for i, blank in enumerate(answer.blanks)}
    return tuple(Word(span, text[slice(*span)], blank) for span, blank in sorted(places.items()))


def arcs_of(lane: Lane, influence: Measurement, focus: int) -> tuple[float | None, ...]:
    """`influence` in the order of a lane's words; None for what it does not cover or not see."""
    found = dict(zip(influence.words, influence.values.tolist(), strict=True))
    return tuple(
        found.get(word.span) if lane.sees_word(word, focus) else None for word in lane.words
    )
