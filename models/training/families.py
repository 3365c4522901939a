"""How good are the models of a matched family? Each at its own task, and all at the same blanks.

*Own task*: held-out passages; BERT is asked for 15 % of the tokens, all shown as [MASK], GPT for
every next token, ELMo for every token from either side, the encoder-decoder for hidden words. The
numbers of targets differ, as they do in training, so the table shows them.

*One blank*: one word hidden in each of the same passages, answered by each model in its way
(`models.one_blank`); ELMo's two answers also combined.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor
from transformers import BertForMaskedLM, PreTrainedModel, PreTrainedTokenizerFast

from models.loading import Model
from models.one_blank import one_blank, ranks
from models.results import Sentence, Way
from models.training.corpora import Document
from models.training.evaluation import (
    MASK_RATE,
    Interval,
    Outcome,
    Scores,
    initial_pieces,
    outcome,
    summarize,
)
from models.training.objectives import Special, bert_readout, choose
from models.training.readouts import Readout
from models.training.split import passages
from models.training.starts import POSITIONS
from models.training.tasks import TASKS
from models.training.texts import special_ids

PASSAGES = 300  # of each source
BLANKS = 150  # of each source
DIRECTIONS = {"masked": ("masked",), "causal": ("forward",), "two-way": ("forward", "backward"),
              "denoising": ("hidden words",)}  # fmt: skip
WAYS: tuple[Way, ...] = ("forward", "backward")


@dataclass(frozen=True)
class Passage:
    """A held-out passage, spelled."""

    source: str
    text: str
    ids: Tensor  # (position,), framed


@dataclass(frozen=True)
class FamilyFigures:
    """All that is measured of one model of a family.

    tasks: scores at its own task, by direction.
    blanks: (top-1, top-5) of the one-blank test; for ELMo also of each direction alone.
    items: how many sentences that test has.
    """

    name: str
    parameters: int
    without_words: int
    milliseconds: float
    tasks: dict[str, Scores]
    blanks: dict[str, tuple[Interval, Interval]]
    items: int


def measure(
    model: Model, objective: str, documents: Sequence[Document], tokenizer: PreTrainedTokenizerFast
) -> FamilyFigures:
    """Run both tests on a loaded model.

    Args:
        model: from `models.loading.open_model`.
        objective: what it was trained to do.
        documents: held-out text.
        tokenizer: of the family, framing texts as in training.
    """
    held_out = held_out_passages(documents, tokenizer)
    blanks = blanks_in(held_out, tokenizer)
    network = model.network
    words = network.get_input_embeddings().weight.numel()  # type: ignore[operator]
    size = sum(p.numel() for p in network.parameters())
    return FamilyFigures(
        name=model.name,
        parameters=size,
        without_words=size - int(words),
        milliseconds=milliseconds(network, torch.arange(10, 26)[None]),
        tasks=own_task(network, tokenizer, objective, held_out),
        blanks=same_blanks(model, blanks),
        items=len(blanks),
    )


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


def blanks_in(
    held_out: Sequence[Passage], tokenizer: PreTrainedTokenizerFast, count: int = BLANKS
) -> list[Sentence]:
    """One hidden word in the first passages of each source: alphabetic, and of a single piece."""
    rng = np.random.default_rng(1)
    special = special_ids(tokenizer)
    taken: dict[str, int] = {}
    found = []
    for passage in held_out:
        if taken.get(passage.source, 0) < count:
            spans = _single_words(passage.text, tokenizer, special)
            if spans:
                taken[passage.source] = taken.get(passage.source, 0) + 1
                found.append(Sentence(passage.text, (spans[int(rng.integers(len(spans)))],)))
    return found


def _single_words(
    text: str, tokenizer: PreTrainedTokenizerFast, special: Special
) -> list[tuple[int, int]]:
    encoding = tokenizer.backend_tokenizer.encode(text, add_special_tokens=False)
    goes_on = [False] * len(encoding.ids)
    if special.continuing is not None:
        goes_on = special.continuing[torch.tensor(encoding.ids)].tolist()
    after = [*goes_on[1:], False]
    parts = zip(encoding.ids, encoding.offsets, goes_on, after, strict=True)
    return [
        span
        for i, span, inside, broken in parts
        if i not in special and not inside and not broken and text[slice(*span)].isalpha()
    ]


def same_blanks(model: Model, items: Sequence[Sentence]) -> dict[str, tuple[Interval, Interval]]:
    """Top-1 and top-5 of a model's answers, and of each direction where it has two."""
    answers = one_blank(model, items)
    ways: list[Way | None] = [None]
    if answers[0].views:
        ways += WAYS
    return {
        way or "answer": (share(ranks(answers, way) <= 1), share(ranks(answers, way) <= 5))
        for way in ways
    }


def share(hits: np.ndarray) -> Interval:
    """A share with its binomial standard error: every item is a passage of its own."""
    mean = float(hits.mean())
    return Interval(mean, float(np.sqrt(mean * (1 - mean) / len(hits))))


def asked(
    model: PreTrainedModel, objective: str, ids: Tensor, special: Special, seed: int
) -> list[Readout]:
    """The readouts of one passage; BERT reads [MASK] at every chosen position, never another word.

    Args:
        model: of the objective's class.
        objective: a name of `TASKS`.
        ids: (1, position).
        special: the tokenizer's special ids.
        seed: decides what is hidden.
    """
    generator = torch.Generator().manual_seed(seed)
    if not isinstance(model, BertForMaskedLM):
        return TASKS[objective](model, ids, special, MASK_RATE, generator)
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
            answers = readout.log_probabilities()
            one = outcome(passage.source, targets, answers, initial, special.unk)
            found[name].append(replace(one, characters=int(lengths[targets].sum())))
    return {name: summarize(outcomes) for name, outcomes in found.items() if outcomes}


@torch.inference_mode()
def milliseconds(model: PreTrainedModel, ids: Tensor, rounds: int = 21) -> float:
    """Median time of one forward pass over (1, position): what one core spends on it.

    What else the machine does meanwhile does not count.
    """
    inputs = {"input_ids": ids}
    if model.config.is_encoder_decoder:
        inputs["decoder_input_ids"] = ids
    times = []
    for _ in range(rounds):
        begun = time.process_time()
        model(**inputs)
        times.append(time.process_time() - begun)
    return 1_000 * float(np.median(times))
