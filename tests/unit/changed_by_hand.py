"""What tests of interventions share: logits of a changed run, and of a network changed by hand."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from models.families import anatomy
from models.inputs import read
from models.tracing import trace
from models.wiring import blocks
from tests.unit.tracing_models import (
    CONFIGS,
    FAMILIES,
    SEQ2SEQ,
    TARGET,
    TEXT,
    shared,
)

CLOSE = {"atol": 1e-5, "rtol": 1e-5}
MASKED = tuple(f for f in FAMILIES if CONFIGS[f][0] == "masked")
OTHER = "a big dog ran in the mat ."


def logits(family: str, *interventions, text: str = TEXT, model=None) -> np.ndarray:
    target = TARGET if family in SEQ2SEQ else None
    model = model or shared(family)
    seen = trace(model, text, record="logits", interventions=interventions, target=target)
    assert seen.interventions == interventions
    return seen.logits


def by_hand(network, family: str) -> np.ndarray:
    """The plain eager logits of a network that was changed by hand."""
    with torch.inference_mode():
        return network(**read(shared(family), TEXT, target=TARGET).tensors).logits[0].numpy()


def tower_blocks(network, stack: str) -> list[nn.Module]:
    return blocks(network, anatomy(network.config).towers[stack])


def last_stack(family: str) -> str:
    return "encoder" if CONFIGS[family][0] == "masked" else "decoder"
