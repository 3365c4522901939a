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
from models.training.families import FamilyFigures


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


MATCHED = (
    "Matched: the same text, pieces, steps and tokens seen ({least:.1f} M to {most:.1f} M so far), "
    "sizes\nwithin 5 %. "
)
TITLES = {
    "english": ("The best English GPT", "It has seen {least:.1f} M tokens. "),
    "english-s": ("The English family", MATCHED),
    "verse": ("The family of Chinese verse", MATCHED),
    "english-xs": (
        "Variants of a small BERT",
        "They differ from `bert-v` in one thing each, as their cards say ({least:.1f} M tokens).\n",
    ),
}
FAMILY = """Loss in nats, over held-out passages; targets differ, as they do in training. One blank:
the same {blanks} sentences for all, one word hidden, answered by each model in its way.

"""
COLUMNS = ["model", "size", "without word vectors", "task", "targets", "loss per target",
           "per character", "top-1", "top-5", "one blank top-1", "top-5", "ms"]  # fmt: skip


def write_results(
    path: Path, rows: Sequence[Figures | Scores], passages: int, families: str = ""
) -> None:
    """Write one row per model; bare scores are those of the unigram baseline.

    Args:
        path: of RESULTS.md.
        rows: of the large models.
        passages: of each source.
        families: the tables of the matched families, as text.
    """
    items = next(len(r.items) for r in rows if isinstance(r, Figures))
    text = HEAD.format(passages=passages, sources=len(SOURCES), items=items)
    text += "".join(row(r) if isinstance(r, Figures) else baseline_row(r) for r in rows)
    path.write_text(text + families, encoding="utf-8")


def family_table(text: str, rows: Sequence[FamilyFigures], tokens: Sequence[int]) -> str:
    """The table of the models that read one text; `tokens` are those that each has seen."""
    title, matched = TITLES[text]
    head = f"\n## {title}\n\n" + matched.format(least=min(tokens) / 1e6, most=max(tokens) / 1e6)
    head += FAMILY.format(blanks=rows[0].items)
    head += f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}\n"
    return head + "".join(line for figures in rows for line in family_rows(figures))


def family_rows(figures: FamilyFigures) -> list[str]:
    """A line for each direction that a model answers in, and one for ELMo's two combined."""
    size = f"{figures.parameters / 1e6:.2f} M | {figures.without_words / 1e6:.2f} M"
    combined = "answer" if len(figures.blanks) > 1 else None
    lines = []
    for task, s in figures.tasks.items():
        top1, top5 = figures.blanks[task if combined else "answer"]
        lines.append(
            f"| {figures.name} | {size} | {task} | {s.targets:,} | {s.loss:.2f} "
            f"| {s.per_character:.2f} | {s.top1} | {s.top5} | {top1} | {top5} "
            f"| {figures.milliseconds:.1f} |\n"
        )
    if combined:
        top1, top5 = figures.blanks[combined]
        lines.append(f"| {figures.name} | {size} | combined | | | | | | {top1} | {top5} | |\n")
    return lines


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
