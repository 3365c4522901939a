"""What a network's modules say of themselves: places, windows, tied matrices, heads on top."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from models.elmo import ElmoForPreTraining
from models.placed import kind_of
from models.probing.records import Scheme, Tying

TABLES = frozenset(
    {"position_embeddings", "position_embedding", "wpe", "embed_positions", "positions_embed"}
)
WINDOWS = ("sliding_window", "local_attention", "window_size", "attention_window")
Found = tuple[Scheme, str, nn.Module]


def placers(network: PreTrainedModel) -> Iterator[Found]:
    """Every module that tells places apart, with what it is."""
    for name, module in network.named_modules():
        last = name.rpartition(".")[2]
        if isinstance(module, nn.Embedding) and last in TABLES:
            yield table_scheme(module), name, module
        elif isinstance(module, nn.Embedding) and last == "relative_attention_bias":
            yield "bias", name, module
        elif isinstance(module, nn.Embedding) and last == "rel_embeddings":
            yield "relative", name, module
        elif "rotary" in type(module).__name__.lower():
            yield "rotary", name, module


def table_scheme(module: nn.Embedding) -> Scheme:
    """What the numbers of a table are, whatever its name says."""
    kind = kind_of(np.asarray(module.weight.detach().float().cpu().numpy()))
    return "zero" if kind == "none" else kind


def schemes(network: PreTrainedModel) -> tuple[Scheme, ...]:
    """How a network tells places apart; () where no way is known."""
    found: dict[Scheme, None] = dict.fromkeys(scheme for scheme, _, _ in placers(network))
    if isinstance(network, ElmoForPreTraining):
        found["recurrent"] = None
    if any(name.endswith("r_r_bias") for name, _ in network.named_parameters()):
        found["relative"] = None  # XLNet: a sinusoid for each distance, read by a matrix
    if getattr(network.config, "alibi", False) or network.config.model_type == "bloom":
        found["alibi"] = None
    return tuple(found)


def window(network: PreTrainedModel) -> int | None:
    """How many tokens some layers see, by the configuration; None where it names no window."""
    config = network.config
    types = getattr(config, "layer_types", None)
    if types and not any("sliding" in each or "local" in each for each in types):
        return None
    if getattr(config, "use_sliding_window", True) is False:
        return None
    kinds: Any = getattr(config, "attention_layers", None)
    if kinds and "local" not in kinds:
        return None
    found = (getattr(config, name, None) for name in WINDOWS)
    return next((each for each in found if isinstance(each, int)), None)


def tying(network: PreTrainedModel) -> Tying:
    """Whether words are written with the matrix that they are read with."""
    if isinstance(network, ElmoForPreTraining):
        return "tied"  # its softmax multiplies with the table of vectors itself
    into, out = network.get_input_embeddings(), network.get_output_embeddings()
    one, two = (getattr(each, "weight", None) for each in (into, out))
    if not isinstance(two, Tensor):
        return "none"
    if not isinstance(one, Tensor) or one.shape != two.shape:
        return "apart"
    if one.data_ptr() == two.data_ptr():
        return "tied"
    return "equal" if torch.equal(one, two) else "apart"


def on_top(network: PreTrainedModel) -> tuple[str, ...]:
    """Modules with parameters that are no part of the body, such as ``cls`` or ``lm_head``."""
    body = network.base_model
    if body is network:  # T5 keeps no body of its own
        names = [name for name, _ in network.named_children()]
        return tuple(name for name in names if name.endswith("head"))
    top = [
        name
        for name, module in network.named_children()
        if module is not body and any(True for _ in module.parameters())
    ]
    pooler = getattr(body, "pooler", None)
    return (*top, *(["pooler"] if isinstance(pooler, nn.Module) else []))
