"""From a finished forward pass to a `Trace`; and what must be refused before one begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedModel

from models.elmo import ElmoForPreTraining
from models.errors import CannotTrace
from models.inputs import Inputs
from models.interventions import AttentionKind, BypassHead, Dropout, InAttention, Intervention
from models.recording import Request, to_numpy
from models.results import Provenance
from models.traces import ATTENTION, Attention, Missing, Record, Residual, Stack, StackName, Trace
from models.wiring import Wiring, find


def refuse(
    name: str,
    network: PreTrainedModel,
    wiring: Wiring,
    asked: Sequence[Record],
    changes: Sequence[Intervention],
) -> None:
    """Raise for what this model's family cannot do exactly.

    Raises:
        CannotTrace: See there.
        ValueError: A layer or head that does not exist.
    """
    for change in changes:
        if isinstance(change, InAttention | Dropout) and not wiring.routed:
            raise CannotTrace(name, type(change).__name__, "own attention")
        if not isinstance(change, InAttention | Dropout) and wiring.anatomy is None:
            raise CannotTrace(name, type(change).__name__, "family")
        if isinstance(change, BypassHead):
            _refuse_bypass(name, network, wiring)
    for record in asked:
        if record.what == "logits" and isinstance(network, ElmoForPreTraining):
            raise CannotTrace(name, "logits", "family")  # it has two kinds: predict gives both
        if record.what in ("activations", "residual") and wiring.anatomy is None:
            raise CannotTrace(name, record.what, "family")
    _check_ranges(wiring, asked, changes)


def _refuse_bypass(name: str, network: PreTrainedModel, wiring: Wiring) -> None:
    ends = None if wiring.anatomy is None else wiring.anatomy.transform
    modules = [None] if ends is None else [find(network, path) for path in ends]
    if None in modules:
        raise CannotTrace(name, "BypassHead", "no transform")
    first, last = modules
    if first.in_features != last.normalized_shape[0]:  # type: ignore[union-attr, index]
        raise CannotTrace(name, "BypassHead", "width")


def _check_ranges(wiring: Wiring, asked: Sequence[Record], changes: Sequence[Intervention]) -> None:
    depth, heads = max(wiring.depth.values()), max(wiring.heads.values())
    for one in (*asked, *changes):
        extra = isinstance(one, Record) and one.what == "hidden_states"
        if not all(0 <= layer < depth + extra for layer in _named(one, "layer")):
            raise ValueError(f"{one}: layers run from 0 to {depth - 1 + extra}")
        if not all(0 <= head < heads for head in _named(one, "head")):
            raise ValueError(f"{one}: heads run from 0 to {heads - 1}")


def _named(one: Record | Intervention, what: str) -> list[int]:
    """The layers or heads that a record or an intervention names, in one field or the other."""
    single = getattr(one, what, None)
    return [*(getattr(one, f"{what}s", None) or ()), *([] if single is None else [single])]


def assemble(
    inputs: Inputs,
    request: Request,
    output: Mapping[str, Any],
    wiring: Wiring,
    provenance: Provenance,
) -> Trace:
    """Everything that one forward pass found, as plain numpy."""
    eager = output.get("attentions") or ()
    if not wiring.routed:
        _take_eager(request, eager, wiring.stacks[0])
    stacks: dict[StackName, Stack] = {}
    for name in wiring.stacks:
        stacks[name] = _stack(name, inputs, request, output, wiring)
    wanted = any(r.what == "logits" for r in request.records)
    told_all = wiring.routed and request.attention_layers
    return Trace(
        text=inputs.text,
        pair=inputs.pair,
        target=inputs.target,
        arguments={name: tuple(ids[0].tolist()) for name, ids in inputs.tensors.items()},
        cut=inputs.cut,
        encoder=stacks.get("encoder"),
        decoder=stacks.get("decoder"),
        logits=to_numpy(output["logits"][0]) if wanted else None,
        interventions=tuple(edit for _, edit in request.edits),
        missing=() if told_all else _missing(request, attends=bool(eager)),
        provenance=provenance,
    )


def _take_eager(request: Request, eager: Sequence[torch.Tensor], stack: StackName) -> None:
    """Attention weights as a family's own eager code returns them: the only thing it lets out."""
    for layer, weights in enumerate(eager):
        if asked := request.wanted("weights", layer, stack):
            request.keep("weights", weights, stack, layer, asked)


def _missing(request: Request, *, attends: bool) -> tuple[Missing, ...]:
    """What was asked of attention in a model that does not let it out, or has none."""
    asked = [what for what in ATTENTION if any(r.what == what for r in request.records)]
    if attends:
        return tuple(Missing(what, "own attention") for what in asked if what != "weights")
    return tuple(Missing(what, "no attention") for what in asked)


def _stack(
    name: StackName,
    inputs: Inputs,
    request: Request,
    output: Mapping[str, Any],
    wiring: Wiring,
) -> Stack:
    decoding = len(wiring.stacks) > 1 and name == "decoder"
    prefix = f"{name}_" if len(wiring.stacks) > 1 else ""
    return Stack(
        name=name,
        tokens=inputs.target_tokens if decoding else inputs.tokens,
        depth=wiring.depth[name],
        heads=wiring.heads[name],
        attention=_attention(request, name),
        cross=_attention(request, "cross") if name == "decoder" else {},
        hidden_states=_hidden_states(request, output.get(f"{prefix}hidden_states") or ()),
        activations={layer: a for (at, layer), a in request.activations.items() if at == name},
        residual={layer: _residual(r) for (at, layer), r in request.residual.items() if at == name},
    )


def _attention(request: Request, kind: AttentionKind) -> dict[int, Attention]:
    layers = {layer for at, layer in (*request.attention, *request.masks) if at == kind}
    return {
        layer: Attention(
            heads={what: heads for what, (heads, _) in request.attention[kind, layer].items()},
            arrays={what: array for what, (_, array) in request.attention[kind, layer].items()},
            mask=request.masks.get((kind, layer)),
        )
        for layer in sorted(layers)
    }


def _hidden_states(request: Request, states: Sequence[torch.Tensor]) -> dict[int, np.ndarray]:
    return {
        layer: to_numpy(state[0])
        for layer, state in enumerate(states)
        if state is not None and request.wanted("hidden_states", layer)
    }


def _residual(recorded: list[tuple[str, torch.Tensor]]) -> Residual:
    *parts, (_, output) = recorded
    return Residual(
        names=tuple(name for name, _ in parts),
        parts=to_numpy(torch.stack([part[0] for _, part in parts])),
        output=to_numpy(output[0]),
    )
