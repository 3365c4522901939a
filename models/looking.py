"""Looking at attention: from traces to what a page draws; `models.attention` tells about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from models import maps, measures, snippet_attention, snippet_gradients, snippets
from models.answering import Check
from models.errors import CannotTrace
from models.heads import (
    AtBlank,
    Attribution,
    HeadAt,
    OneHead,
    QueryStages,
    Reads,
    ThirdOpinion,
    Unit,
)
from models.interventions import AttentionKind
from models.measures.weights import merged, renormalised
from models.measuring import parts
from models.questions import Question, ask
from models.results import Sentence
from models.snippets import Source
from models.traces import Record
from models.tracing import NAME
from models.wiring import prepare

if TYPE_CHECKING:
    from models.loading import Model


def one_head(
    model: Model,
    reads: Reads,
    kind: AttentionKind,
    heads: Sequence[HeadAt],
    merge: bool,
    hide_special: bool,
    between: tuple[int, int] | None,
    check: Check,
) -> OneHead:
    """See `models.attention`."""
    layers = sorted({layer for layer, _ in heads})
    asked = tuple(sorted({head for _, head in heads}))
    records = [maps.every_layer(asked), Record("mask", tuple(layers), attention=kind)]
    seen = maps.traced(model, reads, records, check)
    each = [seen.attention(kind, layer).head("weights", head) for layer, head in heads]
    mean = each[0] if len(each) == 1 else np.stack(each).mean(axis=0, dtype=np.float64)
    queries, keys = maps.both_units(model, seen, kind, merge)
    rows = [unit for unit in queries if _kept(unit, hide_special, between, 0)]
    columns = [unit for unit in keys if _kept(unit, hide_special, between, 1)]
    weights = merged(mean, [u.tokens for u in rows], [u.tokens for u in columns])
    mask = maps.mask_of(seen, kind, layers[0])
    return OneHead(
        kind=kind,
        heads=tuple(heads),
        queries=tuple(rows),
        keys=tuple(columns),
        weights=(renormalised(weights) if hide_special else weights).astype(np.float32),
        mask=merged(mask.astype(float), [u.tokens for u in rows], [u.tokens for u in columns]) > 0,
        provenance=seen.provenance,
        snippet=snippet_attention.one_head(seen, kind, heads, rows, columns, hide_special),
    )


def query_stages(
    model: Model, reads: Reads, kind: AttentionKind, at: HeadAt, query: int, check: Check
) -> QueryStages:
    """See `models.attention`."""
    layer, head = at
    wanted = ("query", "key", "value", "scores", "weights", "context", "mask")
    records = [maps.every_layer((head,))]
    records += [Record(what, (layer,), (head,), kind) for what in wanted if what != "weights"]
    seen = maps.traced(model, reads, records, check)
    if any(missing.what == "query" for missing in seen.missing):
        raise CannotTrace(model.name, "query", "own attention")
    found = {what: seen.attention(kind, layer).head(what, head) for what in wanted[:-1]}
    asks, keys = found["query"][query], found["key"]
    products, scores = keys @ asks, found["scores"][query]
    _, keys_read = maps.both_units(model, seen, kind, merge=False)
    return QueryStages(
        kind=kind,
        layer=layer,
        head=head,
        query=query,
        keys=keys_read,
        query_vector=asks,
        key_vectors=keys,
        products=products,
        scale=_scale(products, scores, len(asks)),
        scores=scores,
        mask=maps.mask_of(seen, kind, layer)[query],
        weights=found["weights"][query],
        value_norms=np.linalg.norm(found["value"], axis=-1),
        context=found["context"][query],
        provenance=seen.provenance,
        snippet=snippet_attention.query_stages(seen, parts.calls(model, kind)[layer], head, query),
    )


def at_blank(
    model: Model,
    sentence: Sentence,
    layer: int,
    blank: int,
    kind: AttentionKind | None,
    attribution: Attribution | None,
    check: Check,
) -> AtBlank:
    """See `models.attention`."""
    kind = kind or prepare(model.network, NAME).stacks[-1]
    edges = parts.edge_effects(model, sentence, layer, blank, kind, check)
    question = ask(model, sentence, blank)
    row = parts.weights_of(model, question, layer, kind)[:, question.position]
    weights = row[:, : edges.values.shape[1]].astype(float)
    side = _side(question, kind)
    ids = tuple(question.tensors[side][0].tolist())[: weights.shape[1]]
    third = None if attribution is None else _third(attribution, side, weights, edges.values)
    source = Source.of(model, sentence.text, question.tensors)
    call = parts.calls(model, kind)[layer]
    place = (question.position, edges.answer or 0, call, *weights.shape)
    return AtBlank(
        kind=kind,
        layer=layer,
        keys=model.reader.spell(ids),
        weights=weights,
        effects=edges.values,
        agreement=measures.agreement(weights, edges.values),
        third=third,
        provenance=edges.provenance,
        snippet=snippets.agreement(source, *place)
        if attribution is None
        else snippet_gradients.third(source, place, model, attribution, side),
    )


def _side(question: Question, kind: AttentionKind) -> str:
    """Who reads the keys that the blank's row looks at."""
    both = "decoder_input_ids" in question.tensors
    return "decoder_input_ids" if both and kind == "decoder" else "input_ids"


def _third(
    attribution: Attribution,
    side: str,
    weights: Float[np.ndarray, "head key"],
    effects: Float[np.ndarray, "head key"],
) -> ThirdOpinion:
    """A word's gradients stand for each of its edges: so each edge has three numbers."""
    values = attribution.values[side][: weights.shape[1]]
    total = sum(float(np.nansum(one)) for one in attribution.values.values())
    words = np.isfinite(values)
    each = np.broadcast_to(values[words], (len(weights), int(words.sum())))
    some = words.any()
    return ThirdOpinion(
        values=values,
        elsewhere=total - float(np.nansum(values)),
        attention=measures.agreement(weights[:, words], each) if some else float("nan"),
        effects=measures.agreement(abs(effects[:, words]), each) if some else float("nan"),
        about=attribution,
    )


def _kept(unit: Unit, hide_special: bool, between: tuple[int, int] | None, side: int) -> bool:
    if unit.special and hide_special:
        return False
    return between is None or unit.sequence == between[side]


def _scale(
    products: Float[np.ndarray, " key"], scores: Float[np.ndarray, " key"], width: int
) -> float | None:
    """The factor between products and scores, if a factor is all that lies between them."""
    for factor in (width**-0.5, 1.0):
        if np.allclose(products * factor, scores, rtol=1e-4, atol=1e-4 * abs(scores).max()):
            return float(factor)
    return None
