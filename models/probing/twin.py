"""A second network with the very same weights, for what must not be done to the shared one."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry
from transformers import PreTrainedModel


def eager_twin(network: PreTrainedModel, *, empty: bool = False) -> PreTrainedModel:
    """A copy that shares all numbers with `network` and computes attention by its own eager code.

    Args:
        network: Stays as it is.
        empty: Tensors without numbers (torch's ``meta`` device): shapes can be followed, and a copy
            of any size takes no memory.
    """
    tensors: list[Tensor] = [*network.parameters(), *network.buffers()]
    shared: dict[int, Tensor] = {id(each): _hollow(each) if empty else each for each in tensors}
    twin = copy.deepcopy(network, shared)
    if type(network)._can_set_attn_implementation():
        twin.set_attn_implementation("eager")
    if empty:
        twin.config.pad_token_id = None  # else some look whether the text begins with padding
    return twin


def _hollow(tensor: Tensor) -> Tensor:
    hollow = torch.empty_like(tensor, device="meta")
    return nn.Parameter(hollow, requires_grad=False) if isinstance(tensor, nn.Parameter) else hollow


class FlopCount(TorchDispatchMode):
    """Counts the products of this thread's matrices, by torch's own formulas.

    torch's `FlopCounterMode` puts hooks on all modules of the process, other visitors' included.
    """

    def __init__(self) -> None:
        super().__init__()
        self.flops = 0

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Run an operation and count it."""
        given = dict(kwargs or {})
        out = func(*args, **given)
        if func._overloadpacket is torch.ops.aten.mkldnn_rnn_layer:
            self.flops += _lstm(*args[:3])
        elif (formula := flop_registry.get(func._overloadpacket)) is not None:
            self.flops += formula(*args, **given, out_val=out)
        return out


def _lstm(states: Tensor, from_input: Tensor, from_state: Tensor) -> int:
    """One layer in one direction: both matrices at each step (time, batch, width)."""
    steps = states.shape[0] * states.shape[1]
    return 2 * steps * (from_input.numel() + from_state.numel())
