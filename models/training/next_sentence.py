"""Pairs of passages, and the question whether the second goes on where the first ends.

Next-sentence prediction (Devlin et al. 2018, §3.1): half of the second passages are another row's.
Where they come from must not show: every second passage begins in the middle of its text.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor
from transformers import BertForPreTraining

from models.training.objectives import Special, bert_readout, choose, corrupt
from models.training.readouts import Readout

Ids = Int[Tensor, "row position"]


@dataclass(frozen=True)
class Pairs:
    """Rows of two passages.

    ids: [CLS] first [SEP] second [SEP].
    types: 0 at positions of the first passage, 1 at those of the second.
    goes_on: whether the second passage follows the first in its text.
    """

    ids: Int[Tensor, "row position"]
    types: Int[Tensor, "row position"]
    goes_on: Bool[Tensor, " row"]


def make_pairs(ids: Ids, special: Special, generator: torch.Generator) -> Pairs:
    """Cut each row of running text in two, and exchange the second parts of about half of them.

    Args:
        ids: at least two rows, framed; the last token before the end gives way to a [SEP].
        special: the tokenizer's special ids.
        generator: decides which rows exchange: each chosen one gets the next chosen one's part.
    """
    middle = ids.shape[1] // 2
    first, second = ids[:, :middle], ids[:, middle:-2]
    noise = torch.rand(len(ids), generator=generator, device=ids.device)
    chosen = (noise < 0.5).nonzero()[:, 0]
    origin = torch.arange(len(ids), device=ids.device)
    origin[chosen] = chosen.roll(1)  # a single one keeps its own
    end = torch.full((len(ids), 1), special.sep, device=ids.device)
    rows = torch.cat([first, end, second[origin], end], dim=1)
    types = (torch.arange(rows.shape[1], device=ids.device) > middle).long().expand_as(rows)
    return Pairs(rows, types, origin == torch.arange(len(ids), device=ids.device))


def of_pairs(
    model: BertForPreTraining, ids: Ids, special: Special, rate: float, generator: torch.Generator
) -> list[Readout]:
    """BERT on pairs, asked for hidden words alone."""
    return with_next_sentence(model, ids, special, rate, generator)[:1]


def with_next_sentence(
    model: BertForPreTraining, ids: Ids, special: Special, rate: float, generator: torch.Generator
) -> list[Readout]:
    """BERT as it was trained in 2018: hidden words, and whether the second passage follows."""
    pairs = make_pairs(ids, special, generator)
    chosen = choose(pairs.ids, special, rate, generator)
    corrupted = corrupt(pairs.ids, chosen, special, model.config.vocab_size, generator)
    output = model.bert(input_ids=corrupted, token_type_ids=pairs.types)
    words = bert_readout(model, output.last_hidden_state[chosen], pairs.ids[chosen])
    head = model.cls.seq_relationship
    # transformers' order: 0 means that it follows
    follows = (~pairs.goes_on).long()
    return [words, Readout(output.pooler_output, head.weight, head.bias, follows)]
