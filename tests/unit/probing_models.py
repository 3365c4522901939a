"""Tiny random checkpoints beyond those of `tests.unit.tracing_models`, for the probe."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import torch
from transformers import AutoConfig, PreTrainedModel

from models.loading import Model
from tests.unit.tracing_models import BASE, BERT, CLASSES, CONFIGS, LLAMA, SEQ, build, shared

MORE: dict[str, tuple[str, dict[str, Any]]] = {
    "gemma": ("causal", LLAMA),
    "gemma2": ("causal", {**LLAMA, "sliding_window": 4, "query_pre_attn_scalar": 4}),
    "phi": ("causal", {**BERT, "partial_rotary_factor": 0.5}),
    "mbart": ("seq", SEQ),
    "gptj": ("causal", {**BASE, "n_embd": 16, "n_layer": 2, "n_head": 2, "rotary_dim": 4,
                        "n_positions": 40, "initializer_range": 0.4}),
    "bloom": ("causal", {**BASE, "hidden_size": 16, "n_layer": 2, "n_head": 4,
                         "initializer_range": 0.4}),
}  # fmt: skip
"""Families that are not in the table of `models.families`: what is missing is said."""
EVERY = (*CONFIGS, *MORE)


def network(family: str) -> PreTrainedModel:
    """With the same weights every time."""
    kind, settings = MORE[family]
    torch.manual_seed(0)
    config = AutoConfig.for_model(family, **settings)
    made: PreTrainedModel = CLASSES[kind].from_config(config, attn_implementation="eager").eval()
    return made.requires_grad_(False)


@cache
def model_of(family: str) -> Model:
    """One for all tests: none may change it."""
    if family in CONFIGS:
        return shared(family)
    kind, _ = MORE[family]
    like = build({"causal": "llama", "seq": "bart"}[kind])
    return replace(like, name=f"tiny-{family}", network=network(family))
