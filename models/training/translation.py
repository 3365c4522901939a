"""How good is a translator? Its greedy answers beside what was wanted.

*Exact match*: the share of answers that are right as a whole. *Character error rate*: the edits
(insertions, deletions, replacements) that turn the answers into the references, over the length of
the references (Levenshtein 1966). Capitals and spaces do not count: the tokenizers keep few of
either, and a space between Chinese and Latin is a matter of taste.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from models.training.evaluation import Interval
from models.training.sources.pair import Pair

PHRASINGS = Path(__file__).with_name("date_phrasings.tsv")
ROWS = 64


@dataclass(frozen=True)
class TranslationScores:
    """Figures of one set of answers, and the answers."""

    exact: Interval
    character_error: Interval
    answers: tuple[str, ...]


def read_phrasings(path: Path = PHRASINGS) -> list[Pair]:
    """The hand-written dates; lines that start with # are comments."""
    rows = [r for r in path.read_text(encoding="utf-8").splitlines() if r and r[0] != "#"]
    return [Pair("phrasings", f"phrasing:{n}", *row.split("\t")) for n, row in enumerate(rows)]


@torch.inference_mode()
def translate(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, texts: Sequence[str]
) -> list[str]:
    """The greedy answer to each text, some rows at a time."""
    answers: dict[int, str] = {}
    order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
    for start in range(0, len(order), ROWS):
        some = order[start : start + ROWS]
        asked = tokenizer(
            [texts[number] for number in some],
            return_tensors="pt",
            padding=True,
            truncation=True,
            return_token_type_ids=False,
        )
        written = model.generate(**asked, do_sample=False, num_beams=1)  # type: ignore[operator]
        answers |= dict(zip(some, tokenizer.batch_decode(written, True), strict=True))
    return [answers[number] for number in range(len(texts))]


def evaluate_translation(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, pairs: Sequence[Pair]
) -> TranslationScores:
    """Answer every text of a set of pairs and compare; the model is in evaluation mode."""
    answers = translate(model, tokenizer, [pair.source for pair in pairs])
    references = [pair.target for pair in pairs]
    return TranslationScores(
        exact_match(answers, references),
        character_error_rate(answers, references),
        tuple(answers),
    )


def comparable(text: str) -> str:
    """A text without its capitals and spaces."""
    return "".join(text.casefold().split())


def exact_match(answers: Sequence[str], references: Sequence[str]) -> Interval:
    """The share of answers that are right as a whole; its error is binomial."""
    pairs = zip(answers, references, strict=True)
    mean = float(np.mean([comparable(answer) == comparable(wanted) for answer, wanted in pairs]))
    return Interval(mean, float(np.sqrt(mean * (1 - mean) / len(answers))))


def character_error_rate(
    answers: Sequence[str], references: Sequence[str], resamples: int = 1_000, seed: int = 0
) -> Interval:
    """Edits over characters of the references, all texts together; the error by bootstrap."""
    wanted = [comparable(text) for text in references]
    pairs = zip(map(comparable, answers), wanted, strict=True)
    edits = np.array([edit_distance(answer, reference) for answer, reference in pairs])
    lengths = np.array([len(text) for text in wanted])
    picks = np.random.default_rng(seed).integers(len(edits), size=(resamples, len(edits)))
    draws = edits[picks].sum(1) / lengths[picks].sum(1)
    return Interval(float(edits.sum() / lengths.sum()), float(draws.std()))


def edit_distance(one: str, other: str) -> int:
    """The fewest insertions, deletions and replacements from one text to the other.

    >>> edit_distance("kitten", "sitting"), edit_distance("開啟檔案", "開啟文件")
    (3, 2)
    """
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, start=1):
        before, row[0] = row[0], i
        for j, right in enumerate(other, start=1):
            before, row[j] = row[j], min(before + (left != right), row[j] + 1, row[j - 1] + 1)
    return row[-1]
