"""How good are the models of a matched family? Each at its own task, and all at the same blanks.

*Own task*: held-out passages; BERT is asked for 15 % of the tokens, all shown as [MASK], GPT for
every next token, ELMo for every token from either side, the encoder-decoder for hidden words. The
numbers of targets differ, as they do in training, so the table shows them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor
from transformers import BertForMaskedLM, PreTrainedModel, PreTrainedTokenizerFast

from models.training.corpora import Document
from models.training.evaluation import (
    MASK_RATE,
    Outcome,
    Scores,
    initial_pieces,
    outcome,
    summarize,
)
from models.training.objectives import OBJECTIVES, Special, bert_readout, choose
from models.training.readouts import Readout
from models.training.split import passages
from models.training.starts import POSITIONS
from models.training.texts import special_ids

PASSAGES = 300  # of each source
DIRECTIONS = {"masked": ("masked",), "causal": ("forward",), "two-way": ("forward", "backward"),
              "denoising": ("hidden words",)}  # fmt: skip


@dataclass(frozen=True)
class Passage:
    """A held-out passage, spelled."""

    source: str
    text: str
    ids: Tensor  # (position,), framed


def held_out_passages(
    documents: Sequence[Document], tokenizer: PreTrainedTokenizerFast, count: int = PASSAGES
) -> list[Passage]:
    """So many passages of each source, drawn by seed; a poem is a passage."""
    rng = np.random.default_rng(0)
    found = []
    for source in dict.fromkeys(d.source for d in documents):
        whole = [s for d in documents for s in d.sentences] if source == "verse" else None
        texts = whole or passages(documents, source)
        for i in rng.permutation(len(texts))[:count]:
            ids = tokenizer(texts[i], truncation=True, max_length=POSITIONS)["input_ids"]
            found.append(Passage(source, texts[i], torch.tensor(ids)))
    return found


def asked(
    model: PreTrainedModel, objective: str, ids: Tensor, special: Special, seed: int
) -> list[Readout]:
    """The readouts of one passage; BERT reads [MASK] at every chosen position, never another word.

    Args:
        model: of the objective's class.
        objective: a name of `OBJECTIVES`.
        ids: (1, position).
        special: the tokenizer's special ids.
        seed: decides what is hidden.
    """
    generator = torch.Generator().manual_seed(seed)
    if not isinstance(model, BertForMaskedLM):
        return OBJECTIVES[objective](model, ids, special, MASK_RATE, generator)
    chosen = choose(ids, special, MASK_RATE, generator)
    hidden = model.bert(input_ids=ids.masked_fill(chosen, special.mask)).last_hidden_state
    return [bert_readout(model, hidden[chosen], ids[chosen])]


@torch.inference_mode()
def own_task(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerFast,
    objective: str,
    held_out: Sequence[Passage],
) -> dict[str, Scores]:
    """Scores by direction."""
    special, initial = special_ids(tokenizer), initial_pieces(tokenizer)
    pieces = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    lengths = torch.tensor([0 if i in special else len(p.removeprefix("##"))
                            for i, p in enumerate(pieces)])  # fmt: skip
    found: dict[str, list[Outcome]] = {name: [] for name in DIRECTIONS[objective]}
    for seed, passage in enumerate(held_out):
        readouts = asked(model, objective, passage.ids[None], special, seed)
        for name, readout in zip(DIRECTIONS[objective], readouts, strict=False):
            targets = readout.counted
            one = outcome(
                passage.source, targets, readout.log_probabilities(), initial, special.unk
            )
            found[name].append(replace(one, characters=int(lengths[targets].sum())))
    return {name: summarize(outcomes) for name, outcomes in found.items() if outcomes}


@torch.inference_mode()
def milliseconds(model: PreTrainedModel, ids: Tensor, rounds: int = 21) -> float:
    """Median time of one forward pass over (1, position) on one thread."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    inputs = {"input_ids": ids}
    if model.config.is_encoder_decoder:
        inputs["decoder_input_ids"] = ids
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        model(**inputs)
        times.append(time.perf_counter() - begun)
    torch.set_num_threads(threads)
    return 1_000 * float(np.median(times))
