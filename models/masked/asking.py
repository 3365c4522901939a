"""Many questions to a masked model, in few forward passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Float

from models.answering.masked import logits_at
from models.answers import Answer, Standing
from models.hiding import Hidden, hidden_tokens, with_masks
from models.ranking import best_words, entropy_bits, rank_of
from models.reading import Reading
from models.results import Sentence, Span
from models.settings import settings

if TYPE_CHECKING:
    from models.loading import Model

BATCH_TOKENS = 1_024
"""Tokens per forward pass: memory is bounded, and a cancelled request stops soon."""

Check = Callable[[], None] | None
LogP = Float[np.ndarray, "place vocabulary"]


@dataclass(frozen=True)
class Query:
    """A text with masks, and where in it answers are wanted."""

    ids: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Task:
    """A word to be scored at masks of its own."""

    ids: tuple[int, ...]
    """A text with as many masks in a row as the word has pieces."""
    place: int
    """The first of them."""
    pieces: tuple[int, ...]


@dataclass(frozen=True)
class Masked:
    """A visitor's sentence as a masked model reads it: one mask for each hidden word."""

    reading: Reading
    hidden: tuple[Hidden, ...]
    ids: tuple[int, ...]
    places: tuple[int, ...]
    """Where each blank's mask stands."""

    @classmethod
    def of(cls, model: Model, sentence: Sentence) -> Masked:
        """Read a sentence, as far as the model can."""
        reading = model.reader.read(sentence.text, settings().max_characters, model.max_tokens)
        hidden = hidden_tokens(reading, sentence.hidden, model.mask_id)
        ids, places = with_masks(reading.ids, hidden, model.mask_id)
        return cls(reading, hidden, tuple(ids), tuple(places))

    def at(self, blank: int) -> tuple[int, Span]:
        """Where a blank's mask stands, and its span of the text.

        Raises:
            ValueError: There is no such blank.
        """
        if not 0 <= blank < len(self.hidden):
            raise ValueError(f"blank {blank} of {len(self.hidden)}")
        return self.places[blank], self.hidden[blank].span

    def original(self, blank: int) -> str | None:
        """The visitor's own word; None where they typed a mask."""
        start, end = self.hidden[blank].span
        return self.reading.text[start:end] if self.hidden[blank].ids else None

    def widened(self, blank: int, pieces: int, mask_id: int) -> tuple[int, ...]:
        """The ids with several masks in place of one."""
        place = self.places[blank]
        return self.ids[:place] + (mask_id,) * pieces + self.ids[place + 1 :]


def log_probabilities(model: Model, queries: Sequence[Query], check: Check = None) -> list[LogP]:
    """For each query, the natural log-probability of every word at every place asked for.

    Softmax in float64, over the full vocabulary. Hold few at a time: a row is a whole vocabulary.
    """
    found: dict[int, LogP] = dict(answered(model, queries, check))
    return [found[index] for index in range(len(queries))]


def chain(
    model: Model, tasks: Sequence[Task], check: Check = None
) -> list[Float[np.ndarray, " piece"]]:
    """For each word, the log-probability of every piece, those before it filled in (chain rule).

    The word is hidden as a whole, and its pieces are read off from left to right: those after a
    piece are still hidden, so that the end of a word does not give its beginning away (Kauf &
    Ivanova 2023). The sum is the log-probability of the word among those of as many pieces.
    """
    queries, targets = [], []
    for word, task in enumerate(tasks):
        for i, piece in enumerate(task.pieces):
            at = task.place + i
            before = task.ids[: task.place] + task.pieces[:i]
            queries.append(Query(before + task.ids[at:], (at,)))
            targets.append((word, i, piece))
    scores = [np.zeros(len(task.pieces)) for task in tasks]
    for index, log_p in answered(model, queries, check):
        word, i, piece = targets[index]
        scores[word][i] = log_p[0, piece]
    return scores


def answer(
    model: Model, log_p: Float[np.ndarray, " vocabulary"], original: int | None, top_k: int
) -> Answer:
    """A distribution as a reader wants it."""
    probabilities = np.exp(log_p)
    vocabulary = model.vocabulary
    if original is not None and not vocabulary.is_word[original]:
        original = None
    best = best_words(probabilities, vocabulary.is_word, top_k)
    return Answer(
        tuple(vocabulary.candidate(int(i), float(probabilities[i])) for i in best),
        None if original is None else rank_of(original, probabilities, vocabulary.is_word),
        None if original is None else float(probabilities[original]),
        entropy_bits(probabilities),
    )


def best_word(model: Model, log_p: Float[np.ndarray, " vocabulary"]) -> int:
    """The id of the most probable word."""
    return int(best_words(np.exp(log_p), model.vocabulary.is_word, 1)[0])


def standing(model: Model, log_p: Float[np.ndarray, " vocabulary"], word: int) -> Standing:
    """Where the word with this id stands in a distribution."""
    probabilities = np.exp(log_p)
    rank = rank_of(word, probabilities, model.vocabulary.is_word)
    return Standing(rank, float(probabilities[word]))


def answered(model: Model, queries: Sequence[Query], check: Check) -> Iterator[tuple[int, LogP]]:
    """Each query's number and its answer, as `log_probabilities`, without holding all of them.

    Texts of one length share forward passes, unpadded; so answers come in another order.
    """
    by_length: dict[int, list[int]] = {}
    for index, query in enumerate(queries):
        by_length.setdefault(len(query.ids), []).append(index)
    for length, indices in by_length.items():
        step = max(1, BATCH_TOKENS // length)
        for start in range(0, len(indices), step):
            if check is not None:
                check()
            some = indices[start : start + step]
            yield from zip(some, _forward(model, [queries[i] for i in some]), strict=True)


def _forward(model: Model, queries: Sequence[Query]) -> list[LogP]:
    ids = torch.tensor([query.ids for query in queries])
    rows = [row for row, query in enumerate(queries) for _ in query.places]
    columns = [place for query in queries for place in query.places]
    logits = logits_at(model.network, ids, torch.tensor(rows), torch.tensor(columns))
    log_p = torch.log_softmax(logits.double(), dim=-1).numpy()
    return np.split(log_p, np.cumsum([len(query.places) for query in queries])[:-1])
