"""The words of one sentence, or of two side by side, ready to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

from components.shares import rare, spelled
from components.words import fixed, t
from models.trace import ScoredSentence, ScoredWord, SentencePair


@dataclass(frozen=True)
class Column:
    """One word, or two that stand side by side."""

    words: tuple[ScoredWord | None, ...]
    """Of the first and of the second sentence; None where one has no counterpart."""
    same: bool = True
    """Both sentences have the same word here."""

    @property
    def told(self) -> str:
        """Its numbers in words."""
        return " · ".join(told(word) for word in self.words if word is not None)

    def shown(self, word: ScoredWord) -> str:
        """What stands above a bar."""
        if word.nats is None:
            return "?"
        return f"< {fixed(0.1, 1)}" if word.nats < 0.05 else fixed(word.nats, 1)


def told(word: ScoredWord) -> str:
    """A word's surprisal in both units, its probability, and its pieces if it has several."""
    if word.nats is None:
        return t("“{word}” cannot be spelled, so it has no number", word=word.text)
    pieces = f" ({spelled(word.pieces)})" if len(word.pieces) > 1 else ""
    return t(
        "“{word}”{pieces}: {nats} nats = {bits} bits, probability {share}",
        word=word.text,
        pieces=pieces,
        nats=fixed(word.nats, 2),
        bits=fixed(word.nats / log(2), 2),
        share=rare(exp(-word.nats)),
    )


def of_sentence(scored: ScoredSentence) -> list[Column]:
    """One column per word."""
    return [Column((word,)) for word in scored.words]


def of_pair(pair: SentencePair) -> list[Column]:
    """One column per aligned row of both sentences."""
    first, second = pair.first.words, pair.second.words
    return [
        Column(
            (
                None if row.first is None else first[row.first],
                None if row.second is None else second[row.second],
            ),
            row.same,
        )
        for row in pair.rows
    ]


def tallest(columns: Sequence[Column]) -> float:
    """The surprisal of the tallest bar, in nats; above 0."""
    found = [word.nats for column in columns for word in column.words if word and word.nats]
    return max(found, default=1.0)
