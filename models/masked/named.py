"""What a model thinks of the words a visitor names at a blank."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from models.fills import NamedWord, NamedWords, Outcome
from models.hiding import hidden_tokens
from models.masked import snippets
from models.masked.asking import Check, Masked, Query, Task, chain, log_probabilities
from models.ranking import rank_of
from models.results import Sentence, Span
from models.tokens import WORD_PIECE

if TYPE_CHECKING:
    from models.loading import Model

SEPARATORS = re.compile(r"[/,;|\n\t，、；／]")
"""Between the words of a list, as people type one."""
MOST_WORDS = 24
"""Words of a list that are scored."""
MOST_PIECES = 12
"""Pieces of a word that is scored."""
LONGEST = 100
"""Characters of a word that is looked at."""
ENDLESS = 1_000_000

Pieces = tuple[int, ...]


def listed(typed: str) -> tuple[str, ...]:
    """The words of a typed list, each once: "he/she", "is, are", "貓、狗".

    Separators alone are taken as the word that is meant.

    >>> listed("he / she, they"), listed(" , "), listed("")
    (('he', 'she', 'they'), (',',), ())
    """
    words = [word.strip() for word in SEPARATORS.split(typed)]
    words = [word for word in words if word] or typed.split()
    return tuple(dict.fromkeys(words))


def score_words(
    model: Model,
    sentence: Sentence,
    words: str | Sequence[str],
    blank: int = 0,
    check: Check = None,
) -> NamedWords:
    """Rank, probability and surprisal of named words; see `models.score_words`."""
    masked = Masked.of(model, sentence)
    place, span = masked.at(blank)
    found: list[tuple[NamedWord, Pieces]] = []
    for number, word in enumerate(listed(words) if isinstance(words, str) else words):
        text = word.strip()
        if number >= MOST_WORDS:
            found.append((NamedWord(text, "left_out"), ()))
            continue
        pieces = spell_at(model, masked.reading.text, span, text)
        outcome = _outcome(model, masked, text, pieces)
        named = NamedWord(text, outcome, model.reader.spell(pieces))
        found.append((named, pieces if outcome == "scored" else ()))
    spelled = tuple(dict.fromkeys(pieces for _, pieces in found if pieces))
    (log_p,) = log_probabilities(model, [Query(masked.ids, (place,))], check)
    scores = _scores(model, masked, blank, spelled, log_p[0], check)
    whole = float(np.logaddexp.reduce(list(scores.values()))) if scores else 0.0
    return NamedWords(
        span,
        tuple(
            _numbers(model, named, pieces, scores[pieces], whole, log_p[0]) if pieces else named
            for named, pieces in found
        ),
        len({len(pieces) for pieces in spelled}) > 1,
        model.provenance,
        snippets.named(model, masked, place, spelled),
    )


def spell_at(model: Model, text: str, span: Span, word: str) -> Pieces:
    """The pieces a word has where it stands in a text; ``()`` if nothing of it is left.

    A word is spelled in its place, since some tokenizers count the space before it to it; where it
    would grow together with its neighbours, by itself. ``##ing`` names that very piece.
    """
    word = word.strip()[: LONGEST + 1]
    if word.startswith(WORD_PIECE):
        token_id = model.tokenizer.backend_tokenizer.token_to_id(word)
        if token_id is not None and model.vocabulary.candidate(token_id, 0.0).continuation:
            return (token_id,)
    for before, after in ((text[: span[0]], text[span[1] :]), ("", "")):
        reading = model.reader.read(before + word + after, ENDLESS, ENDLESS)
        start, end = len(before), len(before) + len(word)
        for found in hidden_tokens(reading, [(start, end)] if word else [], None):
            if start <= found.span[0] and found.span[1] <= end:
                return found.ids
    return ()


def _outcome(model: Model, masked: Masked, word: str, pieces: Pieces) -> Outcome:
    if not word or not pieces:
        return "empty"
    if model.mask_id in pieces:
        return "mask"
    too_wide = len(masked.ids) + len(pieces) - 1 > model.max_tokens
    if len(word) > LONGEST or len(pieces) > MOST_PIECES or too_wide:
        return "too_long"
    if model.reader.unknown_id in pieces or not model.vocabulary.is_word[list(pieces)].all():
        return "unknown"
    return "scored"


def _scores(
    model: Model,
    masked: Masked,
    blank: int,
    spelled: Sequence[Pieces],
    log_p: Float[np.ndarray, " vocabulary"],
    check: Check,
) -> dict[Pieces, float]:
    """Natural log-probability of each spelling."""
    several = [pieces for pieces in spelled if len(pieces) > 1]
    tasks = [
        Task(masked.widened(blank, len(pieces), model.mask_id), masked.places[blank], pieces)
        for pieces in several
    ]
    chains = [float(scores.sum()) for scores in chain(model, tasks, check)]
    longer = dict(zip(several, chains, strict=True))
    return {p: longer[p] if p in longer else float(log_p[p[0]]) for p in spelled}


def _numbers(
    model: Model,
    named: NamedWord,
    pieces: Pieces,
    score: float,
    whole: float,
    log_p: Float[np.ndarray, " vocabulary"],
) -> NamedWord:
    single = len(pieces) == 1
    return replace(
        named,
        token_id=pieces[0] if single else None,
        rank=rank_of(pieces[0], np.exp(log_p), model.vocabulary.is_word) if single else None,
        probability=float(np.exp(score)),
        surprisal_bits=abs(score) / float(np.log(2)),
        share=float(np.exp(score - whole)),
    )
