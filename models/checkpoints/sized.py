"""What a model is before it is loaded: from its configuration and the headers of its weights."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.checkpoints.headers import tensors
from models.errors import TooLarge, Unusable
from models.names import DTYPES, parse
from models.settings import settings

LARGEST_CONFIG = 4_000_000
"""Bytes; what is longer is no configuration."""


@dataclass(frozen=True)
class Sized:
    """The figures that decide whether a model is loaded, and how."""

    name: str
    kind: str
    """The type that its configuration names, such as ``bert``."""
    parameters: int
    stored: Mapping[str, int]
    """How many of them the files hold in each number format, by the names of safetensors."""
    layers: int | None
    """None where the configuration does not say it."""
    heads: int | None
    width: int | None
    context: int | None
    """How many positions it was made for; None if that is not limited by a table."""
    vocabulary: int | None
    own_code: bool
    """The folder brings code. It is not run."""

    @property
    def memory(self) -> dict[str, int]:
        """Bytes in memory by number format, without what computing needs."""
        return {dtype: size * self.parameters for dtype, size in DTYPES.items()}


def sized(name: str, folder: Path) -> Sized:
    """The figures of a folder.

    Raises:
        Unusable: The configuration or the weights cannot be read.
    """
    config = raw_config(name, folder)
    counted: Counter[str] = Counter()
    for tensor in tensors(name, folder).values():
        if tensor.learned:
            counted[tensor.format] += tensor.size
    inner = next((v for k, v in config.items() if k == "text_config" and isinstance(v, dict)), {})
    told = {**config, **inner}
    return Sized(
        name=name,
        kind=str(config.get("model_type") or ""),
        parameters=counted.total(),
        stored=dict(counted),
        layers=_number(told, "num_hidden_layers", "n_layer", "n_layers", "num_layers",
                       "encoder_layers"),
        heads=_number(told, "num_attention_heads", "n_head", "n_heads", "num_heads",
                      "encoder_attention_heads"),
        width=_number(told, "hidden_size", "d_model", "n_embd", "dim"),
        context=_number(told, "max_position_embeddings", "n_positions", "n_ctx"),
        vocabulary=_number(told, "vocab_size"),
        own_code="auto_map" in config,
    )  # fmt: skip


def raw_config(name: str, folder: Path) -> dict[str, Any]:
    """A folder's ``config.json``.

    Raises:
        Unusable: There is nothing, or nothing that can be read.
    """
    file = folder / "config.json"
    try:
        if not file.is_file():
            why = "config" if any(folder.iterdir()) else "empty"
            raise Unusable(name, "weights", why)
        if file.stat().st_size > LARGEST_CONFIG:
            raise Unusable(name, "weights", "config")
        config = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Unusable(name, "weights", "config") from error
    if not isinstance(config, dict):
        raise Unusable(name, "weights", "config")
    return config


def within_limits(found: Sized) -> None:
    """Whether the operator allows a model of this size.

    Raises:
        TooLarge: No; with the figures.
    """
    limit = settings().max_parameters
    if found.parameters > limit:
        raise TooLarge(found.name, "parameters", found.parameters, limit)
    needed = found.memory[parse(found.name).dtype]
    if needed > (room := settings().model_memory * 1_000_000):
        raise TooLarge(found.name, "memory", needed, room)


def _number(config: Mapping[str, Any], *names: str) -> int | None:
    """The first of some fields that holds a number."""
    for name in names:
        value = config.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None
