"""Which models may be had, and that what cannot be had is refused with a reason."""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import BertConfig

import models
from models import loading
from models.catalog import BUNDLED, folder
from models.errors import (
    FilesMissing,
    FolderRefused,
    HubRefused,
    Refusal,
    UnknownModel,
    Unusable,
)
from models.loading import Model, Shelf, load, open_model
from models.results import Sentence

Configure = Callable[..., None]


def test_importing_the_waist_loads_no_torch() -> None:
    code = "import sys, models; sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(UnknownModel) as refusal:
        load("bert-xx")
    assert refusal.value.name == "bert-xx"


def test_a_bundled_model_without_its_files_names_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "config.json").touch()
    here = models.catalog.ModelFacts("here", "bert", "masked", ("en",), True, tmp_path)
    monkeypatch.setattr(models.catalog, "BUNDLED", (here,))
    with pytest.raises(FilesMissing) as refusal:
        folder("here")
    assert refusal.value.missing == ("tokenizer.json", "model.safetensors", "unigram.json")
    assert models.bundled() == ()


@pytest.mark.parametrize("place", ["", "/etc", "../..", "a/../../..", "missing", "\0", "~"])
def test_folders_outside_the_roots_are_refused_alike(
    configure: Configure, tmp_path: Path, place: str
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "model").mkdir()
    (root / "link").symlink_to(tmp_path / "model")
    configure(model_roots=root)
    for name in (f"dir:{place}" if place else f"dir:{tmp_path}", "dir:link"):
        with pytest.raises(FolderRefused):
            folder(name)


def test_a_folder_under_a_root_loads(
    configure: Configure, bert_folder: Path, tiny_bert: Model
) -> None:
    configure(model_roots=bert_folder.parent)
    for place in (bert_folder.name, bert_folder):
        model = load(f"dir:{place}")
        assert model.provenance.revision == tiny_bert.provenance.revision
        assert models.predict(model, Sentence("the [MASK]")).blanks


def test_folders_are_refused_unless_a_root_is_named(configure: Configure, tmp_path: Path) -> None:
    configure()
    with pytest.raises(FolderRefused):
        folder(f"dir:{tmp_path}")


@pytest.mark.parametrize(
    ("policy", "repository"),
    [
        ("off", "google-bert/bert-base-uncased"),
        ("curated", "someone/else"),
        ("any", "../etc"),
        ("any", "no-owner"),
        ("any", "a/b/c"),
    ],
)
def test_the_hub_policy_refuses(configure: Configure, policy: str, repository: str) -> None:
    configure(hub_policy=policy)
    with pytest.raises(HubRefused) as refusal:
        folder(f"hub:{repository}")
    assert refusal.value.policy == policy


@pytest.fixture
def broken(bert_folder: Path, tmp_path: Path) -> Path:
    """A copy of a good model, to be damaged."""
    return Path(shutil.copytree(bert_folder, tmp_path / "broken"))


def reason(path: Path) -> str:
    with pytest.raises(Unusable) as refusal:
        open_model("broken", path)
    return refusal.value.reason


def test_a_model_without_tokenizer_is_refused(broken: Path) -> None:
    (broken / "tokenizer.json").unlink()
    assert reason(broken) == "tokenizer"


def test_a_tokenizer_larger_than_the_model_is_refused(broken: Path) -> None:
    tokenizer = json.loads((broken / "tokenizer.json").read_text())
    vocabulary = tokenizer["model"]["vocab"]
    vocabulary["extra"] = len(vocabulary)
    (broken / "tokenizer.json").write_text(json.dumps(tokenizer))
    assert reason(broken) == "tokenizer"


def test_weights_of_another_shape_are_refused(broken: Path) -> None:
    config = json.loads((broken / "config.json").read_text())
    (broken / "config.json").write_text(json.dumps(config | {"intermediate_size": 48}))
    assert reason(broken) == "weights"


def test_pickled_weights_are_refused(broken: Path) -> None:
    weights = load_file(broken / "model.safetensors")
    (broken / "model.safetensors").unlink()
    torch.save(weights, broken / "pytorch_model.bin")
    assert reason(broken) == "weights"


def test_damaged_weights_are_refused(broken: Path) -> None:
    (broken / "model.safetensors").write_bytes(b"not a tensor in sight")
    assert reason(broken) == "weights"


@pytest.mark.parametrize(
    "change",
    [
        {"model_type": "no-such-thing"},
        {"model_type": "resnet", "architectures": ["ResNetForImageClassification"]},
    ],
)
def test_what_is_no_language_model_is_refused(broken: Path, change: dict[str, object]) -> None:
    config = json.loads((broken / "config.json").read_text())
    (broken / "config.json").write_text(json.dumps(config | change))
    assert reason(broken) == "architecture"


def test_code_in_a_folder_is_never_run(broken: Path) -> None:
    (broken / "evil.py").write_text("raise SystemExit('ran')")
    config = json.loads((broken / "config.json").read_text())
    config["auto_map"] = {"AutoModelForMaskedLM": "evil.Evil", "AutoConfig": "evil.Evil"}
    (broken / "config.json").write_text(json.dumps(config))
    assert open_model("broken", broken).network.config.model_type == "bert"


def test_half_precision_weights_run_in_single(broken: Path) -> None:
    weights = load_file(broken / "model.safetensors")
    save_file(
        {key: value.half() for key, value in weights.items()},
        broken / "model.safetensors",
        metadata={"format": "pt"},
    )
    network = open_model("half", broken).network
    assert {parameter.dtype for parameter in network.parameters()} == {torch.float32}


def test_a_model_is_ready_and_cannot_learn(any_model: Model) -> None:
    assert not any_model.network.training
    assert not any(parameter.requires_grad for parameter in any_model.network.parameters())
    assert torch.get_num_threads() == 1


def test_limits_are_the_lowest_of_all(
    configure: Configure, bert_folder: Path, tiny_bert: Model, tiny_roberta: Model
) -> None:
    assert (tiny_bert.max_tokens, tiny_roberta.max_tokens) == (64, 64)  # 66 rows, 2 for padding
    configure(max_tokens=32)
    assert open_model("short", bert_folder).max_tokens == 32


def test_eight_threads_share_one_load(
    configure: Configure, monkeypatch: pytest.MonkeyPatch, bert_folder: Path
) -> None:
    opened: list[str] = []

    def opening(name: str, path: Path) -> Model:
        opened.append(name)
        return open_model(name, path)

    configure(model_roots=bert_folder.parent)
    monkeypatch.setattr(loading, "open_model", opening)
    shelf = Shelf(room=10**9)
    with ThreadPoolExecutor(8) as pool:
        loaded = set(pool.map(shelf.get, [f"dir:{bert_folder}"] * 16))
    assert len(opened) == len(loaded) == 1


def test_refusals_carry_data_and_travel() -> None:
    refusal = FilesMissing("bert-en", ("config.json",))
    assert str(refusal) == "FilesMissing(name='bert-en', missing=('config.json',))"
    again = pickle.loads(pickle.dumps(refusal))
    assert isinstance(again, Refusal)
    assert vars(again) == vars(refusal)


@pytest.mark.parametrize(
    ("architecture", "objective"),
    [
        ("BertForMaskedLM", "masked"),
        ("BertLMHeadModel", "causal"),
        ("GPT2LMHeadModel", "causal"),
        ("LlamaForCausalLM", "causal"),
        ("XLMWithLMHeadModel", "masked"),
        ("BertModel", "masked"),  # refused later: its head would be random
        (None, "masked"),
    ],
)
def test_the_architecture_names_the_objective(architecture: str | None, objective: str) -> None:
    named = None if architecture is None else [architecture]
    assert loading.objective_of(BertConfig(architectures=named)) == objective


@pytest.mark.parametrize("facts", models.bundled(), ids=lambda facts: facts.name)
def test_the_facts_of_a_bundled_model_are_true(facts: models.catalog.ModelFacts) -> None:
    model = load(facts.name)
    assert model.objective == facts.objective
    spelled = model.tokenizer.tokenize
    assert not facts.lower_case or spelled("Cat") == spelled("cat")
    assert bool(model.reader.read("发", 9, 9).rewritten) == (facts.languages == ("lzh-Hant",))


@pytest.mark.skipif(not BUNDLED[0].folder.is_dir(), reason="models/zoo/bert-en is not trained yet")
def test_the_default_model_warms_up() -> None:
    models.warm_up()
