"""Answers that take more than one piece, where a single mask has room for one only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Bool, Float, Int
from tokenizers.models import WordPiece

from models.fills import LongerAnswer, LongerAnswers
from models.masked import snippets
from models.masked.asking import Check, LogP, Masked, Query, answered, log_probabilities
from models.masked.named import spell_at
from models.ranking import rank_of
from models.results import Sentence, Span
from models.vocabulary import Vocabulary

if TYPE_CHECKING:
    from models.loading import Model

FIRST = 128
"""How many first pieces are looked at: the beginnings of words are often fragments of low rank."""
WIDTH = 24
"""How many beginnings are followed of those that need a continuation."""
TRIED = 8
"""How many times that many words are looked at in the end, since not all are spelled like that."""
NEEDS = 0.5
"""A beginning needs a continuation if the next mask is at least this probably one."""

Entries = Bool[np.ndarray, " vocabulary"]


@dataclass(frozen=True)
class _Beginning:
    ids: tuple[int, ...] = ()
    log_p: tuple[float, ...] = ()
    goes_on: tuple[float, ...] = ()
    """Probability of any continuation after each piece but the last."""


def longer_answers(
    model: Model, sentence: Sentence, blank: int = 0, top_k: int = 5, check: Check = None
) -> LongerAnswers:
    """Words of two and three pieces at a blank; see `models.longer_answers`."""
    masked = Masked.of(model, sentence)
    place, span = masked.at(blank)
    (log_p,) = log_probabilities(model, [Query(masked.ids, (place,))], check)
    single = np.exp(log_p[0])
    two, three = (
        tuple(_answer(model, one, single) for one in _search(model, masked, blank, n, top_k, check))
        for n in (2, 3)
    )
    spelled = [answer.ids for answer in (*two, *three)]
    snippet = snippets.named(model, masked, place, spelled)
    return LongerAnswers(span, two, three, model.provenance, snippet)


def _search(
    model: Model, masked: Masked, blank: int, pieces: int, top_k: int, check: Check
) -> list[_Beginning]:
    """A beam over the pieces from left to right, each answered with those after it hidden."""
    place, span = masked.at(blank)
    ids = masked.widened(blank, pieces, model.mask_id)
    if len(ids) > model.max_tokens:
        return []
    begins, continues = _entries(model.vocabulary)
    if not isinstance(model.tokenizer.backend_tokenizer.model, WordPiece):
        at_start = not masked.reading.text[: span[0]].strip()
        begins = begins | continues if at_start else begins  # no space to mark a word by
    beam = [_Beginning()]
    for i in range(pieces):
        words = np.flatnonzero(continues if i else begins)
        answers = _answers(model, ids, place, beam, words, check)
        if i:
            beam, answers = _needy(beam, answers)
        last = i == pieces - 1
        beam = _grown(beam, answers, words, WIDTH * TRIED if last else WIDTH if i else FIRST)
    spelled_so = (one for one in beam if _is_spelling(model, masked.reading.text, span, one.ids))
    return list(islice(spelled_so, top_k))


def _answers(
    model: Model,
    ids: tuple[int, ...],
    place: int,
    beam: Sequence[_Beginning],
    words: Int[np.ndarray, " word"],
    check: Check,
) -> LogP:
    """Log-probability of each allowed piece after each beginning, (beginning, word)."""
    found = np.zeros((len(beam), len(words)))
    places = [place + len(one.ids) for one in beam]
    queries = [
        Query(ids[:place] + one.ids + ids[at:], (at,)) for one, at in zip(beam, places, strict=True)
    ]
    for index, log_p in answered(model, queries, check):
        found[index] = log_p[0, words]
    return found


def _needy(beam: Sequence[_Beginning], answers: LogP) -> tuple[list[_Beginning], LogP]:
    """The beginnings that need a continuation, with their answers over all continuations."""
    mass = np.exp(answers).sum(axis=1)
    keep = np.flatnonzero(mass >= NEEDS)[:WIDTH]
    kept = [replace(beam[i], goes_on=(*beam[i].goes_on, float(mass[i]))) for i in keep]
    return kept, answers[keep]


def _grown(
    beam: Sequence[_Beginning], answers: LogP, words: Int[np.ndarray, " word"], width: int
) -> list[_Beginning]:
    """The most probable ways to go on by one more piece, best first."""
    before = np.array([sum(one.log_p) for one in beam])
    totals = before[:, None] + answers
    best = np.argsort(-totals, axis=None, kind="stable")[:width]
    grown = []
    for row, column in zip(*np.unravel_index(best, totals.shape), strict=True):
        one, log_p = beam[row], float(answers[row, column])
        ids = (*one.ids, int(words[column]))
        grown.append(replace(one, ids=ids, log_p=(*one.log_p, log_p)))
    return grown


def _is_spelling(model: Model, text: str, span: Span, ids: tuple[int, ...]) -> bool:
    """The tokenizer itself would cut the word like that, and not find a longer piece in it."""
    return spell_at(model, text, span, _joined(model, ids)) == ids


def _joined(model: Model, ids: tuple[int, ...]) -> str:
    return "".join(model.vocabulary.candidate(id_, 0.0).text for id_ in ids)


def _answer(
    model: Model, found: _Beginning, single: Float[np.ndarray, " vocabulary"]
) -> LongerAnswer:
    return LongerAnswer(
        _joined(model, found.ids),
        model.reader.spell(found.ids),
        found.ids,
        tuple(float(np.exp(log_p)) for log_p in found.log_p),
        found.goes_on,
        rank_of(found.ids[0], single, model.vocabulary.is_word),
    )


@lru_cache(maxsize=8)
def _entries(vocabulary: Vocabulary) -> tuple[Entries, Entries]:
    """Which entries can begin a word of several pieces, and which can go on with it.

    Letters and digits only: a byte-level vocabulary writes "," like the end of a word.
    """
    entries = [vocabulary.candidate(i, 0.0) for i in range(len(vocabulary.is_word))]
    letters = vocabulary.is_word & np.array([entry.text.isalnum() for entry in entries])
    goes_on = np.array([entry.continuation for entry in entries])
    return letters & ~goes_on, letters & goes_on
