"""Run a network on another device while all others go on as if it were the processor.

Whoever asks hands over tensors in main memory and gets such back, in single precision. So only the
network knows where it computes, and in which number format; numpy knows no bfloat16. What is
recorded on the way is copied by `models.recording`. Who asks a part of a network alone does so with
`alone`, or with `single`.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.utils.generic import ModelOutput


def place_on(network: PreTrainedModel, device: str) -> PreTrainedModel:
    """The network on a device, in whatever number format it has; the hooks stay with it."""
    halved = next(network.parameters()).dtype != torch.float32
    if device != "cpu":
        nn.Module.to(network, torch.device(device))
        for module in network.modules():  # a head may be asked alone
            module.register_forward_pre_hook(_to_own_device, with_kwargs=True)
    if device != "cpu" or halved:
        network.register_forward_hook(_as_usual)
    return network


def alone(parts: Iterable[nn.Module], states: Tensor) -> Tensor:
    """Some modules of a network, one after another, without the rest of it.

    Args:
        parts: In whatever number format and on whatever device they are.
        states: What the first one reads, in main memory and single precision.

    Returns:
        What the last one gives, as states came. Between the modules nothing is converted: half
        precision rounds here as it does within the whole network.
    """
    for part in parts:
        own = next(part.parameters(), None)
        states = part(states if own is None else states.to(own.device, own.dtype))
    return as_usual(states)


def single(part: nn.Module) -> Any:
    """A module whose arithmetic is in main memory and single precision: itself, or else a copy.

    For sums that are taken apart: in half precision their parts would not add up again.
    """
    plain = all(p.dtype == torch.float32 and p.device.type == "cpu" for p in part.parameters())
    return part if plain else deepcopy(part).float().cpu()


def as_usual(tensor: Tensor) -> Tensor:
    """The numbers in main memory, and in single precision if they are fractions."""
    return tensor.float().cpu() if tensor.is_floating_point() else tensor.cpu()


def _to_own_device(
    module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What a module is given, where its weights are."""
    own = next(module.parameters(), None)
    if own is None:
        return args, kwargs
    return tuple(_moved(a, own.device) for a in args), {
        key: _moved(value, own.device) for key, value in kwargs.items()
    }


def _moved(value: Any, device: torch.device) -> Any:
    return value.to(device) if isinstance(value, torch.Tensor) else value


def _as_usual(module: nn.Module, args: tuple[Any, ...], output: Any) -> Any:
    """What a network answers, in main memory and single precision."""
    del module, args
    if not isinstance(output, ModelOutput):
        return output
    for key, value in output.items():
        if key not in (
            "past_key_values",
            "cache",
        ):  # a next token goes on from them
            output[key] = _plain(value)
    return output


def _plain(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return as_usual(value)
    if isinstance(value, tuple):
        return tuple(_plain(each) for each in value)
    return value
