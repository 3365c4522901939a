"""A masked model asked one thing at a time, for tests to compare with."""

from __future__ import annotations

import numpy as np
import torch

from models.loading import Model
from tests.unit.tracing_models import CONFIGS, FAMILIES

MASKED = tuple(f for f in FAMILIES if CONFIGS[f][0] == "masked")
BLANKS = "the [MASK] sat on the [MASK] in [MASK] ."


def log_p(model: Model, ids: list[int], place: int) -> np.ndarray:
    with torch.inference_mode():
        logits = model.network(torch.tensor([ids])).logits[0, place]
    return logits.double().log_softmax(-1).numpy()


def blank_ids(model: Model, text: str) -> list[int]:
    return list(model.reader.read(text, 1000, 60).ids)
