"""How good is a masked language model? Two tests, fixed before any model was trained.

*Held-out*: 400 passages of each of five sources that training never saw; 15 % of the positions,
drawn by seed, are all shown as [MASK]. *Everyday*: 150 sentences written by hand, one blank
each, with the answers a fair reader accepts. Intervals are bootstrapped over passages or items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F
from transformers import PreTrainedModel, PreTrainedTokenizerFast

SOURCES = ("wordnet_examples", "wordnet_glosses", "austen", "bible", "addresses")
PASSAGES = 400
MASK_RATE = 0.15
EVERYDAY = Path(__file__).with_name("everyday.tsv")


@dataclass(frozen=True)
class Interval:
    """A mean with its bootstrap standard error."""

    mean: float
    error: float

    def __str__(self) -> str:
        return f"{100 * self.mean:.1f} ± {100 * self.error:.1f}"


@dataclass(frozen=True)
class Scores:
    """Figures of one set of predictions; loss in nats, the rest as shares."""

    loss: float
    top1: Interval
    top5: Interval
    word_top1: Interval  # over word-initial alphabetic tokens only
    targets: int
    per_character: float = float("nan")  # the loss over the characters of the targets instead
    loss_error: float = float("nan")  # its bootstrap standard error


@dataclass(frozen=True)
class MaskedItem:
    """One passage, made ready: ids with [MASK] at the chosen positions, and what stood there."""

    source: str
    ids: Tensor  # (position,)
    positions: Tensor  # (target,)
    targets: Tensor  # (target,)


def masked_items(
    passages: dict[str, list[str]], tokenizer: PreTrainedTokenizerFast, seed: int = 0
) -> list[MaskedItem]:
    """Draw the passages and the positions to hide; the same for every model of a tokenizer."""
    rng = np.random.default_rng(seed)
    items = []
    for source in SOURCES:
        texts = passages[source]
        if len(texts) < PASSAGES:
            raise ValueError(f"{source}: {len(texts)} held-out passages, {PASSAGES} are needed")
        for i in rng.permutation(len(texts))[:PASSAGES]:
            ids = torch.tensor(tokenizer(texts[i], truncation=True, max_length=512)["input_ids"])
            count = max(1, round(MASK_RATE * (len(ids) - 2)))
            positions = torch.tensor(rng.permutation(len(ids) - 2)[:count] + 1)
            hidden = ids.clone()
            hidden[positions] = tokenizer.mask_token_id
            items.append(MaskedItem(source, hidden, positions, ids[positions]))
    return items


@torch.inference_mode()
def log_probabilities(model: PreTrainedModel, item: MaskedItem) -> Float[Tensor, "target piece"]:
    """The model's answers, in nats, at the hidden positions of one passage."""
    logits = model(input_ids=item.ids[None]).logits[0, item.positions]
    return F.log_softmax(logits.float(), dim=-1)


def unigram_log_probabilities(model: PreTrainedModel) -> Float[Tensor, " piece"]:
    """The baseline that knows no context: the frequencies the head's bias was started from."""
    return F.log_softmax(model.get_output_embeddings().bias.detach().float(), dim=-1)


@dataclass(frozen=True)
class Outcome:
    """What one passage contributes: sums over its targets."""

    source: str
    loss: float
    hits: np.ndarray  # top-1 hits, top-5 hits, word-initial hits
    counts: np.ndarray  # targets, targets, word-initial targets
    characters: int = 0  # of the targets


def outcome(
    source: str,
    targets: Int[Tensor, " target"],
    answers: Float[Tensor, "target piece"],
    initial: Bool[Tensor, " piece"],
    unknown: int,
) -> Outcome:
    """Score one passage; an [UNK] target counts as wrong whatever the answer."""
    rank = (answers > answers.gather(1, targets[:, None])).sum(1)
    known = targets != unknown
    first = initial[targets]
    top1, top5 = (rank < 1) & known, (rank < 5) & known
    hits = [top1.sum(), top5.sum(), (top1 & first).sum()]
    counts = [len(rank), len(rank), first.sum()]
    loss = F.nll_loss(answers, targets, reduction="sum")
    return Outcome(source, float(loss), np.array(hits, float), np.array(counts, float))


def summarize(outcomes: Sequence[Outcome], resamples: int = 1_000, seed: int = 0) -> Scores:
    """Average over targets within a source, then over sources; errors by bootstrap."""
    rng = np.random.default_rng(seed)
    sources = list(dict.fromkeys(o.source for o in outcomes))
    means, draws, losses, drawn_losses, finer = [], [], [], [], []
    for source in sources:
        own = [o for o in outcomes if o.source == source]
        hits, counts = np.stack([o.hits for o in own]), np.stack([o.counts for o in own])
        means.append(hits.sum(0) / counts.sum(0))
        picks = rng.integers(len(own), size=(resamples, len(own)))
        draws.append(hits[picks].sum(1) / counts[picks].sum(1))
        loss = np.array([o.loss for o in own])
        losses.append(loss.sum() / counts[:, 0].sum())
        drawn_losses.append(loss[picks].sum(1) / counts[picks, 0].sum(1))
        finer.append(loss.sum() / (sum(o.characters for o in own) or np.nan))
    mean, error = np.mean(means, axis=0), np.mean(draws, axis=0).std(axis=0)
    top1, top5, word = (Interval(float(m), float(e)) for m, e in zip(mean, error, strict=True))
    targets = int(sum(o.counts[0] for o in outcomes))
    spread = float(np.mean(drawn_losses, axis=0).std())
    return Scores(float(np.mean(losses)), top1, top5, word, targets, float(np.mean(finer)), spread)


def initial_pieces(tokenizer: PreTrainedTokenizerFast) -> Bool[Tensor, " piece"]:
    """Which pieces begin a word and are alphabetic."""
    pieces = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    return torch.tensor([p.isalpha() for p in pieces])


def evaluate_masked(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerFast,
    items: Sequence[MaskedItem],
    by_source: bool = False,
) -> dict[str, Scores]:
    """Scores of the model: over all sources under "all", and of each source if asked."""
    initial, unknown = initial_pieces(tokenizer), tokenizer.unk_token_id
    outcomes = [
        outcome(i.source, i.targets, log_probabilities(model, i), initial, unknown) for i in items
    ]
    scores = {"all": summarize(outcomes)}
    if by_source:
        for source in SOURCES:
            scores[source] = summarize([o for o in outcomes if o.source == source])
    return scores


def evaluate_unigram(
    answers: Float[Tensor, " piece"],
    tokenizer: PreTrainedTokenizerFast,
    items: Sequence[MaskedItem],
) -> Scores:
    """The same test for a baseline that gives every blank the same answer."""
    initial, unknown = initial_pieces(tokenizer), tokenizer.unk_token_id
    return summarize(
        [
            outcome(i.source, i.targets, answers.expand(len(i.targets), -1), initial, unknown)
            for i in items
        ]
    )
