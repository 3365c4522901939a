"""The parameters of any checkpoint by part: told by where a tensor stands, each counted once."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from torch import nn
from transformers import PreTrainedModel

from models.probing import snippets
from models.probing.lookups import TABLES
from models.probing.records import PartKindName, PartSize, Sizes
from models.tracing import NAME
from models.wiring import CROSS, prepare

if TYPE_CHECKING:
    from models.loading import Model

Place = tuple[PartKindName, str, int | None]

SIDES = {"left_to_right": "forward", "right_to_left": "backward"}
"""How ELMo's halves are called in its code."""
ATTENTION = ("attn", "attention")
FFN = ("mlp", "ffn", "fc1", "fc2", "ff", "intermediate", "output", "densereludense", "feed_forward",
       "lin1", "lin2")  # fmt: skip
SEGMENTS = ("token_type_embeddings", "segment", "seg_embed")


def sizes(model: Model) -> Sizes:
    """See `models.probing.part_sizes`."""
    network = model.network
    names: dict[int, str] = {}
    tied, counted = [], defaultdict(list)
    for name, tensor in network.named_parameters(remove_duplicate=False):
        if id(tensor) in names:
            tied.append((names[id(tensor)], name))
            continue
        names[id(tensor)] = name
        counted[place(network, name)].append((name, tensor.numel()))
    parts = tuple(
        PartSize(kind, stack, layer, sum(n for _, n in own), tuple(name for name, _ in own))
        for (kind, stack, layer), own in counted.items()
    )
    total = sum(tensor.numel() for tensor in network.parameters())
    return Sizes(parts, total, tuple(tied), model.provenance, snippets.sizes(model))


def place(network: PreTrainedModel, name: str) -> Place:
    """Which part of which layer a parameter belongs to."""
    path = name.split(".")
    layer = _layer(network, path)
    stack = _stack(network, path)
    if layer is None:
        kind = _outside(network, name, path)
        inside = kind == "norm" or (kind == "positions" and stack)
        return kind, stack if inside or network.config.is_encoder_decoder else "", None
    return _inside(network, path), stack, layer


def _layer(network: PreTrainedModel, path: list[str]) -> int | None:
    """The number of the first list of modules on the way that has one; of the body only."""
    module: nn.Module = network
    for step in path[:-1]:
        if isinstance(module, nn.ModuleList) and step.isdigit():
            return int(step)
        module = getattr(module, step)
    return None


def _stack(network: PreTrainedModel, path: list[str]) -> str:
    for step in path:
        if step in SIDES:
            return SIDES[step]
    if network.config.is_encoder_decoder:
        return next((step for step in path if step in ("encoder", "decoder")), "")
    wiring = prepare(network, NAME)
    return wiring.stacks[0] if any(wiring.heads.values()) else ""


def _is_norm(network: PreTrainedModel, path: list[str]) -> bool:
    module = network.get_submodule(".".join(path[:-1]))
    return "norm" in type(module).__name__.lower()


def _inside(network: PreTrainedModel, path: list[str]) -> PartKindName:
    """The part of a layer."""
    steps = [step.lower() for step in path]
    if _is_norm(network, path):
        return "norm"
    if set(path) & CROSS:
        return "cross"
    if any(word in step for step in steps for word in ATTENTION):
        return "attention"
    if set(path) & set(SIDES) or "lstm" in steps:
        return "recurrent"
    if any(step.startswith(FFN) for step in steps):
        return "ffn"
    return "other"


def _outside(network: PreTrainedModel, name: str, path: list[str]) -> PartKindName:
    """What stands before, after or above the layers."""
    tensor = network.get_parameter(name)
    words = network.get_input_embeddings()
    if tensor is getattr(words, "weight", None):
        return "words"
    body = network.base_model_prefix
    above = body and hasattr(network, body) and path[0] != body
    if above or path[0].endswith("head") or "pooler" in path:
        return "head"
    if set(path) & TABLES or path[-2] in ("relative_attention_bias", "rel_embeddings"):
        return "positions"
    if any(word in name for word in SEGMENTS):
        return "segments"
    if len(path) > 1 and _is_norm(network, path):
        return "norm"
    return "words" if "embed" in path[-2] else "other"
