"""Each broken folder is refused with its reason, before it costs anything, and nothing is kept."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import models
from models import errors
from models.errors import TooLarge, Unusable
from models.loading import load, open_model
from models.results import Sentence
from tests.unit.broken import BROKEN, broken, change_config

Configure = Callable[..., None]


@pytest.mark.parametrize("how", BROKEN)
def test_what_is_broken_is_refused_with_its_reason(
    configure: Configure, bert_folder: Path, tmp_path: Path, how: str
) -> None:
    broken(bert_folder, tmp_path / how, how)
    configure(model_roots=tmp_path)
    for _ in range(2):  # nothing of it stays behind
        with pytest.raises(Unusable) as refusal:
            load(f"dir:{how}")
        assert refusal.value.why == BROKEN[how][1]
        assert refusal.value.why in errors.WHY
    (tmp_path / "good").symlink_to(bert_folder)  # a link out of the root: refused as well
    with pytest.raises(errors.FolderRefused):
        load("dir:good")


@pytest.mark.parametrize(
    ("how", "named"),
    [
        ("more_layers", "bert.encoder.layer.2.attention.output.LayerNorm.bias"),
        ("fewer_layers", "bert.encoder.layer.1.attention.output.LayerNorm.bias"),
        ("wrong_shapes", "bert.encoder.layer.0.intermediate.dense.bias"),
        ("not_a_number", "bert.encoder.layer.0.attention.self.query.weight"),
        ("missing_shard", "model-00002-of-00002.safetensors"),
        ("pickle_only", "pytorch_model.bin"),
        ("unknown_type", "no-such-thing"),
    ],
)
def test_a_refusal_names_what_it_is_about(
    bert_folder: Path, tmp_path: Path, how: str, named: str
) -> None:
    with pytest.raises(Unusable) as refusal:
        open_model("x", broken(bert_folder, tmp_path / how, how))
    assert named in refusal.value.named
    assert len(refusal.value.named) <= 5


def test_weights_that_would_be_random_are_counted(bert_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(Unusable) as refusal:
        open_model("x", broken(bert_folder, tmp_path / "x", "more_layers"))
    assert refusal.value.count == 16  # the weights of one layer of BERT


def test_a_false_claim_costs_no_memory(bert_folder: Path, tmp_path: Path) -> None:
    folder = broken(bert_folder, tmp_path / "x", "huge_claim")
    tracemalloc.start()
    with pytest.raises(Unusable):
        open_model("x", folder)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


def test_a_body_without_a_head_has_states_and_no_answers(bert_folder: Path, tmp_path: Path) -> None:
    """As MiniLM is published: its configuration promises no language model."""
    folder = broken(bert_folder, tmp_path / "x", "lost_head")
    change_config(folder, architectures=["BertModel"])
    model = open_model("x", folder)
    assert model.objective == "states"
    assert models.all_heads(model, Sentence("the cat sat")).kind == "encoder"
    sentence = Sentence("the cat sat", ((4, 7),))
    with pytest.raises(Unusable):
        models.predict(model, sentence)
    with pytest.raises(Unusable):
        models.every_position(model, sentence)


def test_a_model_beyond_the_limit_is_refused_before_it_is_loaded(
    configure: Configure, bert_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("models.loading.open_model", pytest.fail)
    configure(model_roots=bert_folder.parent, max_parameters=1_000)
    with pytest.raises(TooLarge) as refusal:
        load(f"dir:{bert_folder.name}")
    assert refusal.value.what == "parameters"
    assert refusal.value.needed == models.size_of(f"dir:{bert_folder.name}").parameters > 1_000
    assert refusal.value.limit == 1_000
