"""One tensor of a checkpoint: how its numbers lie, and in which directions it acts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from models.probing import snippets
from models.probing.records import Outlier, WeightFacts, WeightName

if TYPE_CHECKING:
    from models.loading import Model

BINS = 64
MOST_SQUARE = 1_536
"""Beyond it singular values would keep a visitor waiting for many seconds."""
FAR, SHOWN = 3.0, 20
"""Standard deviations from which a dimension counts as an outlier, and how many are listed."""
Axis = Literal["row", "column"]


def names(model: Model) -> tuple[WeightName, ...]:
    """See `models.probing.weight_names`."""
    return tuple(
        WeightName(name, tuple(tensor.shape)) for name, tensor in model.network.named_parameters()
    )


def facts(model: Model, name: str) -> WeightFacts:
    """See `models.probing.weight`.

    Raises:
        KeyError: There is no such tensor.
    """
    tensors: dict[str, Tensor] = dict(model.network.named_parameters())
    tensor = tensors[name].detach().float().cpu()
    sound = torch.isfinite(tensor)
    flat = tensor[sound].numpy()
    counts, edges = np.histogram(flat, BINS)
    matrix = torch.where(sound, tensor, 0.0).double().reshape(len(tensor) if tensor.ndim else 1, -1)
    outliers = sorted(_outliers(matrix.numpy()), key=lambda each: -each.deviations)
    return WeightFacts(
        name=name,
        shape=tuple(tensor.shape),
        counts=counts,
        edges=edges.astype(float),
        norm=float(np.sqrt(np.square(flat, dtype=float).sum())),
        mean=float(flat.mean(dtype=float)) if flat.size else 0.0,
        deviation=float(flat.std(dtype=float)) if flat.size else 0.0,
        low=float(flat.min(initial=np.inf)) if flat.size else 0.0,
        high=float(flat.max(initial=-np.inf)) if flat.size else 0.0,
        zeros=int((flat == 0).sum()),
        broken=int((~sound).sum()),
        singular=singular_values(matrix),
        outliers=tuple(outliers[:SHOWN]),
        found=len(outliers),
        provenance=model.provenance,
        snippet=snippets.weight(model, name, BINS),
    )


def singular_values(matrix: Tensor) -> Float[np.ndarray, " value"]:
    """From the largest, by the eigenvalues of the smaller Gram matrix, in float64.

    Those below about 1e-8 of the largest are noise: squares are what is computed. Empty for a
    vector, and where the smaller side is longer than `MOST_SQUARE`.
    """
    smaller = min(matrix.shape)
    if smaller < 2 or smaller > MOST_SQUARE:
        return np.zeros(0)
    tall = matrix if matrix.shape[1] == smaller else matrix.T
    squares = torch.linalg.eigvalsh(tall.T @ tall).flip(0)
    return np.asarray(squares.clamp(min=0).sqrt().numpy())


def _outliers(matrix: Float[np.ndarray, "row column"]) -> list[Outlier]:
    """Rows and columns that are unusually long; of a vector, numbers that are unusually large."""
    if 1 in matrix.shape:
        return _far("row", np.abs(matrix.ravel()))
    return [
        *_far("row", np.linalg.norm(matrix, axis=1)),
        *_far("column", np.linalg.norm(matrix, axis=0)),
    ]


def _far(axis: Axis, norms: Float[np.ndarray, " dimension"]) -> list[Outlier]:
    spread = float(norms.std())
    if not spread > 0:
        return []
    away = (norms - norms.mean()) / spread
    return [
        Outlier(axis, int(i), float(norms[i]), float(away[i])) for i in np.flatnonzero(away > FAR)
    ]
