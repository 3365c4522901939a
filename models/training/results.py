"""Figures of a model and the table that holds them: models/zoo/RESULTS.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from transformers import BertForMaskedLM, PreTrainedTokenizerFast

from models.training.evaluation import (
    SOURCES,
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


HEAD = """# Results

Written by `python -m models.training evaluate`. Held-out: {passages} passages of each of {sources}
sources that training never saw, 15 % of positions hidden, macro-averaged over sources. Everyday:
{items} hand-written sentences with one blank. Shares in per cent, with standard errors (bootstrap
over passages; binomial over everyday items). Loss in nats per hidden token.

| model | size | loss | top-1 | top-5 | word top-1 | everyday top-1 | top-5 | echoes |
|---|---|---|---|---|---|---|---|---|
"""


def write_results(path: Path, rows: Sequence[Figures | Scores], passages: int) -> None:
    """Write one row per model; bare scores are those of the unigram baseline."""
    items = next(len(r.items) for r in rows if isinstance(r, Figures))
    text = HEAD.format(passages=passages, sources=len(SOURCES), items=items)
    text += "".join(row(r) if isinstance(r, Figures) else baseline_row(r) for r in rows)
    path.write_text(text, encoding="utf-8")


def row(figures: Figures) -> str:
    """One table line of a model."""
    s, e = figures.masked["all"], figures.everyday
    return (
        f"| {figures.name} | {figures.parameters / 1e6:.1f} M | {s.loss:.2f} | {s.top1} | {s.top5} "
        f"| {s.word_top1} | {e.top1} | {e.top5} | {e.echo} |\n"
    )


def baseline_row(s: Scores) -> str:
    """One table line of a baseline that has no everyday figures."""
    return f"| unigram | | {s.loss:.2f} | {s.top1} | {s.top5} | {s.word_top1} | | | |\n"


def unigram(
    start: BertForMaskedLM, tokenizer: PreTrainedTokenizerFast, held_out: Sequence[MaskedItem]
) -> Scores:
    """The unigram baseline, from the bias that an untrained start model carries."""
    return evaluate_unigram(unigram_log_probabilities(start), tokenizer, held_out)
