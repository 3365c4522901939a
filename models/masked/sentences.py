"""How well whole sentences fit: every word hidden once while all others are visible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from models import measures
from models.fills import PairRow, ScoredSentence, ScoredWord, SentencePair
from models.inputs import describe_pieces, spelled
from models.masked import snippets
from models.masked.asking import Check, Task, chain
from models.measures.alignment import align
from models.reading import Reading
from models.settings import settings
from models.tokens import words_of
from models.traces import Token

if TYPE_CHECKING:
    from models.loading import Model

MOST_TOKENS = 128
"""Tokens of a sentence that is scored: each of them costs a pass over all."""


def pseudo_perplexity(model: Model, text: str, check: Check = None) -> ScoredSentence:
    """-log p of each word and what follows from it; see `models.pseudo_perplexity`."""
    read = _read(model, text)
    return _score(model, read, snippets.sentences(model, [text], [read.for_snippet]), check)


def compare_sentences(model: Model, first: str, second: str, check: Check = None) -> SentencePair:
    """Two sentences against each other; see `models.compare_sentences`."""
    both = [_read(model, text) for text in (first, second)]
    snippet = snippets.sentences(model, [first, second], [read.for_snippet for read in both])
    one, two = (_score(model, read, snippet, check) for read in both)
    words = [[read.piece_ids(word) for word in read.words] for read in both]
    rows = tuple(
        PairRow(a, b, a is not None and b is not None and words[0][a] == words[1][b])
        for a, b in align(*words)
    )
    same_length = one.pieces == two.pieces
    return SentencePair(one, two, rows, one.total - two.total, same_length, snippet)


@dataclass(frozen=True)
class _Read:
    """A sentence, and which of its tokens are which word."""

    reading: Reading
    tokens: tuple[Token, ...]
    words: list[tuple[int, ...]]
    """For each word, the positions of its pieces, which follow one another."""
    known: list[tuple[int, ...]]
    """Those that the tokenizer can spell."""

    @property
    def for_snippet(self) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
        return self.reading.ids, self.known

    def piece_ids(self, word: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(self.reading.ids[i] for i in word)

    def hidden(self, word: tuple[int, ...], mask_id: int) -> Task:
        """The question about one word: all of its pieces masked at once."""
        ids, masks = self.reading.ids, (mask_id,) * len(word)
        return Task(ids[: word[0]] + masks + ids[word[-1] + 1 :], word[0], self.piece_ids(word))


def _read(model: Model, text: str) -> _Read:
    most = min(model.max_tokens, MOST_TOKENS)
    reading = model.reader.read(text, settings().max_characters, most)
    tokens = describe_pieces(model, (text,), spelled(model, reading))
    words = words_of(tokens)
    known = [word for word in words if not any(tokens[i].unknown for i in word)]
    return _Read(reading, tokens, words, known)


def _score(model: Model, read: _Read, snippet: str, check: Check) -> ScoredSentence:
    tasks = [read.hidden(word, model.mask_id) for word in read.known]
    scores = dict(zip(read.known, chain(model, tasks, check), strict=True))
    every = np.concatenate([np.zeros(0), *scores.values()])
    return ScoredSentence(
        text=read.reading.text,
        words=tuple(_word(read, word, scores.get(word)) for word in read.words),
        pieces=len(every),
        total=float(every.sum()),
        pseudo_perplexity=measures.pseudo_perplexity(every) if len(every) else None,
        read=read.reading.read,
        cut=read.reading.cut,
        unknown=read.reading.unknown,
        provenance=model.provenance,
        snippet=snippet,
    )


def _word(
    read: _Read, word: tuple[int, ...], scores: Float[np.ndarray, " piece"] | None
) -> ScoredWord:
    span = read.tokens[word[0]].start, read.tokens[word[-1]].end
    return ScoredWord(
        span,
        read.reading.text[span[0] : span[1]],
        tuple(read.tokens[i].piece for i in word),
        None if scores is None else tuple(scores.tolist()),
    )
