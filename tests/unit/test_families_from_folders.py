"""Checkpoints of every family load from folders, are looked into, and answer or say why not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoConfig

import models
from models.errors import Unusable
from models.loading import Model, open_model
from models.results import Sentence
from tests.unit.tracing_models import (
    BASE,
    BERT,
    CLASSES,
    CONFIGS,
    LLAMA,
    SEQ,
    TEXT,
    build_network,
    build_tokenizer,
)

GEMMA = {**LLAMA, "hidden_activation": "gelu_pytorch_tanh"}
OTHERS = {
    "gemma": ("causal", GEMMA),
    "gemma2": ("causal", {**GEMMA, "sliding_window": 4}),
    "phi": ("causal", {**BERT, "partial_rotary_factor": 0.5}),
    "mbart": ("seq", SEQ),
    "bloom": ("causal", {**BASE, "hidden_size": 16, "n_layer": 2, "n_head": 4}),
}
"""Families that tests of tracing do not have, in the same terms."""
KINDS = {name: kind for name, (kind, _) in (CONFIGS | OTHERS).items()}
SILENT = {"marian": "translation", "xlnet": "states"}
"""Families that fill no blanks: they write another text, or only read."""
BLANK = Sentence(TEXT, ((4, 7),))


def build(family: str, folder: Path) -> Path:
    """A tiny random model as an ordinary folder."""
    kind = KINDS[family]
    if family in CONFIGS:
        network = build_network(family)
    else:
        torch.manual_seed(0)
        config = AutoConfig.for_model(family, **OTHERS[family][1])
        network = CLASSES[kind].from_config(config, attn_implementation="eager").eval()
    network.save_pretrained(folder)
    build_tokenizer(kind).save_pretrained(folder)
    return folder


@pytest.fixture(params=KINDS)
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Model:
    return open_model(request.param, build(request.param, tmp_path))


def test_it_opens_in_attention_and_answers_or_says_why_not(model: Model) -> None:
    found = models.all_heads(model, Sentence(TEXT))
    rows = models.one_head(model, found.reads, found.kind, [(0, 0)]).weights
    np.testing.assert_allclose(rows.sum(axis=-1), 1, atol=1e-5)
    if expected := SILENT.get(model.name):
        assert model.objective == expected
        with pytest.raises(Unusable) as refusal:
            models.predict(model, BLANK)
        assert refusal.value.reason == "mask"
        return
    answer = models.predict(model, BLANK)
    if answer.blanks:  # the tiny vocabulary of some tokenizers does not survive their own class
        assert 0 < answer.blanks[0].best.probability <= 1
    assert model.objective in ("masked", "causal", "denoising")


@pytest.mark.parametrize("family", ["bert", "gpt2", "mistral", "t5", "deberta-v2"])
def test_half_precision_gives_nearly_the_same(family: str, tmp_path: Path) -> None:
    folder = build(family, tmp_path)
    whole, half = open_model("x", folder), open_model("x@bfloat16", folder)
    assert half.provenance.dtype == "bfloat16"
    first, second = (models.predict(each, BLANK).blanks[0] for each in (whole, half))
    probabilities = {c.token_id: c.probability for c in first.candidates}
    for candidate in second.candidates[:3]:
        assert candidate.probability == pytest.approx(
            probabilities.get(candidate.token_id, candidate.probability), abs=0.1
        )
    assert first.best.probability != second.best.probability, "it does run in another format"


def test_xlnet_runs_in_single_precision_only(tmp_path: Path) -> None:
    with pytest.raises(models.Refusal):
        open_model("x@bfloat16", build("xlnet", tmp_path))
