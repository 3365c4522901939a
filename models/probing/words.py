"""Words by the vectors that a checkpoint reads: the nearest in direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

from models.elmo import ElmoForPreTraining
from models.errors import CannotTrace
from models.probing import snippets
from models.probing.records import Neighbour, Neighbours

if TYPE_CHECKING:
    from models.loading import Model


def table(model: Model) -> Tensor:
    """The vectors of all entries, (entry, width).

    Raises:
        CannotTrace: The network keeps none.
    """
    return dict(model.network.named_parameters(remove_duplicate=False))[table_name(model)].detach()


def table_name(model: Model) -> str:
    """Where they lie.

    Raises:
        CannotTrace: See above.
    """
    network = model.network
    words: nn.Module | None = (
        network.elmo.embeddings
        if isinstance(network, ElmoForPreTraining)
        else network.get_input_embeddings()
    )
    weight = getattr(words, "weight", None)
    for name, tensor in network.named_parameters():
        if tensor is weight:
            return name
    raise CannotTrace(model.name, "words", "family")


def neighbours(model: Model, word: str, count: int = 12) -> Neighbours | None:
    """See `models.probing.neighbours`."""
    ids = pieces(model, word)
    if not ids:
        return None
    vectors = table(model)
    asked = vectors[ids].double().mean(0).numpy()
    cosines = _cosines(vectors, asked)
    words = model.vocabulary.is_word.copy()
    words[len(cosines) :] = False
    words[ids] = False  # itself
    known = np.flatnonzero(words[: len(cosines)])
    best = known[np.argsort(-cosines[known], kind="stable")[:count]]
    return Neighbours(
        word=word,
        pieces=model.reader.spell(tuple(ids)),
        nearest=tuple(Neighbour(_written(model, int(i)), int(i), float(cosines[i])) for i in best),
        mean=float(cosines[known].mean()),
        provenance=model.provenance,
        snippet=snippets.neighbours(model, table_name(model), ids, count),
    )


def pieces(model: Model, word: str) -> list[int]:
    """The entries that spell a word, as it stands within a text; without special tokens."""
    reading = model.reader.read(word.strip(), 200, model.max_tokens)
    spans = zip(reading.ids, reading.offsets, strict=True)
    return [id_ for id_, (start, end) in spans if start < end]


def _written(model: Model, entry: int) -> str:
    """As a reader would write it; what goes on with a word begins with an ellipsis."""
    found = model.vocabulary.candidate(entry, 0.0)
    return f"…{found.text}" if found.continuation else found.text


def _cosines(vectors: Tensor, asked: Float[np.ndarray, " width"]) -> Float[np.ndarray, " entry"]:
    """0 for an entry whose vector is 0."""
    mine = torch.tensor(asked, dtype=vectors.dtype)
    lengths = vectors.norm(dim=1) * mine.norm()
    products = vectors @ mine
    return np.asarray(torch.where(lengths > 0, products / lengths, 0.0).double().numpy())
