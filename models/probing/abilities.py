"""What can be recorded of a checkpoint and changed in it: tried, one by one, on the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from models.assembly import refuse
from models.errors import CannotTrace
from models.inputs import Inputs
from models.interventions import (
    AttentionKind,
    BypassHead,
    CutEdges,
    Dropout,
    Intervention,
    NoFeedForward,
    NoPositions,
    NoSkip,
    ReplaceActivation,
    ReplaceHead,
    SilenceHeads,
)
from models.probing.records import Ability
from models.traces import ATTENTION, QUANTITIES, Attention, Record, Stack, Trace
from models.tracing import traced

if TYPE_CHECKING:
    from models.loading import Model
    from models.wiring import Wiring

Check = Callable[[], None] | None


def possible(model: Model, wiring: Wiring) -> tuple[list[Record], dict[str, str]]:
    """What may be asked for, and why the rest may not."""
    asked, refused = [], {}
    for what in QUANTITIES:
        try:
            refuse(model.name, model.network, wiring, [Record(what)], [])
        except CannotTrace as error:
            refused[what] = error.reason
        else:
            asked.append(Record(what))
    return asked, refused


def recorded(seen: Trace, refused: dict[str, str]) -> tuple[Ability, ...]:
    """What came back of everything that was asked for."""
    reasons: dict[str, str] = {**refused, **{each.what: each.reason for each in seen.missing}}
    found = []
    for what in QUANTITIES:
        size = sum(each.size for each in _arrays(seen, what))
        reason = "" if size else reasons.get(what, "family")
        found.append(Ability(what, reason, float(size)))
    return tuple(found)


def _arrays(seen: Trace, what: str) -> Iterator[np.ndarray]:
    if what == "logits" and seen.logits is not None:
        yield seen.logits
    for stack in filter(None, (seen.encoder, seen.decoder)):
        if what in ATTENTION:
            for layer in (*stack.attention.values(), *stack.cross.values()):
                yield from _of_layer(layer, what)
        else:
            yield from _of_stream(stack, what)


def _of_layer(layer: Attention, what: str) -> Iterator[np.ndarray]:
    if what == "mask" and layer.mask is not None:
        yield layer.mask
    elif what in layer.arrays:
        yield layer.arrays[what]


def _of_stream(stack: Stack, what: str) -> Iterator[np.ndarray]:
    if what == "residual":
        yield from (each.parts for each in stack.residual.values())
    else:
        kept: Any = getattr(stack, what, {})
        yield from kept.values()


def changed(
    model: Model, wiring: Wiring, inputs: Inputs, whole: Trace, check: Check = None
) -> tuple[Ability, ...]:
    """Each intervention carried out once, and how far the largest output moved."""
    found = []
    for edit in _edits(whole):
        name = type(edit).__name__
        try:
            refuse(model.name, model.network, wiring, [], [edit])
            after = traced(model, inputs, _output(whole), [edit], check)
        except CannotTrace as error:
            found.append(Ability(name, error.reason))
        else:
            move = np.abs(output_of(after) - output_of(whole))
            found.append(Ability(name, "", float(np.nanmax(move, initial=0.0))))
    return tuple(found)


def _output(whole: Trace) -> Record:
    if whole.logits is not None:
        return Record("logits")
    return Record("hidden_states", layers=(whole.stack.depth,))


def output_of(seen: Trace) -> np.ndarray:
    """The logits; the top states of a model that has two kinds of them."""
    return seen.logits if seen.logits is not None else max(seen.stack.hidden_states.items())[1]


def _edits(whole: Trace) -> Iterator[Intervention]:
    """One of each kind, in the first layer where a layer must be named."""
    last = len(whole.stack.tokens) - 1
    yield SilenceHeads(0, (0,))
    yield CutEdges(0, ((last, 0),))
    # Its own output from the positions the other way round: as large as before, and elsewhere.
    first = whole.stack.attention.get(0)
    if first is not None and "context" in first.arrays:
        patch = first.head("context", 0)[::-1].copy()
        kind: AttentionKind = "encoder" if whole.decoder is None else "decoder"
        yield ReplaceHead(0, 0, patch, attention=kind)
    else:
        yield ReplaceHead(0, 0, np.zeros((last + 1, 1), dtype=np.float32))
    yield NoFeedForward()
    yield NoSkip()
    yield NoPositions()
    yield ReplaceActivation("identity")
    yield BypassHead()
    yield Dropout(seed=0, p=0.1)
