"""Hooks on a model's own modules, for what does not pass through the attention function.

PyTorch hooks belong to a module, and the modules belong to everyone. So the hooks are put in once
per model and stay; each asks `recording.current()` whether *this thread's* request wants anything,
and otherwise does nothing (a few microseconds per layer). A trace never adds, removes or switches
anything, which is why one that fails or is cancelled leaves nothing behind.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal
from weakref import WeakKeyDictionary

from torch import nn
from transformers import PretrainedConfig, PreTrainedModel

from models import hooks
from models.families import Anatomy, Block, Tower, anatomy
from models.interventions import AttentionKind
from models.traces import StackName

CROSS = {"encoder_attn", "EncDecAttention", "crossattention", "cross_attn"}


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
            output.register_forward_pre_hook(hooks.keeps_asked_positions)
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


def branch_names(
    network: nn.Module, tower: Tower, kind: str, part: Literal["writes", "project"] = "writes"
) -> list[str]:
    """The full names of a part of a kind of branch, one for each distinct block."""
    names = {module: name for name, module in network.named_modules()}
    branch = next(branch for branch in tower.block.branches if branch.kind == kind)
    return [f"{names[block]}.{getattr(branch, part)}" for block in blocks(network, tower)]


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
            module.register_forward_hook(partial(hooks.removes_positions, how))
    if found.transform is not None:
        first, last = (find(network, path) for path in found.transform)
        if first is not None and last is not None:
            first.register_forward_pre_hook(hooks.before_transform)
            last.register_forward_hook(hooks.after_transform)


def _install_block(block: nn.Module, plan: Block, stack: StackName) -> None:
    block.register_forward_pre_hook(partial(hooks.begin_block, stack), with_kwargs=True)
    for number, branch in enumerate(plan.branches):
        skips = number == 0 or not plan.parallel
        reads, writes = block.get_submodule(branch.reads), block.get_submodule(branch.writes)
        reads.register_forward_pre_hook(partial(hooks.enters_branch, branch), with_kwargs=True)
        writes.register_forward_hook(partial(hooks.leaves_branch, branch, stack, skips))
        if branch.norm:
            block.get_submodule(branch.norm).register_forward_pre_hook(
                partial(hooks.carries_parts, stack)
            )
    block.get_submodule(plan.activation).register_forward_hook(
        partial(hooks.replaces_activation, stack)
    )
    block.get_submodule(plan.down).register_forward_pre_hook(partial(hooks.notes_neurons, stack))
    block.register_forward_hook(partial(hooks.end_block, stack))
