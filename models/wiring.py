"""Hooks on a model's own modules, for what does not pass through the attention function.

PyTorch hooks belong to a module, and the modules belong to everyone. So the hooks are put in once
per model and stay; each asks `recording.current()` whether *this thread's* request wants anything,
and otherwise does nothing (a few microseconds per layer). A trace never adds, removes or switches
anything, which is why one that fails or is cancelled leaves nothing behind.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from transformers import PretrainedConfig, PreTrainedModel

from models.families import Anatomy, Block, Branch, Tower, anatomy
from models.interventions import (
    AttentionKind,
    BypassHead,
    NoFeedForward,
    NoPositions,
    NoSkip,
    ReplaceActivation,
)
from models.recording import Request, current, to_numpy
from models.traces import StackName

CROSS = {"encoder_attn", "EncDecAttention", "crossattention", "cross_attn"}
ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "identity": lambda x: x,
    "relu": F.relu,
    "gelu": F.gelu,
    "tanh": torch.tanh,
    "silu": F.silu,
}


@dataclass(frozen=True)
class Wiring:
    """What tracing knows about one loaded model."""

    anatomy: Anatomy | None
    """None where the family is not in the table: attention only."""
    routed: bool
    """Its attention passes through the registered function."""
    stacks: tuple[StackName, ...]
    """Its towers; the last one answers."""
    depth: Mapping[StackName, int]
    """How many layers each stack has."""
    heads: Mapping[StackName, int]
    """How many query heads each layer of a stack has; 0 in a model without attention."""
    kinds: Mapping[nn.Module, AttentionKind]
    """Which attention each module computes, for every module that may be one."""


_WIRED: WeakKeyDictionary[PreTrainedModel, Wiring] = WeakKeyDictionary()
_LOCK = threading.Lock()


def prepare(network: PreTrainedModel, attention: str) -> Wiring:
    """Route a model's attention through the function registered as `attention`, and put hooks in.

    Done once per model; later calls are free. Families whose code computes attention by itself, or
    in a way that torch's kernel cannot, stay on their own eager code.
    """
    with _LOCK:
        if (known := _WIRED.get(network)) is not None:
            return known
        routed = type(network)._can_set_attn_implementation() and network._supports_sdpa
        network.set_attn_implementation(attention if routed else "eager")
        found = _fitting(network)
        if found is not None:
            _install(network, found)
        output = network.get_output_embeddings()
        if output is not None:
            output.register_forward_pre_hook(_only_asked_positions)
        stacks = _stacks(network)
        # Without the network itself, which its own entry would keep alive for ever.
        kinds = {m: _kind(name, stacks) for name, m in network.named_modules() if name}
        depth = {stack: _depth(network.config, stack) for stack in stacks}
        heads = {stack: _heads(network.config, stack) for stack in stacks}
        _WIRED[network] = Wiring(found, routed, stacks, depth, heads, kinds)
        return _WIRED[network]


def _stacks(network: PreTrainedModel) -> tuple[StackName, ...]:
    """The towers of a model; a single one is named by whether it may look ahead."""
    if network.config.is_encoder_decoder:
        return ("encoder", "decoder")
    causal = any(getattr(module, "is_causal", None) is True for module in network.modules())
    return ("decoder",) if causal or network.config.model_type == "gpt_neo" else ("encoder",)


def _depth(config: PretrainedConfig, stack: StackName) -> int:
    for name in (f"{stack}_layers", f"num_{stack}_layers"):
        if isinstance(getattr(config, name, None), int):
            return int(getattr(config, name))
    return int(getattr(config, "num_hidden_layers", 0))


def _heads(config: PretrainedConfig, stack: StackName) -> int:
    own = getattr(config, f"{stack}_attention_heads", None)
    return int(own if own is not None else getattr(config, "num_attention_heads", 0))


def _kind(name: str, stacks: tuple[StackName, ...]) -> AttentionKind:
    """Whose attention a module of this name computes, if it computes any."""
    if len(stacks) == 1:
        return stacks[0]
    parts = set(name.split("."))
    if "encoder" in parts:
        return "encoder"
    return "cross" if parts & CROSS else "decoder"


def find(network: nn.Module, path: str) -> nn.Module | None:
    """The module at a dotted path; None where this model has none there."""
    module: Any = network
    for part in path.split("."):
        module = getattr(module, part, None)
    return module


def blocks(network: nn.Module, tower: Tower) -> list[nn.Module]:
    """The distinct blocks of a tower in order (ALBERT has one for all layers).

    Raises:
        AttributeError: There is no such tower.
    """
    lists: list[Any] = [network]
    for part in tower.blocks.split("."):
        lists = [m for one in lists for m in (one if part == "*" else [getattr(one, part)])]
    return [block for one in lists for block in one]


def branch_names(network: nn.Module, tower: Tower, kind: str) -> list[str]:
    """The full names of the modules that write a kind of branch, one for each distinct block."""
    names = {module: name for name, module in network.named_modules()}
    writes = next(branch.writes for branch in tower.block.branches if branch.kind == kind)
    return [f"{names[block]}.{writes}" for block in blocks(network, tower)]


def _fitting(network: PreTrainedModel) -> Anatomy | None:
    """The map of the network's family, if this network is really built so."""
    found = anatomy(network.config)
    for tower in () if found is None else found.towers.values():
        try:
            for block in blocks(network, tower):
                for name in tower.block.modules:
                    block.get_submodule(name)
        except AttributeError:
            return None
    return found


def _install(network: PreTrainedModel, found: Anatomy) -> None:
    for stack, tower in found.towers.items():
        for block in blocks(network, tower):
            _install_block(block, tower.block, stack)
    for path, how in found.positions.items():
        module = find(network, path)
        if module is not None:
            module.register_forward_hook(partial(_no_positions, how))
    if found.transform is not None:
        first, last = (find(network, path) for path in found.transform)
        if first is not None and last is not None:
            first.register_forward_pre_hook(_before_transform)
            last.register_forward_hook(_after_transform)


def _install_block(block: nn.Module, plan: Block, stack: StackName) -> None:
    block.register_forward_pre_hook(partial(_begin_block, stack), with_kwargs=True)
    for number, branch in enumerate(plan.branches):
        skips = number == 0 or not plan.parallel
        reads, writes = block.get_submodule(branch.reads), block.get_submodule(branch.writes)
        reads.register_forward_pre_hook(partial(_reads, branch), with_kwargs=True)
        writes.register_forward_hook(partial(_writes, branch, stack, skips))
        if branch.norm:
            block.get_submodule(branch.norm).register_forward_pre_hook(partial(_norm, stack))
    block.get_submodule(plan.activation).register_forward_hook(partial(_activation, stack))
    block.get_submodule(plan.down).register_forward_pre_hook(partial(_neurons, stack))
    block.register_forward_hook(partial(_end_block, stack))


# --- the hooks: each begins by asking whose request this is -------------------------------------


def _first(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor:
    stream: Tensor = args[0] if args else kwargs["hidden_states"]
    return stream


def _layer(request: Request, stack: StackName) -> int:
    return request.calls[f"{stack} block"] - 1


def _begin_block(stack: StackName, module: nn.Module, args: Any, kwargs: Any) -> None:
    if (request := current()) is None:
        return
    layer = request.begin(f"{stack} block")
    stream = _first(args, kwargs)
    request.scratch = {"block": stream}
    if request.wanted("residual", layer):
        request.residual[stack, layer] = [("input", stream)]


def _reads(branch: Branch, module: nn.Module, args: Any, kwargs: Any) -> None:
    if (request := current()) is not None:
        request.scratch[branch.kind] = _first(args, kwargs)


def _writes(
    branch: Branch, stack: StackName, skips: bool, module: nn.Module, args: Any, output: Any
) -> Any:
    """The branch's output, as recorded and as the stream shall see it."""
    if (request := current()) is None:
        return None
    layer = _layer(request, stack)
    whole = request.scratch["block"].shape  # OPT flattens (batch, position) inside its block
    out: Tensor = output[0] if isinstance(output, tuple) else output
    if branch.kind == "ffn":
        for rows, _ in request.changes(NoFeedForward, layer, stack):
            out = out.reshape(whole).clone()
            out[rows] = 0.0
    skip_off = skips and any(
        branch.kind in edit.around for _, edit in request.changes(NoSkip, layer, stack)
    )
    if request.wanted("residual", layer):
        before = [] if skip_off else request.residual[stack, layer]
        request.residual[stack, layer] = [*before, (branch.kind, out.reshape(whole))]
    out = out.reshape(request.scratch[branch.kind].shape)
    if skip_off:
        # The block will add the stream; taking it away first is the same in every family, up to
        # the rounding of one subtraction.
        out = out - request.scratch[branch.kind]
    return (out, *output[1:]) if isinstance(output, tuple) else out


def _norm(stack: StackName, module: nn.LayerNorm, args: Any) -> None:
    """Carry each part of the sum through the norm that follows it, at that sum's own scale."""
    if (request := current()) is None or not request.wanted("residual", _layer(request, stack)):
        return
    parts = request.residual[stack, _layer(request, stack)]
    whole = parts[0][1].shape
    total: Tensor = args[0].reshape(whole)
    scale = (total.var(-1, unbiased=False, keepdim=True) + module.eps).rsqrt() * module.weight
    carried = {}
    for name, part in parts:
        carried[name] = (part - part.mean(-1, keepdim=True)) * scale
    carried["bias"] = carried.get("bias", torch.zeros_like(total)) + module.bias
    request.residual[stack, _layer(request, stack)] = list(carried.items())


def _end_block(stack: StackName, module: nn.Module, args: Any, output: Any) -> None:
    request = current()
    if request is not None and request.wanted("residual", _layer(request, stack)):
        out: Tensor = output[0] if isinstance(output, tuple) else output
        request.residual[stack, _layer(request, stack)].append(("output", out))


def _activation(stack: StackName, module: nn.Module, args: Any, output: Tensor) -> Tensor | None:
    if (request := current()) is None:
        return None
    for _, edit in request.changes(ReplaceActivation, _layer(request, stack), stack):
        output = ACTIVATIONS[edit.by](args[0])
    return output


def _neurons(stack: StackName, module: nn.Module, args: Any) -> None:
    request = current()
    if request is not None and request.wanted("activations", _layer(request, stack)):
        values: Tensor = args[0].reshape(-1, args[0].shape[-1])
        request.activations[stack, _layer(request, stack)] = to_numpy(values)


def _no_positions(how: str, module: nn.Module, args: Any, output: Any) -> Any:
    request = current()
    if request is None or not any(request.changes(NoPositions)):
        return None
    if how == "rotary":  # rotating by no angle: cos = 1, sin = 0
        cos, sin = output
        return torch.ones_like(cos), torch.zeros_like(sin)
    return torch.zeros_like(output)


def _before_transform(module: nn.Module, args: Any) -> None:
    if (request := current()) is not None and any(request.changes(BypassHead)):
        request.scratch["transform"] = args[0]


def _after_transform(module: nn.Module, args: Any, output: Tensor) -> Tensor | None:
    request = current()
    return None if request is None else request.scratch.pop("transform", None)


def _only_asked_positions(module: nn.Module, args: Any) -> Any:
    """Compute logits where they are wanted: the vocabulary is the widest matrix of a model."""
    request = current()
    if request is None or request.positions is None:
        return None
    return (args[0][:, request.positions], *args[1:])
