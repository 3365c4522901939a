"""The position table of a model, and the first layer's projections that read it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float
from torch import Tensor, nn

from models.errors import CannotTrace
from models.placed import PositionTable, kind_of
from models.positioning.snippets import table as snippet

if TYPE_CHECKING:
    from models.loading import Model


@dataclass(frozen=True)
class Places:
    """Where things are in a family of which the app brings models."""

    table: str
    query: str
    key: str
    norm: str = ""
    """The LayerNorm that follows the sum of word and position, if one does."""


PLACES = {
    "bert": Places(
        "bert.embeddings.position_embeddings",
        "bert.encoder.layer.0.attention.self.query",
        "bert.encoder.layer.0.attention.self.key",
        "bert.embeddings.LayerNorm",
    ),
    "marian": Places(
        "model.encoder.embed_positions",
        "model.encoder.layers.0.self_attn.q_proj",
        "model.encoder.layers.0.self_attn.k_proj",
    ),
}


def places(model: Model) -> Places:
    """Where this model keeps them.

    Raises:
        CannotTrace: Its family adds no position vectors, or is not known.
    """
    found = PLACES.get(model.network.config.model_type)
    if found is None:
        raise CannotTrace(model.name, "positions", "family")
    return found


def array(tensor: Tensor) -> Float[np.ndarray, "*shape"]:
    """A tensor's numbers in float64."""
    return np.asarray(tensor.detach().double().cpu().numpy())


def weights(model: Model, module: str) -> Float[np.ndarray, "out in"]:
    """The matrix of a module by its name."""
    found: nn.Module = model.network.get_submodule(module)
    weight: Tensor = found.weight  # type: ignore[assignment]
    return array(weight)


def vectors(model: Model) -> Float[np.ndarray, "position width"]:
    """What is added to the words, one row for each position.

    Raises:
        CannotTrace: As `places`.
    """
    return weights(model, places(model).table)


def position_table(model: Model) -> PositionTable:
    """A model's position vectors.

    Raises:
        CannotTrace: As `places`.
    """
    found = vectors(model)
    return PositionTable(kind_of(found), found, model.provenance, snippet(model, places(model)))


def entering(model: Model) -> Float[np.ndarray, "position width"]:
    """The positions' part in what the first layer reads.

    Where a LayerNorm follows the sum, its centring and its factors are applied. Its division by the
    length of the sum is left out: it scales each row and changes no shape.
    """
    table, norm = vectors(model), places(model).norm
    if not norm:
        return table
    return np.asarray((table - table.mean(1, keepdims=True)) * weights(model, norm))


def by_head(model: Model) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The query and the key matrix of each head of the first layer, (d_head, width) each."""
    at = places(model)
    config = model.network.config
    heads = int(getattr(config, "encoder_attention_heads", 0) or config.num_attention_heads)
    both = (np.split(weights(model, module), heads) for module in (at.query, at.key))
    yield from zip(*both, strict=True)
