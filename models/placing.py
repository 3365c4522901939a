"""Run a network on another device while all others go on as if it were the processor.

Whoever asks hands over tensors in main memory and gets such back, in single precision. So only the
network knows where it computes; what is recorded on the way is copied by `models.recording`.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
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
        return value.float().cpu() if value.is_floating_point() else value.cpu()
    if isinstance(value, tuple):
        return tuple(_plain(each) for each in value)
    return value
