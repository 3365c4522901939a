"""The visibility matrices of one model, measured, beside what its mask allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_args

import numpy as np
import torch
from jaxtyping import Bool, Float

from models import snippets
from models.elmo import ElmoForPreTraining
from models.measures.visibility import SUBSTITUTES, attended, carried, moved
from models.measuring.words import LookedAt, with_replaced
from models.questions import Word
from models.recording import Request, serving
from models.runs import Tensors, batches
from models.seeing.replaced import SOURCE, TARGET, Side, Text, laid_out, substitutes
from models.sights import LeakCheck, Pane, PaneName, Sight
from models.snippets import Drawn, Source
from models.tracing import NAME
from models.wiring import prepare

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None
Matrix = Float[np.ndarray, "position unit"]

PADDING = 2


@dataclass(frozen=True)
class Watch:
    """Which states one pane is about."""

    pane: PaneName
    stack: str = ""
    """Where there are two: ``encoder`` or ``decoder``."""
    part: slice = field(default_factory=lambda: slice(None))
    """Of each state."""


def sight(
    model: Model,
    text: str,
    padding: int = PADDING,
    count: int = SUBSTITUTES,
    check: Check = None,
) -> Sight:
    """Replace every unit of a text, and see which positions notice; see `models.seen.sight`."""
    read, panes = laid_out(model, text, padding), []
    for name, watches in _watches(model).items():
        side = read.sides[name]
        words = side.words()
        drawn = substitutes(model, words, count)
        found = _measure(model, read.tensors, words, drawn, watches, check)
        for watch in watches:
            rows = read.sides[TARGET] if watch.stack == "decoder" else side
            values, allowed = found[watch.pane], _by_unit(side, _allowed(model, read, watch))
            source = Source.of(model, text, read.tensors)
            seen = LookedAt(watch.stack, name, watch.part)
            panes.append(
                Pane(
                    watch.pane,
                    rows.tokens,
                    side.units,
                    values,
                    allowed,
                    leak_check(values, allowed),
                    snippets.visibility(source, words, drawn, seen),
                )
            )
    padded = sum(unit.kind == "padding" for unit in read.sides[SOURCE].units)
    panes.sort(key=lambda pane: get_args(PaneName).index(pane.name))
    return Sight(tuple(panes), padded, count, read.cut, model.provenance)


def leak_check(values: Matrix, allowed: Bool[np.ndarray, "position unit"]) -> LeakCheck:
    """Whether anything arrives where nothing may."""
    outside, inside = values[~allowed], values[allowed]
    moving = inside[inside > 0]
    return LeakCheck(
        forbidden=int(outside.size),
        leaking=int((outside != 0).sum()),
        largest=float(outside.max(initial=0.0)),
        allowed=int(inside.size),
        moving=int(moving.size),
        smallest=float(moving.min()) if moving.size else 0.0,
        median=float(np.median(inside)) if inside.size else 0.0,
    )


def _watches(model: Model) -> dict[str, tuple[Watch, ...]]:
    """By what is changed, the states that are watched meanwhile."""
    if model.network.config.is_encoder_decoder:
        both = (Watch("encoder", "encoder"), Watch("cross", "decoder"))
        return {SOURCE: both, TARGET: (Watch("decoder", "decoder"),)}
    if model.objective == "two-way":
        width = int(model.network.config.hidden_size)
        halves = slice(0, width), slice(width, 2 * width)
        return {SOURCE: (Watch("forward", part=halves[0]), Watch("backward", part=halves[1]))}
    return {SOURCE: (Watch("whole"),)}


def _allowed(model: Model, text: Text, watch: Watch) -> Bool[np.ndarray, "position token"]:
    """The nominal mask of a pane, token by token."""
    real = text.sides[SOURCE].real
    if watch.pane == "cross":
        return np.tile(real, (len(text.sides[TARGET].real), 1))
    if watch.pane == "decoder":
        return attended(text.sides[TARGET].real, causal=True)
    if isinstance(model.network, ElmoForPreTraining):
        return carried(real, backward=watch.pane == "backward")
    return attended(real, causal=model.objective == "causal")


def _by_unit(
    side: Side, allowed: Bool[np.ndarray, "position token"]
) -> Bool[np.ndarray, "position unit"]:
    """A unit may be noticed where any of its tokens may."""
    columns = [allowed[:, list(unit.tokens)].any(axis=1) for unit in side.units]
    return np.stack(columns, axis=1)


def _measure(
    model: Model,
    tensors: Tensors,
    words: Sequence[Word],
    drawn: Drawn,
    watches: Sequence[Watch],
    check: Check,
) -> dict[PaneName, Matrix]:
    """Run all versions of the text, and compare each with the original in its own batch.

    The same numbers then go through the same arithmetic: what cannot change does not, to the bit.
    """
    wiring = prepare(model.network, NAME)
    changed = {name: rows[1:] for name, rows in with_replaced(tensors, words, drawn).items()}
    found: dict[PaneName, list[np.ndarray]] = {watch.pane: [] for watch in watches}
    for _, some in batches(changed, reserve=1):
        if check is not None:
            check()
        batch = {name: torch.cat([tensors[name], rows]) for name, rows in some.items()}
        with torch.inference_mode(), serving(Request(wiring.kinds, check=check)):
            # Without its head: nobody asks for answers, and a vocabulary is wide.
            output = model.network.base_model(**batch, output_hidden_states=True)
        for watch in watches:
            stack = f"{watch.stack}_hidden_states" if watch.stack else "hidden_states"
            states = output[stack][-1][..., watch.part].numpy()
            found[watch.pane].append(moved(states[0], states[1:]))
    return {pane: _mean(np.concatenate(rows), drawn) for pane, rows in found.items()}


def _mean(by_version: Float[np.ndarray, "version position"], drawn: Drawn) -> Matrix:
    """The mean over each word's substitutes; rare words can have fewer."""
    ends = np.cumsum([len(ids) for ids in drawn])[:-1]
    return np.stack([rows.mean(axis=0) for rows in np.split(by_version, ends)], axis=1)
