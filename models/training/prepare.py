"""From documents to what a run reads: a tokenizer, start weights and an array of token ids."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from transformers import BertForMaskedLM, PreTrainedTokenizerFast

from models.training import minilm
from models.training.batches import TokenStore
from models.training.corpora import Document
from models.training.recipes import Recipe


@dataclass(frozen=True)
class Start:
    """Where a run begins."""

    model: BertForMaskedLM
    tokenizer: PreTrainedTokenizerFast


def prepare_start(
    documents: Sequence[Document], dictionary: Container[str], wheel_folder: Path, recipe: Recipe
) -> Start:
    """Prune MiniLM's vocabulary to corpus and dictionary and build the start model."""
    folder = wheel_folder / minilm.FOLDER
    original = minilm.original_tokenizer(folder)
    sentences = (s for d in documents for s in d.sentences)
    counts = minilm.count_pieces(original, sentences)
    vocabulary, size = original.get_vocab(), recipe.vocabulary_size
    pieces = minilm.prune(vocabulary, counts, size, dictionary)
    tokenizer = minilm.pruned_tokenizer(folder, pieces)
    # counted again: words whose piece was pruned are now spelled with smaller ones
    sentences = (s for d in documents for s in d.sentences)
    counts = minilm.count_pieces(tokenizer.backend_tokenizer, sentences)
    return Start(minilm.start_model(folder, pieces, counts, recipe.seed), tokenizer)


def tokenize(
    documents: Sequence[Document], tokenizer: PreTrainedTokenizerFast, weights: dict[str, float]
) -> TokenStore:
    """Lay the corpus out as one array of ids, documents of a source side by side.

    Args:
        documents: the training documents.
        tokenizer: what spells them.
        weights: how often a sentence of each source is drawn (1 where the source is missing).
    """
    backend: Tokenizer = tokenizer.backend_tokenizer
    ids: list[np.ndarray] = []
    starts, repeats, total = [0], [], 0
    for document in documents:
        encodings = backend.encode_batch(list(document.sentences), add_special_tokens=False)
        for i, encoding in enumerate(encodings):
            row = list(encoding.ids)
            if i == len(encodings) - 1:
                row.append(tokenizer.sep_token_id)
            ids.append(np.array(row, dtype=np.uint16))
            total += len(row)
            starts.append(total)
            repeats.append(weights.get(document.source, 1.0))
    return TokenStore(
        np.concatenate(ids),
        np.array(starts),
        np.array(repeats),
        cls=tokenizer.cls_token_id,
        sep=tokenizer.sep_token_id,
    )
