"""Choose the sentences a page opens with, by what the trained model really answers."""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import torch
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from models.training.everyday import Item

MASK = "[MASK]"
PER_SIDE = 2


@dataclass(frozen=True)
class Example:
    """A sentence with its true word, and the model's answer in the blank."""

    text: str
    start: int  # of the hidden word, in code points
    end: int
    side: str
    answer: str
    probability: float
    right: bool


@torch.inference_mode()
def answered(model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, item: Item) -> Example:
    """Fill the blank of an everyday item; the hidden word is the best of its accepted answers."""
    ids = tokenizer(item.sentence, return_tensors="pt")["input_ids"]
    blank = int((ids[0] == tokenizer.mask_token_id).nonzero()[0])
    best = model(input_ids=ids).logits[0, blank].float().softmax(-1).max(-1)
    answer = str(tokenizer.convert_ids_to_tokens(int(best.indices)))
    start = item.sentence.index(MASK)
    word = answer if answer in item.accepted else item.accepted[0]
    shown = word.capitalize() if start == 0 else word
    return Example(
        text=item.sentence.replace(MASK, shown),
        start=start,
        end=start + len(shown),
        side=item.side,
        answer=answer,
        probability=round(float(best.values), 4),
        right=answer in item.accepted,
    )


def choose(
    examples: Sequence[Example], dull: Container[str] = (), per_side: int = PER_SIDE
) -> list[Example]:
    """The surest right answers of each side in turn, then the surest wrong one.

    A page that showed successes alone would lie about the model.

    Args:
        examples: all that were answered.
        dull: answers that show nothing, such as "the".
        per_side: how many of each side.
    """
    right = [e for e in examples if e.right and e.answer not in dull]
    right.sort(key=lambda e: -e.probability)
    wrong = [e for e in examples if not e.right and e.answer not in dull]
    sides = [[e for e in right if e.side == side][:per_side] for side in ("both", "left", "right")]
    turns = [e for turn in zip_longest(*sides) for e in turn if e is not None]
    return [*turns, max(wrong, key=lambda e: e.probability)]


def write(path: Path, examples: Sequence[Example]) -> None:
    """Write the chosen examples beside the weights."""
    path.write_text(json.dumps([vars(e) for e in examples], indent=1, ensure_ascii=False) + "\n")
