"""The everyday test: sentences a visitor might type, one blank each, answers chosen by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from models.training.evaluation import EVERYDAY, Interval


@dataclass(frozen=True)
class Item:
    """A sentence with one [MASK], its accepted answers, and the side they hang on."""

    sentence: str
    accepted: tuple[str, ...]
    side: str


@dataclass(frozen=True)
class Everyday:
    """Shares over the items: right first answer, right among five, first answer an echo."""

    top1: Interval
    top5: Interval
    echo: Interval
    answers: tuple[tuple[str, ...], ...]  # the five best of every item


def read_items(path: Path = EVERYDAY) -> list[Item]:
    """Read the hand-written items; lines that start with # are comments."""
    rows = [r for r in path.read_text(encoding="utf-8").splitlines() if r and r[0] != "#"]
    fields = [row.split("\t") for row in rows]
    return [Item(s, tuple(accepted.split("|")), side) for s, accepted, side in fields]


@torch.inference_mode()
def best_answers(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, sentence: str, top_k: int = 5
) -> tuple[str, ...]:
    """The most probable pieces at the one [MASK] of the sentence, best first."""
    ids = tokenizer(sentence, return_tensors="pt")["input_ids"]
    blank = int((ids[0] == tokenizer.mask_token_id).nonzero()[0])
    best = model(input_ids=ids).logits[0, blank].float().topk(top_k).indices
    return tuple(tokenizer.convert_ids_to_tokens(best.tolist()))


def words(sentence: str) -> set[str]:
    """The words that stand in a sentence, lower case, [MASK] aside."""
    return set(re.findall(r"[a-z]+", sentence.replace("[MASK]", " ").lower()))


def evaluate_everyday(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, items: Sequence[Item]
) -> Everyday:
    """Answer every item and count; errors are binomial standard errors."""
    answers = tuple(best_answers(model, tokenizer, item.sentence) for item in items)
    pairs = list(zip(items, answers, strict=True))
    return Everyday(
        top1=_share([five[0] in item.accepted for item, five in pairs]),
        top5=_share([bool(set(five) & set(item.accepted)) for item, five in pairs]),
        echo=_share([five[0] in words(item.sentence) for item, five in pairs]),
        answers=answers,
    )


def _share(hits: Sequence[bool]) -> Interval:
    mean = float(np.mean(hits))
    return Interval(mean, float(np.sqrt(mean * (1 - mean) / len(hits))))
