"""Every objective by its name: from a model and a batch to readouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from models.training.next_sentence import of_pairs, with_next_sentence
from models.training.objectives import (
    Special,
    causal_lm,
    denoising,
    masked_lm,
    translation,
    two_way_lm,
)
from models.training.readouts import Readout

# each takes a model of its own class, and rows of ids or, to translate, a PairBatch
Task = Callable[[Any, Any, Special, float, torch.Generator], list[Readout]]

TASKS: dict[str, Task] = {
    "masked": masked_lm,
    "causal": causal_lm,
    "two-way": two_way_lm,
    "denoising": denoising,
    "translation": translation,
    "pairs": of_pairs,
    "next-sentence": with_next_sentence,
}

SECOND = {"two-way": "backward", "next-sentence": "next"}
"""What an objective's second readout is about."""
