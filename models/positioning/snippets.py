"""Programs that print the same numbers with public packages only; see `models.snippets`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from models.positioning import snippet_bodies as bodies
from models.snippets import auto_class, literal, location

if TYPE_CHECKING:
    from models.loading import Model
    from models.positioning.table import Places


def _loading(model: Model, **parameters: object) -> str:
    """What every program begins with: the model and its parameters."""
    lines = "".join(f"{name} = {literal(value)}\n" for name, value in parameters.items())
    return bodies.LOADING.format(
        auto=auto_class(model.network),
        folder=location(model.name),
        dtype=model.provenance.dtype,
        parameters=lines,
    )


def table(model: Model, at: Places) -> str:
    """Leaves the position vectors in `table`."""
    return _loading(model) + bodies.TABLE.format(table=at.table)


def formula(length: int, width: int, base: float) -> str:
    """The same of sinusoids."""
    return bodies.FORMULA.format(length=length, width=width, base=base)


def views(first: str, length: int) -> str:
    """Prints what the page draws of a table: cosines by distance, power by frequency, the path."""
    return f"{first}\ntable = table[:{length}]\n" + bodies.VIEWS


def offsets(model: Model, at: Places, count: int, reach: int, heads: int) -> str:
    """Prints the pattern without projections, then one curve for each head."""
    return (
        _loading(model, count=count, reach=reach, heads=heads)
        + bodies.TABLE.format(table=at.table)
        + bodies.OFFSETS.format(query=at.query, key=at.key, norm=at.norm)
    )


def added(model: Model, at: Places, ids: Sequence[int]) -> str:
    """Prints the largest difference of both forms; then the words' share by direction."""
    return (
        _loading(model, ids=list(ids))
        + bodies.TABLE.format(table=at.table)
        + bodies.ADDED.format(query=at.query)
    )


def order(
    model: Model, rows: Sequence[Sequence[int]], places: Sequence[Sequence[int]],
    blank: int | None, taken_away: bool,
) -> str:  # fmt: skip
    """Prints the largest change of a state, then the divergence of each shuffle in bits."""
    at = "bert.embeddings.position_embeddings"
    header = _loading(model, rows=rows, places=places, blank=blank)
    middle = bodies.TAKEN_AWAY.format(table=at) if taken_away else ""
    return header + middle + (bodies.CAUSAL if model.objective == "causal" else bodies.ORDER)


RELATIVE = bodies.RELATIVE
"""Prints the curves of sinusoids, rotary positions, ALiBi and T5's buckets."""
