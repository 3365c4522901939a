"""What each model is asked to do while it learns: small functions from a batch to a loss."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F
from transformers import BertForMaskedLM


@dataclass(frozen=True)
class Special:
    """Ids that are never hidden and never drawn as random replacements."""

    pad: int
    unk: int
    cls: int
    sep: int
    mask: int

    def __contains__(self, token_id: int) -> bool:
        return token_id in (self.pad, self.unk, self.cls, self.sep, self.mask)


def choose(ids: Tensor, special: Special, rate: float, generator: torch.Generator) -> Tensor:
    """Choose the positions to predict: ``rate`` of the ordinary tokens, at least one per row.

    Shapes: ids (batch, position) -> bool (batch, position).
    Why at least one: most training sentences are short, and 15 % of six tokens is often none.
    """
    ordinary = torch.ones_like(ids, dtype=torch.bool)
    for token in (special.pad, special.unk, special.cls, special.sep, special.mask):
        ordinary &= ids != token
    noise = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    rows = torch.arange(len(ids))
    chosen = noise < rate
    chosen[rows, noise.argmin(dim=1)] = True
    return chosen & ordinary


def corrupt(
    ids: Tensor, chosen: Tensor, special: Special, vocabulary_size: int, generator: torch.Generator
) -> Tensor:
    """Hide the chosen tokens as BERT does (Devlin et al. 2018, §3.1).

    Of the chosen positions 80 % become [MASK], 10 % a random token, 10 % stay as they are, so
    that the model cannot trust what it reads there either.
    """
    fate = torch.rand(ids.shape, generator=generator)
    random = torch.randint(5, vocabulary_size, ids.shape, generator=generator)
    hidden = torch.where(chosen & (fate < 0.8), torch.full_like(ids, special.mask), ids)
    return torch.where(chosen & (fate >= 0.8) & (fate < 0.9), random, hidden)


def masked_lm(
    model: BertForMaskedLM, ids: Tensor, special: Special, rate: float, generator: torch.Generator
) -> Tensor:
    """Mean negative log likelihood, in nats, of the chosen tokens given the corrupted rest.

    Logits are computed at the chosen positions only: the vocabulary is the widest matrix of
    the model, and 85 % of its rows would be thrown away.
    """
    chosen = choose(ids, special, rate, generator)
    corrupted = corrupt(ids, chosen, special, model.config.vocab_size, generator)
    attention_mask = (ids != special.pad).long()
    hidden = model.bert(input_ids=corrupted, attention_mask=attention_mask).last_hidden_state
    logits = model.cls(hidden[chosen])
    return F.cross_entropy(logits.float(), ids[chosen])
