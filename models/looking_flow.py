"""Flow: attention as weights, weighed by what is carried, and multiplied through the layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Bool, Float

from models import maps, measures, snippet_flow
from models.answering import Check
from models.flows import Flow
from models.heads import Reads
from models.interventions import AttentionKind
from models.measures.weights import pooled, renormalised
from models.traces import Record, Trace
from models.tracing import NAME
from models.wiring import Wiring, branch_names, prepare

if TYPE_CHECKING:
    from models.loading import Model


def flow(model: Model, reads: Reads, kind: AttentionKind, check: Check) -> Flow:
    """See `models.attention`."""
    records = [Record("weights"), Record("value", attention=kind), Record("mask", (0,), None, kind)]
    seen = maps.traced(model, reads, records, check)
    weights = maps.recorded(seen, kind).astype(float)
    mask = maps.mask_of(seen, kind, 0)
    names = projections(model, kind)
    carried = None if names is None or seen.missing else _carried(model, seen, kind, names)
    queries, keys = maps.both_units(model, seen, kind, merge=False)
    block = maps.block_of(*maps.axes(seen, kind))
    mean = weights.mean(axis=1)
    return Flow(
        kind=kind,
        queries=queries,
        keys=keys,
        block=block,
        mean=_drawn(mean, block),
        carried=None if carried is None else _drawn(carried, block),
        reached=None if kind == "cross" else _drawn(measures.rollout(weights), block),
        agreement=_agreement(mean, carried, mask),
        even=_even(mask, len(weights)) if kind == "decoder" else None,
        provenance=seen.provenance,
        snippet=snippet_flow.flow(model, seen, kind, names),
    )


def projections(model: Model, kind: AttentionKind) -> list[str] | None:
    """Of each layer, the name of the matrix behind the heads of this kind; None if not known."""
    wiring = prepare(model.network, NAME)
    if wiring.anatomy is None or not wiring.routed:
        return None
    stack = "encoder" if kind == "encoder" else "decoder"
    tower = wiring.anatomy.towers[stack]  # type: ignore[index]
    branch = "cross" if kind == "cross" else "attention"
    names = branch_names(model.network, tower, branch, "project")
    return _by_layer(names, wiring, stack)


def _by_layer(names: list[str], wiring: Wiring, stack: str) -> list[str]:
    """ALBERT has one block for several layers."""
    depth = wiring.depth[stack]  # type: ignore[index]
    return [names[layer * len(names) // depth] for layer in range(depth)]


def projected(
    model: Model, name: str, values: Float[np.ndarray, "head key d_head"]
) -> Float[np.ndarray, "head key dim"]:
    """What each head would add if it looked at one key alone: its values through its own rows."""
    module = model.network.get_submodule(name)
    matrix = module.weight.detach().double().numpy()  # type: ignore[operator]
    heads, _, width = values.shape
    if hasattr(module, "in_features"):
        matrix = matrix.T  # Linear has (out, in); GPT-2's Conv1D has (in, out)
    return np.einsum("hkd,hde->hke", values.astype(float), matrix.reshape(heads, width, -1))


def _carried(
    model: Model, seen: Trace, kind: AttentionKind, names: list[str]
) -> Float[np.ndarray, "layer query key"]:
    layers = (seen.attention(kind, layer) for layer in range(len(names)))
    found = [
        measures.carried(layer["weights"].astype(float), projected(model, name, layer["value"]))
        for layer, name in zip(layers, names, strict=True)
    ]
    return renormalised(np.stack(found))


def _drawn(found: Float[np.ndarray, "layer query key"], block: int) -> np.ndarray:
    return (pooled(found, block) if block > 1 else found).astype(np.float32)


def _agreement(
    mean: Float[np.ndarray, "layer query key"],
    carried: Float[np.ndarray, "layer query key"] | None,
    mask: Bool[np.ndarray, "query key"],
) -> Float[np.ndarray, " layer"]:
    if carried is None:
        return np.full(len(mean), np.nan)
    pairs = zip(mean, carried, strict=True)
    return np.array([measures.spearman(one[mask], other[mask]) for one, other in pairs])


def _even(mask: Bool[np.ndarray, "query key"], depth: int) -> Float[np.ndarray, " layer"]:
    evenly = mask / mask.sum(axis=-1, keepdims=True)
    return measures.rollout(np.broadcast_to(evenly, (depth, 1, *mask.shape)))[:, -1, 0]
