"""Adding beside concatenating, on a visitor's words (C6)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from models.inputs import read
from models.placed import Added, kind_of
from models.positioning.snippets import added as snippet
from models.positioning.table import array, places, vectors, weights

if TYPE_CHECKING:
    from models.loading import Model

TOKENS, DRAWS, WORDS = 32, 12, 4_000
"""The most tokens shown; random subspaces (seed 0); word vectors used, drawn from seed 0."""


def added(model: Model, text: str) -> Added:
    """W(x + p) beside [W W][x; p], and how far words and positions share directions.

    W is the query matrix of the first layer; x is a word vector as the model scales it.

    Raises:
        CannotTrace: The model adds no position vectors.
    """
    at = places(model)
    table, matrix = vectors(model), weights(model, at.query)
    words = _words(model)
    tokens = read(model, text, target="").tokens if model.has_decoder else read(model, text).tokens
    tokens = tokens[: min(TOKENS, len(table))]
    x, p, w = (  # as exactly as the model itself computes
        each.astype(np.float32)
        for each in (words[[token.id for token in tokens]], table[: len(tokens)], matrix)
    )
    held = _held(model)
    return Added(
        tokens=tuple(token.text for token in tokens),
        added=(x + p) @ w.T,
        concatenated=np.hstack([x, p]) @ np.hstack([w, w]).T,
        positions_held=held[0],
        words_held=held[1],
        chance=held[2],
        kind=kind_of(table),
        provenance=model.provenance,
        snippet=snippet(model, at, [token.id for token in tokens]),
    )


def _words(model: Model) -> Float[np.ndarray, "word width"]:
    """The word vectors as the model scales them."""
    words = array(model.network.get_input_embeddings().weight)  # type: ignore[arg-type]
    scaled = getattr(model.network.config, "scale_embedding", False)
    return words * np.sqrt(words.shape[1]) if scaled else words


@lru_cache(maxsize=8)  # typing changes nothing of it
def _held(model: Model) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Variance in the positions' directions: of positions, of words, of words in random ones."""
    table, words = vectors(model), _words(model)
    rng = np.random.default_rng(0)
    some = words[rng.permutation(len(words))[:WORDS]]
    axes = np.linalg.svd(table - table.mean(0), full_matrices=False)[2]
    width = words.shape[1]
    drawn = (np.linalg.qr(rng.normal(size=(width, width)))[0] for _ in range(DRAWS))
    covariance = np.cov(some.T)
    along = np.cov(table.T)
    count = min(len(axes), width)

    def share(matrix: np.ndarray, directions: np.ndarray) -> np.ndarray:
        total = float(np.trace(matrix)) or 1.0
        parts = ((directions @ matrix) * directions).sum(1)
        return np.asarray(np.cumsum(parts) / total)

    chance = np.stack([share(covariance, each[:count]) for each in drawn])
    return share(along, axes[:count]), share(covariance, axes[:count]), chance
