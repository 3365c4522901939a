"""Predict hidden words: what a model of any kind would put in every blank of a sentence.

How each kind is asked is in `models.answering`; here its answers become what a reader wants.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from models import answering
from models.answering import Answered
from models.gaps import Gapped
from models.hiding import Hidden
from models.ranking import best_words, entropy_bits, rank_of
from models.results import Blank, Guess, Prediction, Sentence, View

if TYPE_CHECKING:
    from models.loading import Model


def predict(
    model: Model,
    sentence: Sentence,
    top_k: int = 10,
    check: Callable[[], None] | None = None,
) -> Prediction:
    """What a model would put in every blank; see `models.predict`."""
    text = Gapped.of(model, sentence)
    found = list(answering.answers(model, text, check))
    return Prediction(
        blanks=tuple(
            _blank(model, text, word, answer, top_k)
            for word, answer in zip(text.hidden, found, strict=True)
        ),
        read=text.reading.read,
        cut=text.reading.cut,
        unread=tuple(span for span in sentence.hidden if span[1] > text.reading.read),
        unknown=text.reading.unknown,
        words=model.vocabulary.words,
        provenance=model.provenance,
        too_long=text.reading.too_long,
        longest_word=model.reader.longest_word,
        rewritten=text.reading.rewritten,
    )


def _blank(model: Model, text: Gapped, word: Hidden, answer: Answered, top_k: int) -> Blank:
    start, end = word.span
    views = [View(way, **_shown(model, word, one, top_k)) for way, one in answer.ways.items()]
    return Blank(
        span=word.span,
        original=text.reading.text[start:end] if word.ids else None,
        pieces=model.reader.spell(word.ids),
        views=tuple(views),
        **_shown(model, word, answer, top_k),
    )


def _shown(model: Model, word: Hidden, answer: Answered, top_k: int) -> dict[str, Any]:
    """An answer as `Blank` and `View` hold it: the best words, and where the original stands."""
    probabilities, is_word = np.exp(answer.log_p), model.vocabulary.is_word
    rank = None
    probability = None if answer.pieces_log_p is None else math.exp(answer.pieces_log_p)
    if len(word.ids) == 1 and is_word[word.ids[0]]:
        rank = rank_of(word.ids[0], probabilities, is_word)
        probability = float(probabilities[word.ids[0]])
    best = best_words(probabilities, is_word, top_k)
    return {
        "candidates": tuple(
            model.vocabulary.candidate(int(i), float(probabilities[i])) for i in best
        ),
        "original_rank": rank,
        "original_probability": probability,
        "entropy_bits": entropy_bits(probabilities),
        "guesses": tuple(Guess(blank, guess) for blank, guess in answer.guesses.items()),
    }
