"""The figures of a masked language model on its own: held-out text and everyday sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transformers import BertForMaskedLM, PreTrainedTokenizerFast

from models.training.evaluation import (
    MaskedItem,
    Scores,
    evaluate_masked,
    evaluate_unigram,
    unigram_log_probabilities,
)
from models.training.everyday import Everyday, Item, evaluate_everyday, read_items


@dataclass(frozen=True)
class Figures:
    """All that is measured of one masked language model."""

    name: str
    parameters: int
    masked: dict[str, Scores]  # "all" is the macro average over the sources
    everyday: Everyday
    items: tuple[Item, ...]


def evaluate_model(
    name: str,
    model: BertForMaskedLM,
    tokenizer: PreTrainedTokenizerFast,
    held_out: Sequence[MaskedItem],
) -> Figures:
    """Run both tests on a model in evaluation mode."""
    items = read_items()
    return Figures(
        name=name,
        parameters=sum(p.numel() for p in model.parameters()),
        masked=evaluate_masked(model, tokenizer, held_out, by_source=True),
        everyday=evaluate_everyday(model, tokenizer, items),
        items=tuple(items),
    )


def unigram(
    start: BertForMaskedLM, tokenizer: PreTrainedTokenizerFast, held_out: Sequence[MaskedItem]
) -> Scores:
    """The unigram baseline, from the bias that an untrained start model carries."""
    return evaluate_unigram(unigram_log_probabilities(start), tokenizer, held_out)
