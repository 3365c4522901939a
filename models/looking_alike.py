"""Is there such a head elsewhere? One head beside another's, words aligned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from models import maps, measures, snippet_attention
from models.alike import Counterpart, Likeness
from models.answering import Check
from models.heads import HeadAt, Reads, Unit
from models.interventions import AttentionKind
from models.measures.alignment import Pair, align
from models.measures.weights import merged
from models.traces import Record, Trace

if TYPE_CHECKING:
    from models.loading import Model


@dataclass(frozen=True)
class Side:
    """All heads of a model on a text, word by word."""

    kind: AttentionKind
    queries: tuple[Unit, ...]
    keys: tuple[Unit, ...]
    weights: Float[np.ndarray, "layer head query key"]
    seen: Trace


def likeness(
    model: Model,
    reads: Reads,
    kind: AttentionKind,
    at: HeadAt,
    other: Model,
    other_reads: Reads,
    match: bool,
    check: Check,
) -> Likeness | None:
    """See `models.attention`."""
    first = _side(model, reads, kind, check)
    second = _side(other, other_reads, other_kind(other, kind), check)
    rows = aligned(first.queries, second.queries)
    columns = aligned(first.keys, second.keys)
    here = _common(first, rows, columns, 0), _common(second, rows, columns, 1)
    if not here[0].size:
        return None
    distances = _distances(here[0][at], here[1])
    found: HeadAt = at
    if match or not _there(at, distances):
        found = _closest(distances)
    heads = (at, found)
    return Likeness(
        kinds=(first.kind, second.kind),
        heads=heads,
        queries=_counterparts(first.queries, second.queries, rows),
        keys=_counterparts(first.keys, second.keys, columns),
        first=_spread(first.weights[at], rows, columns, 0),
        second=_spread(second.weights[found], rows, columns, 1),
        distances=distances,
        elsewhere=(_elsewhere(here[0][at]), _elsewhere(here[1][found])),
        about=(model.provenance, other.provenance),
        snippet=snippet_attention.likeness(
            (first.seen, first.kind, *_members(first, rows, columns, 0)),
            (second.seen, second.kind, *_members(second, rows, columns, 1)),
            heads,
        ),
    )


def other_kind(other: Model, kind: AttentionKind) -> AttentionKind:
    """The same kind of attention; a text's attention to itself, whoever reads it.

    Raises:
        CannotTrace: The model has no attention.
        ValueError: It has no cross attention, and that was asked for.
    """
    possible = maps.kinds(other)
    if kind in possible or kind == "cross":
        return maps.checked(other, kind)
    return maps.checked(other, None)


def aligned(first: Sequence[Unit], second: Sequence[Unit]) -> tuple[Pair, ...]:
    """Which words stand side by side; a special token never beside a word."""
    found: list[Pair] = []
    for a, b in align([_name(unit) for unit in first], [_name(unit) for unit in second]):
        if a is not None and b is not None and first[a].special != second[b].special:
            found += [(a, None), (None, b)]
        else:
            found.append((a, b))
    return tuple(found)


def _name(unit: Unit) -> tuple[str, bool]:
    return unit.text.casefold(), unit.special


def _side(model: Model, reads: Reads, kind: AttentionKind, check: Check) -> Side:
    seen = maps.traced(model, reads, [Record("weights")], check)
    queries, keys = maps.both_units(model, seen, kind, merge=True)
    weights = merged(
        maps.recorded(seen, kind).astype(float),
        [u.tokens for u in queries],
        [u.tokens for u in keys],
    )
    return Side(kind, queries, keys, weights, seen)


def _both(pairs: Sequence[Pair], side: int) -> list[int]:
    """The indices, on one side, of words that have a counterpart."""
    return [int(pair[side]) for pair in pairs if None not in pair]  # type: ignore[arg-type]


def _common(
    side: Side, rows: Sequence[Pair], columns: Sequence[Pair], which: int
) -> Float[np.ndarray, "layer head query key"]:
    """The weights between words that both sides have."""
    return side.weights[..., _both(rows, which), :][..., _both(columns, which)]


def _distances(
    one: Float[np.ndarray, "query key"], every: Float[np.ndarray, "layer head query key"]
) -> Float[np.ndarray, "layer head"]:
    """From one head to each: layer by layer, so that long texts need no more memory than one."""
    p = _whole(one)
    layers = [measures.jensen_shannon_bits(p, _whole(layer)).mean(axis=-1) for layer in every]
    return np.stack(layers)


def _whole(weights: Float[np.ndarray, "*heads query key"]) -> Float[np.ndarray, "*heads query bin"]:
    """Rows made distributions again by one more share: what goes to words without counterpart."""
    rest = np.clip(1 - weights.sum(axis=-1, keepdims=True), 0, None)
    return np.concatenate([weights, rest], axis=-1)


def _elsewhere(weights: Float[np.ndarray, "query key"]) -> float:
    return float(_whole(weights)[..., -1].mean())


def _there(at: HeadAt, distances: Float[np.ndarray, "layer head"]) -> bool:
    return at[0] < distances.shape[0] and at[1] < distances.shape[1]


def _closest(distances: Float[np.ndarray, "layer head"]) -> HeadAt:
    layer, head = np.unravel_index(int(distances.argmin()), distances.shape)
    return int(layer), int(head)


def _spread(
    weights: Float[np.ndarray, "query key"],
    rows: Sequence[Pair],
    columns: Sequence[Pair],
    which: int,
) -> Float[np.ndarray, "row column"]:
    """The weights at the places of the alignment; NaN where this side has no word."""
    found = np.full((len(rows), len(columns)), np.nan, np.float32)
    mine = [
        [i for i, pair in enumerate(pairs) if pair[which] is not None] for pairs in (rows, columns)
    ]
    found[np.ix_(*mine)] = weights
    return found


def _counterparts(
    first: Sequence[Unit], second: Sequence[Unit], pairs: Sequence[Pair]
) -> tuple[Counterpart, ...]:
    return tuple(
        _counterpart(None if a is None else first[a], None if b is None else second[b])
        for a, b in pairs
    )


def _counterpart(one: Unit | None, other: Unit | None) -> Counterpart:
    special = any(unit is not None and unit.special for unit in (one, other))
    return Counterpart(
        None if one is None else one.text, None if other is None else other.text, special
    )


def _members(
    side: Side, rows: Sequence[Pair], columns: Sequence[Pair], which: int
) -> tuple[list[list[int]], list[list[int]]]:
    """The tokens of the words that both sides have."""
    queries = [list(side.queries[i].tokens) for i in _both(rows, which)]
    return queries, [list(side.keys[i].tokens) for i in _both(columns, which)]
