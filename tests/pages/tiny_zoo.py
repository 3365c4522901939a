"""A whole zoo of tiny models in the real classes, so that pages can show every architecture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from models import catalog
from models.catalog import BUNDLED
from models.loading import shelf
from models.training import characters
from tests.unit.kinds import build_kind

ENGLISH = ("bert-en", "bert-s-en", "gpt-s-en", "elmo-s-en", "seq-s-en")
VERSE = ("bert-zh", "gpt-zh", "elmo-zh", "seq-zh")
TEXT = {"name": "text", "version": "1", "licence": "ours"}
LINE = "床前明月光，疑是地上霜。舉頭望明月，低頭思故鄉。"


def build_zoo(zoo: Path) -> Path:
    """A folder for each of the models, with what a published one says of its training."""
    signs = characters.tokenizer_for([LINE] * characters.LEAST)
    for name in (*ENGLISH, *VERSE):
        build_kind(name.partition("-")[0], zoo / name, signs if name in VERSE else None)
        describe(zoo / name)
    return zoo


def describe(folder: Path, tokens: int = 16_000_000, source: str = "ab", **recipe: str) -> None:
    """Write what a model has read."""
    facts = {
        "recipe": {"start": folder.name.partition("-")[0], **recipe},
        "tokens": tokens,
        "corpus": {"all": {**TEXT, "sha256": source, "train": {"words": 2_500_000}}},
    }
    (folder / "training.json").write_text(json.dumps(facts))


@pytest.fixture(scope="session")
def built_zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_zoo(tmp_path_factory.mktemp("zoo"))


@pytest.fixture
def zoo(built_zoo: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """All of these models are bundled, and no others."""
    bundled = tuple(replace(facts, folder=built_zoo / facts.name) for facts in BUNDLED)
    monkeypatch.setattr(catalog, "BUNDLED", bundled)
    monkeypatch.setattr(catalog, "ZOO", built_zoo)
    shelf.cache_clear()
    yield built_zoo
    shelf.cache_clear()


def keep(monkeypatch: pytest.MonkeyPatch, zoo: Path, *names: str) -> None:
    """Of all these models, only some are there."""
    kept = (
        replace(facts, folder=(zoo if facts.name in names else zoo / "missing") / facts.name)
        for facts in BUNDLED
    )
    monkeypatch.setattr(catalog, "BUNDLED", tuple(kept))
    shelf.cache_clear()
