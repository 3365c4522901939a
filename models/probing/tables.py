"""The tensors with which a checkpoint tells places apart, as they were loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from torch import Tensor, nn

from models.probing import snippets
from models.probing.lookups import placers
from models.probing.records import Places, Scheme

if TYPE_CHECKING:
    from models.loading import Model

DISTANCES = 128
"""So many rotations are shown: of distances 0, 1, 2 …"""


def places(model: Model) -> tuple[Places, ...]:
    """See `models.probing.places`; modules that keep nothing to show are left out."""
    found = []
    for scheme, name, module in placers(model.network):
        values = _values(scheme, module)
        if values is not None:
            snippet = snippets.places(model, name, rotary=scheme == "rotary", count=DISTANCES)
            found.append(Places(scheme, name, values, model.provenance, snippet))
    return tuple(found)


def _values(scheme: Scheme, module: nn.Module) -> np.ndarray | None:
    if scheme == "rotary":
        buffers = module.named_buffers(recurse=False)  # one for each kind of layer, in some
        speeds = next((each for name, each in buffers if name.endswith("inv_freq")), None)
        if speeds is None:
            return None
        angles = np.arange(DISTANCES)[:, None] * speeds.detach().double().cpu().numpy()[None, :]
        return np.cos(angles)
    weight: Tensor = module.weight  # type: ignore[assignment]
    return np.asarray(weight.detach().float().cpu().numpy())
