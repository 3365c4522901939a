"""One of ELMo's two language models, or an LSTM alone: a run in one direction.

The backward model is a forward model that reads the words in reverse order (Peters et al. 2018).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

from models.answering.posed import Check
from models.elmo import ElmoForPreTraining
from models.results import Way

BATCH_TOKENS = 4_096
"""Tokens per run, so that memory is bounded and a cancelled request stops soon."""


@torch.inference_mode()
def one_way(
    network: ElmoForPreTraining,
    ids: Int[Tensor, "row position"],
    way: Way,
    positions: Sequence[int],
    check: Check = None,
) -> Float[Tensor, "row asked vocabulary"]:
    """What comes after some positions (forward), or before them (backward).

    Args:
        network: With a backward model, if that is asked.
        ids: No padding. The forward model has read them up to a position, and the position itself,
            the backward model from it to the end.
        way: Which model.
        positions: Where its answers are wanted; negative ones count from the end.
        check: Called before each run.

    Returns:
        Natural logarithms, float64.

    Raises:
        ValueError: There is no backward model.
    """
    stack = network.elmo.left_to_right if way == "forward" else network.elmo.right_to_left
    if stack is None:
        raise ValueError("an LSTM that reads from the left only")
    found = []
    for rows in ids.split(max(1, BATCH_TOKENS // ids.shape[1])):
        if check is not None:
            check()
        read = rows if way == "forward" else rows.flip(1)
        states = stack(network.elmo.embeddings(read))[-1]  # (row, position, width)
        states = states if way == "forward" else states.flip(1)
        logits = network.softmax_logits(states[:, list(positions)])
        found.append(logits.double().log_softmax(-1))
    return torch.cat(found)
