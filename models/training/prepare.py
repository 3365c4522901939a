"""From documents to what a run reads: an array of token ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from tokenizers import Tokenizer
from transformers import PreTrainedTokenizerFast

from models.training.batches import TokenStore
from models.training.corpora import Document


def tokenize(
    documents: Sequence[Document], tokenizer: PreTrainedTokenizerFast, weights: dict[str, float]
) -> TokenStore:
    """Lay the corpus out as one array of ids, documents of a source side by side.

    Args:
        documents: the training documents.
        tokenizer: what spells them.
        weights: how often a sentence of each source is drawn (1 where the source is missing).
    """
    sep = tokenizer.sep_token_id
    ids: list[np.ndarray] = []
    repeats: list[float] = []
    for chunk in _chunks(documents, 5_000):
        sentences = [s for document in chunk for s in document.sentences]
        spelled = _spelled(tokenizer.backend_tokenizer, sentences)
        for document in chunk:
            rows = [next(spelled) for _ in document.sentences]
            ids += [*rows[:-1], np.append(rows[-1], np.uint16(sep))]
            repeats += [weights.get(document.source, 1.0)] * len(rows)
    starts = np.concatenate([[0], np.cumsum([len(row) for row in ids])])
    return TokenStore(np.concatenate(ids), starts, np.array(repeats), tokenizer.cls_token_id, sep)


def _spelled(backend: Tokenizer, sentences: Sequence[str]) -> Iterator[np.ndarray]:
    for encoding in backend.encode_batch(list(sentences), add_special_tokens=False):
        yield np.array(encoding.ids, dtype=np.uint16)


def _chunks(documents: Sequence[Document], size: int) -> Iterator[Sequence[Document]]:
    for start in range(0, len(documents), size):
        yield documents[start : start + size]
