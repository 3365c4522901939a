"""How much each visible word matters to the answer at a blank: change the word, see the answer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float, Int

from models.measures.information import jensen_shannon_bits

SUBSTITUTES = 8
"""K: how many other words are tried in place of each word."""
FLATTENING = 0.75
"""Power of the counts: rare words get a chance, common ones stay likelier (Mikolov et al. 2013)."""


def read_counts(file: Path, size: int) -> Int[np.ndarray, " vocabulary"]:
    """The counts that a model's folder may ship as ``unigram.json``.

    The file is one JSON list of whole numbers, one per vocabulary entry in the order of ids: how
    often the entry occurs in the training text. A shorter list counts 0 for the rest.

    Raises:
        ValueError: It is no such list, or longer than the vocabulary.
    """
    counts = np.asarray(json.loads(file.read_text(encoding="utf-8")))
    if counts.ndim != 1 or counts.dtype.kind != "i" or len(counts) > size or (counts < 0).any():
        raise ValueError(f"{file.name} is not a list of at most {size} counts")
    return np.pad(counts, (0, size - len(counts)))


def draw_substitutes(
    word: Int[np.ndarray, " piece"],
    counts: Int[np.ndarray, " vocabulary"],
    continues: Bool[np.ndarray, " vocabulary"],
    kinds: Int[np.ndarray, " vocabulary"],
    substitutes: int = SUBSTITUTES,
    seed: int = 0,
) -> Int[np.ndarray, "substitute piece"]:
    """Other words with as many pieces, drawn from counts^0.75; never the word itself.

    Each piece is replaced by pieces that can stand there: one that begins words by others that do,
    one that continues them likewise. Letters give way to letters, numbers to numbers and marks to
    marks: a full stop in place of a word would change what kind of sentence it is, and the measure
    would tell that instead of what the word adds. Only a piece that is the one of its kind gives
    way to others. All drawn for a piece differ. A word's substitutes depend on the word and the
    seed alone, so that they are the same wherever it stands.

    Args:
        word: The ids of the word's pieces.
        counts: How often each entry is drawn from; 0 for what is no word (special tokens).
        continues: Which entries continue a word.
        kinds: Entries of one kind have the same number.
        substitutes: How many to draw; fewer come back where the vocabulary has no more.
        seed: Of the draw.
    """
    rng = np.random.default_rng(seed)
    columns = []
    for piece in word:
        weights = np.where(continues == continues[piece], counts, 0) ** FLATTENING
        weights[piece] = 0.0
        alike = np.where(kinds == kinds[piece], weights, 0.0)
        weights = alike if alike.any() else weights
        room = min(substitutes, int((weights > 0).sum()))
        columns.append(rng.choice(len(weights), room, replace=False, p=weights / weights.sum()))
    fewest = min(len(column) for column in columns)
    return np.stack([column[:fewest] for column in columns], axis=1)


def influence(
    original: Float[np.ndarray, " vocabulary"],
    changed: Float[np.ndarray, "substitute vocabulary"],
) -> float:
    """Influence of one word on a blank, in bits, from 0 (none) to 1.

    Mean Jensen-Shannon divergence between the answer to the original text and the answers to texts
    in which that word is replaced.

    Args:
        original: Probabilities over the full vocabulary.
        changed: The same with the word replaced, once for each substitute.
    """
    return float(jensen_shannon_bits(original, changed).mean())
