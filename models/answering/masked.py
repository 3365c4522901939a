"""BERT: every hidden word becomes one mask, and the model says what stood there.

All blanks are hidden at once and answered from one forward pass (Devlin et al. 2018), each by
itself: the answers know the visible words, not one another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor
from transformers import BertForMaskedLM, PreTrainedModel

from models.answering.posed import Answered, Check, Posed, several_pieces
from models.gaps import Gapped
from models.runs import Tensors
from models.runs import answers as run

if TYPE_CHECKING:
    from models.loading import Model

SCORING_TOKENS = 4_096
"""Tokens spent per sentence on originals of several pieces; later ones stay without a score."""

BATCH_TOKENS = 1_024
"""Tokens per forward pass while scoring, so that a cancelled request stops soon."""

VIEWS: Sequence[str] = ()


def pose(model: Model, text: Gapped, blank: int, view: str | None, check: Check) -> Posed:
    """The whole text, a mask in every blank."""
    layout = text.whole(dict.fromkeys(range(len(text.hidden)), (model.mask_id,)))
    return Posed({"input_ids": layout}, layout.blanks[blank])


def log_p(
    model: Model, tensors: Tensors, position: int, check: Check
) -> Float[Tensor, "row vocabulary"]:
    """The answer at a mask."""
    return run(model.network, tensors, [position], check=check)[:, 0]


def answers(model: Model, text: Gapped, check: Check) -> Iterator[Answered]:
    """Every blank's answer, and the score of its original where that has several pieces."""
    if not text.hidden:
        return
    if check is not None:
        check()
    layout = text.whole(dict.fromkeys(range(len(text.hidden)), (model.mask_id,)))
    ids, places = list(layout.ids), list(layout.blanks.values())
    rows = torch.zeros(len(places), dtype=torch.long)
    logits = logits_at(model.network, torch.tensor([ids]), rows, torch.tensor(places))
    room = SCORING_TOKENS
    for blank, (place, scores) in enumerate(zip(places, logits, strict=True)):
        if check is not None:
            check()
        score = None
        pieces = several_pieces(model, text, blank)
        cost = len(pieces) * (len(ids) + len(pieces))
        if pieces and cost <= room:
            room -= cost
            score = score_pieces(model, ids, place, pieces, check)
        yield Answered(scores.double().log_softmax(-1).numpy(), score)


@torch.inference_mode()
def logits_at(
    network: PreTrainedModel, ids: Tensor, rows: Tensor, columns: Tensor
) -> Float[Tensor, "n vocabulary"]:
    """Logits at chosen positions only: the output layer costs more than the rest on a short text.

    Args:
        network: A masked language model in evaluation mode.
        ids: Token ids, (batch, position); no padding.
        rows: Which text of the batch, (n,).
        columns: Which position in it, (n,).

    Returns:
        (n, vocabulary), float32.
    """
    logits: Tensor
    if isinstance(network, BertForMaskedLM):
        hidden_states = network.bert(input_ids=ids).last_hidden_state  # (batch, position, width)
        logits = network.cls(hidden_states[rows, columns])
    else:
        logits = network(input_ids=ids).logits[rows, columns]
    return logits


def score_pieces(
    model: Model, ids: list[int], place: int, pieces: tuple[int, ...], check: Check = None
) -> float:
    """Log-probability of a word of several pieces at one mask, by the chain rule from the left.

    The mask is widened to as many masks as the word has pieces; each piece is read off with those
    before it filled in and those after it still hidden (Kauf & Ivanova 2023, within the word).

    Args:
        model: Any masked language model.
        ids: The token ids with masks.
        place: Where the word's mask stands in them.
        pieces: The word's token ids.
        check: Called before every forward pass.
    """
    n = len(pieces)
    wide = ids[:place] + [model.mask_id] * n + ids[place + 1 :]
    batch = torch.tensor([wide] * n)
    for row in range(n):  # row i asks for piece i
        batch[row, place : place + row] = torch.tensor(pieces[:row], dtype=torch.long)
    step = max(1, BATCH_TOKENS // len(wide))
    total = 0.0
    for start in range(0, n, step):
        if check is not None:
            check()
        part = batch[start : start + step]
        rows = torch.arange(len(part))
        logits = logits_at(model.network, part, rows, place + start + rows)
        scores = torch.log_softmax(logits.double(), dim=-1)
        total += float(scores[rows, torch.tensor(pieces[start : start + step])].sum())
    return total
