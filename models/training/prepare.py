"""From documents to what a run reads: an array of token ids."""

from __future__ import annotations

from collections.abc import Sequence

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
