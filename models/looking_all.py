"""All heads at once: of every layer for thumbnails, of one with every weight, and as bertviz asks.

Layers are looked at one by one while the model computes them, so that a long text needs memory for
one layer's weights and not for those of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from models import maps, measures, snippet_attention
from models.answering import Check
from models.errors import CannotTrace
from models.heads import AllHeads, OneLayer, Reads, Vectors
from models.inputs import read
from models.interventions import AttentionKind
from models.measures.weights import averaged, pooled, quantised
from models.results import Sentence
from models.traces import Record
from models.tracing import traced

if TYPE_CHECKING:
    from models.loading import Model

Layer = Float[np.ndarray, "head query key"]


@dataclass
class _Layers:
    """What is kept of each layer: bytes and statistics."""

    kind: AttentionKind
    found: list[dict[str, np.ndarray]] = field(default_factory=list)
    ids: Sequence[int] = ()

    def see(self, kind: AttentionKind, layer: int, weights: Layer) -> None:
        """One layer's weights, of any kind of attention."""
        if kind != self.kind:
            return
        block = maps.block_for(*weights.shape[1:])
        levels, scales = quantised(pooled(weights, block) if block > 1 else weights)
        kept = {"levels": levels, "scales": scales}
        if block > 1:
            kept["means"], kept["mean_scales"] = quantised(averaged(weights, block))
        kept["sinks"] = weights.mean(axis=1).argmax(axis=-1)
        self.found.append(kept | {f"of {n}": v for n, v in self._statistics(weights).items()})

    def _statistics(self, weights: Layer) -> dict[str, np.ndarray]:
        """By name, head by head: doubles of all heads of a long text would need much room."""
        measure = cross_statistics if self.kind == "cross" else self._own
        each = [measure(head[None].astype(float)) for head in weights]
        return {name: np.concatenate([one[name] for one in each]) for name in measures.STATISTICS}

    def _own(self, head: Layer) -> dict[str, np.ndarray]:
        return measures.head_statistics(head, np.array(self.ids))

    def stacked(self, name: str) -> np.ndarray:
        """One quantity of all layers."""
        return np.stack([layer[name] for layer in self.found])


def cross_statistics(weights: Layer) -> dict[str, Float[np.ndarray, " head"]]:
    """By name; in cross attention the axes are different texts, so that most mean nothing."""
    nothing = dict.fromkeys(measures.STATISTICS, np.full(len(weights), np.nan))
    return nothing | {
        "entropy": np.asarray(measures.entropy_bits(weights).mean(-1)),
        "sink": np.asarray(weights.mean(axis=1).max(axis=-1)),
    }


def all_heads(
    model: Model,
    sentence: Sentence,
    pair: str | None,
    kind: AttentionKind | None,
    target: str | None,
    check: Check,
) -> AllHeads:
    """See `models.attention`."""
    kind = maps.checked(model, kind)
    asked = maps.reads(model, sentence, pair, target)
    inputs = read(model, asked.sentence, asked.pair, asked.target)
    asks = inputs.target_tokens if kind == "decoder" and inputs.target_tokens else inputs.tokens
    layers = _Layers(kind, ids=[token.id for token in asks])
    seen = traced(model, inputs, "weights", check=check, each=layers.see)
    queries, keys = maps.axes(seen, kind)
    block = maps.block_of(queries, keys)
    return AllHeads(
        kind=kind,
        kinds=maps.kinds(model),
        reads=Reads(asked.sentence, pair, seen.target),
        queries=queries,
        keys=keys,
        levels=layers.stacked("levels"),
        scales=layers.stacked("scales"),
        block=block,
        statistics={name: layers.stacked(f"of {name}") for name in measures.STATISTICS},
        sinks=layers.stacked("sinks"),
        cut=seen.cut,
        provenance=seen.provenance,
        snippet=snippet_attention.all_heads(seen, kind),
        means=layers.stacked("means") if block > 1 else None,
        mean_scales=layers.stacked("mean_scales") if block > 1 else None,
    )


def one_layer(
    model: Model, reads: Reads, kind: AttentionKind, layer: int, check: Check
) -> OneLayer:
    """See `models.attention`."""
    found: list[tuple[np.ndarray, np.ndarray]] = []

    def see(of: AttentionKind, at: int, weights: Layer) -> None:
        if (of, at) == (kind, layer):
            found.append(quantised(weights))

    seen = maps.traced(model, reads, [Record("weights")], check, see)
    (levels, scales), (queries, keys) = found[0], maps.both_units(model, seen, kind, merge=False)
    return OneLayer(
        kind=kind,
        layer=layer,
        queries=queries,
        keys=keys,
        levels=levels,
        scales=scales,
        provenance=seen.provenance,
        snippet=snippet_attention.one_layer(seen, kind, layer),
    )


def vectors(
    model: Model, reads: Reads, kind: AttentionKind, with_vectors: bool, check: Check
) -> Vectors:
    """See `models.attention`."""
    records = [Record("weights")]
    if with_vectors:
        records += [Record(what, attention=kind) for what in ("query", "key")]
    seen = maps.traced(model, reads, records, check)
    if with_vectors and any(missing.what == "query" for missing in seen.missing):
        raise CannotTrace(model.name, "query", "own attention")
    weights = maps.recorded(seen, kind)
    queries, keys = maps.both_units(model, seen, kind, merge=False)

    def every(what: str) -> np.ndarray | None:
        if not with_vectors:
            return None
        return np.stack([seen.attention(kind, at)[what] for at in range(len(weights))])

    return Vectors(
        kind=kind,
        keys=keys,
        queries=queries,
        weights=weights,
        query_vectors=every("query"),
        key_vectors=every("key"),
        provenance=seen.provenance,
        snippet=snippet_attention.weights(seen, kind),
    )
