"""What the hooks on a model's modules do; `models.wiring` puts them in.

Each begins by asking whose request this is. While nobody traces there is none, and it does nothing;
a request that wants nothing of this layer changes nothing either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.families import Branch
from models.interventions import BypassHead, NoFeedForward, NoPositions, NoSkip, ReplaceActivation
from models.recording import Request, current, to_numpy
from models.traces import StackName

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "identity": lambda x: x,
    "relu": F.relu,
    "gelu": F.gelu,
    "tanh": torch.tanh,
    "silu": F.silu,
}


def _first(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor:
    stream: Tensor = args[0] if args else kwargs["hidden_states"]
    return stream


def _layer(request: Request, stack: StackName) -> int:
    return request.calls[f"{stack} block"] - 1


def begin_block(stack: StackName, module: nn.Module, args: Any, kwargs: Any) -> None:
    """A layer begins: count it, and keep the stream as it comes in."""
    if (request := current()) is None:
        return
    layer = request.begin(f"{stack} block")
    stream = _first(args, kwargs)
    request.scratch = {"block": stream}
    request.narrows = (stack, layer) == request.last_block
    if request.wanted("residual", layer):
        request.residual[stack, layer] = [("input", stream)]


def enters_branch(branch: Branch, module: nn.Module, args: Any, kwargs: Any) -> Any:
    """Keep the stream as a branch reads it; in the last block, that of the asked position alone.

    There the branch's output has one position, and the block adds it to all: right at the one that
    is asked for, and read nowhere else.
    """
    if (request := current()) is None:
        return None
    stream = _first(args, kwargs)
    if branch.kind != "ffn" or not request.narrows or stream.dim() != 3:
        request.scratch[branch.kind] = stream
        return None
    request.scratch[branch.kind] = stream = stream[:, request.positions]
    return ((stream, *args[1:]), kwargs) if args else ((), {**kwargs, "hidden_states": stream})


def leaves_branch(
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


def carries_parts(stack: StackName, module: nn.LayerNorm, args: Any) -> None:
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


def end_block(stack: StackName, module: nn.Module, args: Any, output: Any) -> None:
    """Note the block's output beside its parts."""
    request = current()
    if request is not None and request.wanted("residual", _layer(request, stack)):
        out: Tensor = output[0] if isinstance(output, tuple) else output
        request.residual[stack, _layer(request, stack)].append(("output", out))


def replaces_activation(
    stack: StackName, module: nn.Module, args: Any, output: Tensor
) -> Tensor | None:
    """Another activation, if the request wants one."""
    if (request := current()) is None:
        return None
    for _, edit in request.changes(ReplaceActivation, _layer(request, stack), stack):
        output = ACTIVATIONS[edit.by](args[0])
    return output


def notes_neurons(stack: StackName, module: nn.Module, args: Any) -> None:
    """Note what the feed-forward network's second matrix reads."""
    request = current()
    if request is not None and request.wanted("activations", _layer(request, stack)):
        values: Tensor = args[0].reshape(-1, args[0].shape[-1])
        request.activations[stack, _layer(request, stack)] = to_numpy(values)


def removes_positions(how: str, module: nn.Module, args: Any, output: Any) -> Any:
    """No positions, if the request wants none."""
    request = current()
    if request is None or not any(request.changes(NoPositions)):
        return None
    if how == "rotary":  # rotating by no angle: cos = 1, sin = 0
        cos, sin = output
        return torch.ones_like(cos), torch.zeros_like(sin)
    return torch.zeros_like(output)


def before_transform(module: nn.Module, args: Any) -> None:
    """Keep what the head's transform reads."""
    if (request := current()) is not None and any(request.changes(BypassHead)):
        request.scratch["transform"] = args[0]


def after_transform(module: nn.Module, args: Any, output: Tensor) -> Tensor | None:
    """The head's transform left out, if the request wants so."""
    request = current()
    return None if request is None else request.scratch.pop("transform", None)


def keeps_asked_positions(module: nn.Module, args: Any) -> Any:
    """Compute logits where they are wanted: the vocabulary is the widest matrix of a model."""
    request = current()
    if request is None or request.positions is None:
        return None
    return (args[0][:, request.positions], *args[1:])
