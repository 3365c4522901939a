"""Predict hidden words: every hidden word becomes one mask, and the model says what stood there."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import torch
from transformers import BertForMaskedLM, PreTrainedModel

from models.hiding import Hidden, hidden_tokens, with_masks
from models.reading import Reading
from models.results import Blank, Candidate, Prediction, Sentence
from models.settings import settings

if TYPE_CHECKING:
    from models.loading import Model

SCORING_TOKENS = 4_096
"""Tokens spent per prediction on originals of several pieces; later ones stay without a score."""

BATCH_TOKENS = 1_024
"""Tokens per forward pass while scoring, so that a cancelled request stops soon."""

Probabilities = npt.NDArray[np.float64]


def predict(
    model: Model,
    sentence: Sentence,
    top_k: int = 10,
    check: Callable[[], None] | None = None,
) -> Prediction:
    """What a masked language model would put in every blank; see `models.predict`.

    All blanks are hidden at once and answered from one forward pass (Devlin et al. 2018), each by
    itself: the answers know the visible words, not one another.
    """
    reading = model.reader.read(sentence.text, settings().max_characters, model.max_tokens)
    hidden = hidden_tokens(reading, sentence.hidden, model.mask_id)
    return Prediction(
        blanks=_blanks(model, reading, hidden, top_k, check or (lambda: None)) if hidden else (),
        read=reading.read,
        cut=reading.cut,
        unread=tuple(span for span in sentence.hidden if span[1] > reading.read),
        unknown=reading.unknown,
        words=model.vocabulary.words,
        provenance=model.provenance,
        too_long=reading.too_long,
        longest_word=model.reader.longest_word,
    )


def _blanks(
    model: Model,
    reading: Reading,
    hidden: tuple[Hidden, ...],
    top_k: int,
    check: Callable[[], None],
) -> tuple[Blank, ...]:
    """Every blank's answer, and the score of its original where that has several pieces."""
    check()
    ids, places = with_masks(reading.ids, hidden, model.mask_id)
    rows = torch.zeros(len(places), dtype=torch.long)
    logits = logits_at(model.network, torch.tensor([ids]), rows, torch.tensor(places))
    room = SCORING_TOKENS
    blanks = []
    for word, place, scores in zip(hidden, places, logits, strict=True):
        check()
        several = None
        cost = len(word.ids) * (len(ids) + len(word.ids))
        if len(word.ids) > 1 and model.reader.unknown_id not in word.ids and cost <= room:
            room -= cost
            several = score_pieces(model, ids, place, word.ids, check)
        probabilities = torch.softmax(scores.double(), dim=-1).numpy()  # (vocabulary,)
        blanks.append(_blank(model, reading, word, probabilities, several, top_k))
    return tuple(blanks)


def _blank(
    model: Model,
    reading: Reading,
    word: Hidden,
    probabilities: Probabilities,
    several: float | None,
    top_k: int,
) -> Blank:
    rank, probability = None, several
    if len(word.ids) == 1 and model.vocabulary.is_word[word.ids[0]]:
        probability = float(probabilities[word.ids[0]])
        rank = rank_of(word.ids[0], probabilities, model.vocabulary.is_word)
    start, end = word.span
    return Blank(
        span=word.span,
        original=reading.text[start:end] if word.ids else None,
        pieces=model.reader.spell(word.ids),
        candidates=_candidates(model, probabilities, top_k),
        original_rank=rank,
        original_probability=probability,
        entropy_bits=entropy_bits(probabilities),
    )


@torch.inference_mode()
def logits_at(
    network: PreTrainedModel, ids: torch.Tensor, rows: torch.Tensor, columns: torch.Tensor
) -> torch.Tensor:
    """Logits at chosen positions only: the output layer costs more than the rest on a short text.

    Args:
        network: A masked language model in evaluation mode.
        ids: Token ids, (batch, position); no padding.
        rows: Which text of the batch, (n,).
        columns: Which position in it, (n,).

    Returns:
        (n, vocabulary), float32.
    """
    logits: torch.Tensor
    if isinstance(network, BertForMaskedLM):
        hidden_states = network.bert(input_ids=ids).last_hidden_state  # (batch, position, width)
        logits = network.cls(hidden_states[rows, columns])
    else:
        logits = network(input_ids=ids).logits[rows, columns]
    return logits


def score_pieces(
    model: Model, ids: list[int], place: int, pieces: tuple[int, ...], check: Callable[[], None]
) -> float:
    """Probability of a word of several pieces at one mask, by the chain rule from left to right.

    The mask is widened to as many masks as the word has pieces; each piece is read off with those
    before it filled in and those after it still hidden (Kauf & Ivanova 2023, within the word).

    Args:
        model: Any masked language model.
        ids: The token ids with masks.
        place: Where the word's mask stands in them.
        pieces: The word's token ids.
        check: Called before every forward pass.
    """
    n = len(pieces)
    wide = ids[:place] + [model.mask_id] * n + ids[place + 1 :]
    batch = torch.tensor([wide] * n)
    for row in range(n):  # row i asks for piece i
        batch[row, place : place + row] = torch.tensor(pieces[:row], dtype=torch.long)
    step = max(1, BATCH_TOKENS // len(wide))
    total = 0.0
    for start in range(0, n, step):
        check()
        part = batch[start : start + step]
        rows = torch.arange(len(part))
        logits = logits_at(model.network, part, rows, place + start + rows)
        log_p = torch.log_softmax(logits.double(), dim=-1)
        total += float(log_p[rows, torch.tensor(pieces[start : start + step])].sum())
    return math.exp(total)


def rank_of(token_id: int, probabilities: Probabilities, is_word: npt.NDArray[np.bool_]) -> int:
    """1 + the words strictly more probable; words of equal probability share a rank."""
    return 1 + int(np.count_nonzero(is_word & (probabilities > probabilities[token_id])))


def entropy_bits(probabilities: Probabilities) -> float:
    """Shannon entropy: 0 for a certain answer, log2 of the vocabulary for an even one."""
    some = probabilities[probabilities > 0]
    return abs(float((some * np.log2(some)).sum()))


def _candidates(model: Model, probabilities: Probabilities, top_k: int) -> tuple[Candidate, ...]:
    """The most probable words; equal ones in the order of the vocabulary."""
    ids = best_words(probabilities, model.vocabulary.is_word, top_k)
    return tuple(model.vocabulary.candidate(int(i), float(probabilities[i])) for i in ids)


def best_words(
    probabilities: Probabilities, is_word: npt.NDArray[np.bool_], top_k: int
) -> npt.NDArray[np.intp]:
    """The ids of the most probable words, best first, without sorting the whole vocabulary."""
    words = np.flatnonzero(is_word)
    if 0 < top_k < len(words):
        last = np.partition(probabilities[words], -top_k)[-top_k]
        words = words[probabilities[words] >= last]  # all that share the last place, too
    return words[np.argsort(-probabilities[words], kind="stable")][:top_k]
