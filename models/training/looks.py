"""Quick looks while a model trains: the same questions about held-out text, again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import torch
from jaxtyping import Bool
from torch import Tensor
from transformers import BertForMaskedLM, PreTrainedModel

from models.training.batches import TokenStore
from models.training.evaluation import MaskedItem
from models.training.objectives import Special, bert_readout
from models.training.pairs import PairStore
from models.training.readouts import Readout
from models.training.recipe import Recipe
from models.training.tasks import SECOND, TASKS

Question = Callable[[Any], dict[str, Readout]]  # of a model: its answers, each under a name

BATCHES = 12


@torch.inference_mode()
def quick_figures(model: PreTrainedModel, questions: Sequence[Question]) -> dict[str, float]:
    """Loss (nats) and top-1 where targets count, under each name that the questions have.

    And, of translations, how many would come out exactly, if written greedily: those in which
    every token is the best after the true ones before it.
    """
    sums: dict[str, list[float]] = {}
    for question in questions:
        for name, readout in question(model).items():
            answers, targets = readout.log_probabilities(), readout.counted
            loss = -float(answers.gather(1, targets[:, None]).sum())
            right = answers.argmax(1) == targets
            found = [loss, float(right.sum()), len(targets), *whole_rows(readout, right)]
            known = sums.setdefault(name, [0.0] * len(found))
            sums[name] = [a + b for a, b in zip(known, found, strict=True)]
    figures = {}
    for name, (loss, hits, count, exact, rows) in sums.items():
        figures[f"{name}_loss"] = round(loss / count, 4)
        figures[f"{name}_top1"] = round(hits / count, 4)
        if rows:
            figures[f"{name}_exact"] = round(exact / rows, 4)
    return figures


def whole_rows(readout: Readout, right: Bool[Tensor, " counted"]) -> tuple[int, int]:
    """How many rows are right from beginning to end, and how many there are; 0 if rows are none."""
    if readout.rows is None:
        return 0, 0
    wrong = torch.bincount(readout.rows[~right], minlength=int(readout.rows.max()) + 1)
    return int((wrong == 0).sum()), len(wrong)


def fixed_batches(
    store: TokenStore | PairStore, recipe: Recipe, special: Special, name: str = "held_out"
) -> list[Question]:
    """The model's own task on fixed batches of a text."""
    names = name, f"{name}_{SECOND.get(recipe.objective, '')}"

    def question(model: Any, step: int) -> dict[str, Readout]:
        ids = store.draw(recipe, step)
        generator = torch.Generator().manual_seed(step)
        task = TASKS[recipe.objective]
        readouts = task(model, ids, special, recipe.mask_rate, generator)
        return dict(zip(names, readouts, strict=False))

    return [partial(question, step=step) for step in range(BATCHES)]


def masked_passages(
    items: Iterator[MaskedItem] | Sequence[MaskedItem], count: int
) -> list[Question]:
    """A fixed sample of the masked evaluation, spread over all sources."""
    every = list(items)

    def question(model: BertForMaskedLM, item: MaskedItem) -> dict[str, Readout]:
        hidden = model.bert(input_ids=item.ids[None]).last_hidden_state
        return {"held_out": bert_readout(model, hidden[0, item.positions], item.targets)}

    sample = every[:: max(1, len(every) // count)][:count]
    return [partial(question, item=item) for item in sample]
