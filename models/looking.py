"""Looking at attention: from traces to what a page draws; `models.attention` tells about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from models import measures, snippet_attention, snippets
from models.answering import Check
from models.elmo import ElmoForPreTraining
from models.errors import CannotTrace
from models.heads import AllHeads, AtBlank, HeadAt, OneHead, QueryStages, Reads, Unit
from models.interventions import AttentionKind
from models.measures.weights import merged, pooled, quantised, renormalised
from models.measuring import parts
from models.questions import ask
from models.results import BLANK, Sentence
from models.snippets import Source
from models.tokens import words_of
from models.traces import Record, Token, Trace
from models.tracing import NAME, trace
from models.wiring import prepare

if TYPE_CHECKING:
    from models.loading import Model

MOST_CELLS = 128
"""Tokens on a side of a thumbnail; of longer texts a cell stands for a block of weights."""


def kinds(model: Model) -> tuple[AttentionKind, ...]:
    """The kinds of attention that a model has; () if it has none."""
    wiring = prepare(model.network, NAME)
    if isinstance(model.network, ElmoForPreTraining) or not any(wiring.heads.values()):
        return ()
    if len(wiring.stacks) > 1:
        return ("encoder", "decoder", "cross")
    return (wiring.stacks[0],)


def all_heads(
    model: Model,
    sentence: Sentence,
    pair: str | None,
    kind: AttentionKind | None,
    target: str | None,
    check: Check,
) -> AllHeads:
    """See `models.attention`."""
    possible = kinds(model)
    if not possible:
        raise CannotTrace(model.name, "weights", "no attention")
    kind = kind or possible[0]
    if kind not in possible:
        raise ValueError(f"{model.name} has {', '.join(possible)}, not {kind}")
    reads = Reads(sentence if pair is None else with_masks(sentence), pair, target)
    seen = _trace(model, reads, [Record("weights")], check)
    weights = _recorded(seen, kind)
    queries, keys = _axes(seen, kind)
    block = -(-max(len(queries), len(keys)) // MOST_CELLS)
    levels, scales = quantised(pooled(weights, block) if block > 1 else weights)
    return AllHeads(
        kind=kind,
        kinds=possible,
        reads=Reads(reads.sentence, pair, seen.target),
        queries=queries,
        keys=keys,
        levels=levels,
        scales=scales,
        block=block,
        statistics=_statistics(weights, queries, kind),
        sinks=weights.mean(axis=2).argmax(axis=-1),
        cut=seen.cut,
        provenance=seen.provenance,
        snippet=snippet_attention.all_heads(seen, kind),
    )


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
    records = [_every_layer(asked), Record("mask", tuple(layers), attention=kind)]
    seen = _trace(model, reads, records, check)
    each = [seen.attention(kind, layer).head("weights", head) for layer, head in heads]
    mean = each[0] if len(each) == 1 else np.stack(each).mean(axis=0, dtype=np.float64)
    queries, keys = (units(model, side, _texts(seen, side), merge) for side in _axes(seen, kind))
    rows = [unit for unit in queries if _kept(unit, hide_special, between, 0)]
    columns = [unit for unit in keys if _kept(unit, hide_special, between, 1)]
    weights = merged(mean, [u.tokens for u in rows], [u.tokens for u in columns])
    mask = _mask(seen, kind, layers[0])
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
    records = [_every_layer((head,))]
    records += [Record(what, (layer,), (head,), kind) for what in wanted if what != "weights"]
    seen = _trace(model, reads, records, check)
    if any(missing.what == "query" for missing in seen.missing):
        raise CannotTrace(model.name, "query", "own attention")
    found = {what: seen.attention(kind, layer).head(what, head) for what in wanted[:-1]}
    asks, keys = found["query"][query], found["key"]
    products, scores = keys @ asks, found["scores"][query]
    _, side = _axes(seen, kind)
    return QueryStages(
        kind=kind,
        layer=layer,
        head=head,
        query=query,
        keys=units(model, side, _texts(seen, side), merge=False),
        query_vector=asks,
        key_vectors=keys,
        products=products,
        scale=_scale(products, scores, len(asks)),
        scores=scores,
        mask=_mask(seen, kind, layer)[query],
        weights=found["weights"][query],
        value_norms=np.linalg.norm(found["value"], axis=-1),
        context=found["context"][query],
        provenance=seen.provenance,
        snippet=snippet_attention.query_stages(seen, parts.calls(model, kind)[layer], head, query),
    )


def at_blank(model: Model, sentence: Sentence, layer: int, blank: int, check: Check) -> AtBlank:
    """See `models.attention`."""
    edges = parts.edge_effects(model, sentence, layer, blank, check=check)
    question = ask(model, sentence, blank)
    kind = prepare(model.network, NAME).stacks[-1]
    row = parts.weights_of(model, question, layer, kind)[:, question.position]
    weights = row[:, : edges.values.shape[1]].astype(float)
    name = "decoder_input_ids" if "decoder_input_ids" in question.tensors else "input_ids"
    ids = tuple(question.tensors[name][0].tolist())[: weights.shape[1]]
    source = Source.of(model, sentence.text, question.tensors)
    call = parts.calls(model, kind)[layer]
    return AtBlank(
        layer=layer,
        keys=model.reader.spell(ids),
        weights=weights,
        effects=edges.values,
        agreement=measures.agreement(weights, edges.values),
        provenance=edges.provenance,
        snippet=snippets.agreement(
            source, question.position, edges.answer or 0, call, *weights.shape
        ),
    )


def with_masks(sentence: Sentence) -> Sentence:
    """Hidden words as typed masks: so they are written in one text of a pair."""
    text = sentence.text
    for start, end in sorted(sentence.hidden, reverse=True):
        text = f"{text[:start]}{BLANK}{text[end:]}"
    return Sentence(text)


def units(
    model: Model, tokens: Sequence[Token], texts: Sequence[str], merge: bool
) -> tuple[Unit, ...]:
    """Rows or columns of a map: each token, or each word with all of its pieces."""
    words = {word[0]: word for word in words_of(tokens)} if merge else {}
    inner = {i for word in words.values() for i in word[1:]}
    special = set(model.tokenizer.all_special_ids) - {model.reader.blank_id}
    return tuple(
        _unit(tokens, words.get(i, (i,)), texts, special)
        for i in range(len(tokens))
        if i not in inner
    )


def _unit(
    tokens: Sequence[Token], members: tuple[int, ...], texts: Sequence[str], special: set[int]
) -> Unit:
    first, last = tokens[members[0]], tokens[members[-1]]
    text = first.text
    if len(members) > 1 and first.sequence is not None:
        text = texts[first.sequence][first.start : last.end]
    added = first.kind == "special" and first.id in special
    return Unit(text, members, added, first.sequence, first.kind == "continuation")


def _kept(unit: Unit, hide_special: bool, between: tuple[int, int] | None, side: int) -> bool:
    if unit.special and hide_special:
        return False
    return between is None or unit.sequence == between[side]


def _trace(model: Model, reads: Reads, records: Sequence[Record], check: Check) -> Trace:
    return trace(model, reads.sentence, records, pair=reads.pair, target=reads.target, check=check)


def _every_layer(heads: tuple[int, ...]) -> Record:
    """Weights of every layer and kind, so that each computes as when all heads are recorded.

    A layer of which nothing is asked runs torch's fused kernel, whose last digit can differ.
    """
    return Record("weights", heads=heads)


def _recorded(seen: Trace, kind: AttentionKind) -> Float[np.ndarray, "layer head query key"]:
    stack = seen.encoder if kind == "encoder" else seen.decoder
    if stack is None:
        raise KeyError(kind)
    return stack.weights(cross=kind == "cross")


def _axes(seen: Trace, kind: AttentionKind) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """The tokens that ask, and those that are looked at."""
    encoder = seen.encoder.tokens if seen.encoder else ()
    decoder = seen.decoder.tokens if seen.decoder else ()
    return {"encoder": (encoder, encoder), "decoder": (decoder, decoder)}.get(
        kind, (decoder, encoder)
    )


def _texts(seen: Trace, side: Sequence[Token]) -> tuple[str, ...]:
    """The texts that a side's tokens are slices of."""
    if seen.encoder is not None and seen.decoder is not None and side is seen.decoder.tokens:
        return (seen.target or "",)
    return (seen.text, seen.pair or "")


def _mask(seen: Trace, kind: AttentionKind, layer: int) -> np.ndarray:
    """True where the query may look; by the rule where the family does not let its mask out."""
    found = seen.attention(kind, layer).mask
    if found is not None:
        return found
    queries, keys = _axes(seen, kind)
    every = np.ones((len(queries), len(keys)), dtype=bool)
    return np.tril(every) if kind == "decoder" else every


def _statistics(
    weights: Float[np.ndarray, "layer head query key"],
    tokens: Sequence[Token],
    kind: AttentionKind,
) -> dict[str, Float[np.ndarray, "layer head"]]:
    """By name; in cross attention the axes are different texts, so that most mean nothing."""
    exact = weights.astype(float)
    if kind == "cross":
        nothing = dict.fromkeys(measures.STATISTICS, np.full(weights.shape[:2], np.nan))
        return nothing | {
            "entropy": np.asarray(measures.entropy_bits(exact).mean(-1)),
            "sink": np.asarray(exact.mean(axis=2).max(axis=-1)),
        }
    ids = np.array([token.id for token in tokens])
    layers = [measures.head_statistics(layer, ids) for layer in exact]
    return {name: np.stack([layer[name] for layer in layers]) for name in measures.STATISTICS}


def _scale(
    products: Float[np.ndarray, " key"], scores: Float[np.ndarray, " key"], width: int
) -> float | None:
    """The factor between products and scores, if a factor is all that lies between them."""
    for factor in (width**-0.5, 1.0):
        if np.allclose(products * factor, scores, rtol=1e-4, atol=1e-4 * abs(scores).max()):
            return float(factor)
    return None
