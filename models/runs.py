"""Many runs of one model side by side, for measures that need more than one trace.

Rows of a batch are either different texts of one length, or one text under different interventions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor
from transformers import PreTrainedModel

from models.interventions import (
    CutEdges,
    Intervention,
    NoFeedForward,
    ReplaceHead,
    SilenceHeads,
)
from models.recording import Request, Rows, serving
from models.tracing import NAME, without_cache
from models.wiring import prepare

BATCH_TOKENS = 2_048
"""Tokens per forward pass, so that memory is bounded and a cancelled request stops soon."""

BY_ROW = CutEdges | NoFeedForward | ReplaceHead | SilenceHeads
"""Interventions that can be for some rows of a batch alone."""

Tensors = dict[str, Tensor]
"""Arguments of a network's forward, (row, position)."""


def answers(
    network: PreTrainedModel,
    tensors: Tensors,
    positions: Sequence[int],
    edits: Sequence[Sequence[BY_ROW]] | None = None,
    check: Callable[[], None] | None = None,
) -> Tensor:
    """Log-probabilities of every word at some positions, for each run.

    Args:
        network: Any network; tracing prepares it.
        tensors: One row per run; or a single row, run once for each of `edits`.
        positions: Where the answers are wanted, the same in every run.
        edits: The interventions of each run.
        check: Called at every layer; raise from it to give up.

    Returns:
        (run, position, vocabulary), float64, in nats.
    """
    wiring = prepare(network, NAME)
    if edits is not None:
        tensors = {name: tensor.expand(len(edits), -1) for name, tensor in tensors.items()}
    found = []
    for rows, some in batches(tensors):
        changes = [] if edits is None else edits[rows]
        by_row: list[tuple[Rows, Intervention]] = [
            ([row], edit) for row, several in enumerate(changes) for edit in several
        ]
        asked = torch.tensor(list(positions))
        request = Request(wiring.kinds, (), tuple(by_row), check, positions=asked)
        if len(positions) == 1 and not any(isinstance(edit, NoFeedForward) for _, edit in by_row):
            request.last_block = wiring.stacks[-1], wiring.depth[wiring.stacks[-1]] - 1
        with torch.inference_mode(), serving(request):
            logits: Tensor = network(**some, **without_cache(wiring)).logits
        found.append(logits.double().log_softmax(-1))
    return torch.cat(found)


def states(
    network: PreTrainedModel,
    original: Tensors,
    changed: Tensors,
    stack: str = "",
    check: Callable[[], None] | None = None,
) -> tuple[Tensor, Tensor]:
    """Top-layer states of a text and of changed versions of it, (position, dim) and (row, ...).

    Every batch contains the original, and the versions in it are compared with that run of it: the
    same numbers then go through the same arithmetic, and what cannot change does not, to the bit.
    Returned are the original's states and, for each version, those plus the difference.

    Args:
        network: Any network; tracing prepares it.
        original: One row.
        changed: One row per version.
        stack: ``encoder`` or ``decoder``, where there are two.
        check: Called at every layer; raise from it to give up.
    """
    wiring = prepare(network, NAME)
    first: Tensor | None = None
    found = []
    for _, some in batches(changed, reserve=1):
        batch = {name: torch.cat([original[name], rows]) for name, rows in some.items()}
        with torch.inference_mode(), serving(Request(wiring.kinds, check=check)):
            output = network(**batch, output_hidden_states=True)
        same, *others = output[f"{stack}_hidden_states" if stack else "hidden_states"][-1]
        first = same if first is None else first
        found.append(first + (torch.stack(others) - same))
    if first is None:
        raise ValueError("no version to compare with")
    return first, torch.cat(found)


def batches(tensors: Tensors, reserve: int = 0) -> Iterator[tuple[slice, Tensors]]:
    """Some rows at a time, leaving room for `reserve` more."""
    length = sum(tensor.shape[1] for tensor in tensors.values())
    rows = len(next(iter(tensors.values())))
    step = max(1, BATCH_TOKENS // length - reserve)
    for start in range(0, rows, step):
        some = slice(start, min(rows, start + step))
        yield some, {name: tensor[some] for name, tensor in tensors.items()}
