"""What running a checkpoint takes: products of matrices by length, memory, its configuration."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from transformers import PreTrainedModel

from models.probing import snippets
from models.probing.records import Demands
from models.probing.twin import FlopCount, eager_twin
from models.tracing import NAME
from models.wiring import prepare

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None
LENGTHS = (1, 2, 4, 8, 16)
"""Where products are counted: three lengths make a formula, the others try it."""
MOST_RUN = 300_000_000
"""Larger networks are followed without numbers, which takes no memory but torch's slow path."""
HIDDEN = ("_name_or_path", "transformers_version", "architectures", "dtype", "torch_dtype")


def demands(model: Model, check: Check = None) -> Demands:
    """See `models.probing.demands`."""
    lengths = [n for n in LENGTHS if n <= model.max_tokens]
    size = sum(each.numel() for each in model.network.parameters())
    twin, flops = eager_twin(model.network, empty=size > MOST_RUN), []
    for length in lengths:
        if check is not None:
            check()
        try:
            flops.append(counted(twin, length))
        except (RuntimeError, NotImplementedError):  # its code asks for numbers on the way
            break
    disk, formats = _stored(model)
    return Demands(
        lengths=tuple(lengths[: len(flops)]),
        flops=tuple(flops),
        formula=quadratic(lengths[: len(flops)], flops),
        longest=model.max_tokens,
        memory=sum(p.numel() * p.element_size() for p in model.network.parameters()),
        disk=disk,
        formats=formats,
        cache=_cache(model.network),
        config=_config(model.network),
        provenance=model.provenance,
        snippet=snippets.demands(model, lengths),
    )


def quadratic(lengths: Sequence[int], flops: Sequence[int]) -> tuple[int, int, int] | None:
    """(c, a, b) of c + a n + b n², if it goes through every point exactly; None if it does not.

    Three points make it: it takes a fourth to say anything.
    """
    if len(lengths) < 4:
        return None
    powers = np.array([[n**k for k in range(3)] for n in lengths[:3]], dtype=float)
    found = np.linalg.solve(powers, np.array(flops[:3], dtype=float))
    c, a, b = (round(each) for each in found.tolist())
    exact = all(c + a * n + b * n * n == count for n, count in zip(lengths, flops, strict=True))
    return (c, a, b) if exact else None


def counted(network: PreTrainedModel, length: int) -> int:
    """The FLOPs of one text of so many tokens; a decoder beside an encoder writes as many."""
    ids = torch.zeros(1, length, dtype=torch.long, device=network.device)
    inputs: dict[str, Any] = {"input_ids": ids}
    if network.config.is_encoder_decoder:
        inputs["decoder_input_ids"] = ids
    with torch.no_grad(), FlopCount() as count:
        network(**inputs)
    return count.flops


def _stored(model: Model) -> tuple[int | None, tuple[str, ...]]:
    """Bytes of the weights' files, and the formats of the numbers in them."""
    if model.folder is None:
        return None, ()
    files = sorted(model.folder.glob("*.safetensors"))
    formats: dict[str, None] = {}
    for file in files:
        with file.open("rb") as opened:  # a length, then names, shapes and types as JSON
            header = json.loads(opened.read(int.from_bytes(opened.read(8), "little")))
        formats |= {each["dtype"]: None for name, each in header.items() if name[0] != "_"}
    return sum(file.stat().st_size for file in files), tuple(formats)


def _cache(network: PreTrainedModel) -> int | None:
    """Bytes of the keys and values that a decoder keeps of one token; measured."""
    if prepare(network, NAME).stacks[-1] != "decoder" or not _writes(network):
        return None
    ids = torch.zeros(1, 1, dtype=torch.long)
    inputs = {"input_ids": ids}
    if network.config.is_encoder_decoder:
        inputs["decoder_input_ids"] = ids
    with torch.inference_mode():
        kept = network(**inputs, use_cache=True).get("past_key_values")
    kept = getattr(kept, "self_attention_cache", kept)
    layers = getattr(kept, "layers", None)
    if not layers:
        return None
    tensors: list[Tensor] = [t for layer in layers for t in (layer.keys, layer.values)
                             if isinstance(t, Tensor)]  # fmt: skip
    return sum(t.numel() * t.element_size() for t in tensors) or None


def _writes(network: PreTrainedModel) -> bool:
    return bool(getattr(network.config, "num_attention_heads", 0)) or bool(
        network.config.is_encoder_decoder
    )


def _config(network: PreTrainedModel) -> tuple[tuple[str, str], ...]:
    """What its configuration says, one line for each entry."""
    entries = network.config.to_diff_dict()
    return tuple(
        (name, json.dumps(value, ensure_ascii=False, default=str))
        for name, value in sorted(entries.items())
        if name not in HIDDEN and not name.startswith("_")
    )
