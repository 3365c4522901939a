"""Tiny models with random weights, built here: enough to check arithmetic, not language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from string import ascii_lowercase, digits
from typing import Any

import pytest
import torch
from tokenizers import AddedToken, ByteLevelBPETokenizer
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertTokenizer,
    PreTrainedModel,
    RobertaConfig,
    RobertaForMaskedLM,
    RobertaTokenizer,
)

from models.catalog import BUNDLED
from models.loading import Model, load, open_model, shelf
from models.settings import settings
from models.slots import slots

SPECIAL = ["[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = """the a my we have ve s t ' , . ! ? - [ ] ( ) cat dog sat on mat in garden paris he she is
was good bad red blue walk ##ing ##ed ##s un ##happy happy ##able cls sep pad mask 山 水""".split()
LETTERS = [mark + letter for mark in ("", "##") for letter in ascii_lowercase + digits]

ENGLISH = [
    "The cat sat on the mat in the garden.",
    "We have a good dog, and she is happy.",
    "He was walking in Paris; the red mat is bad!",
]


def build_bert(folder: Path) -> Path:
    """A two-layer BERT of 64 positions with a real WordPiece tokenizer, as an ordinary folder."""
    vocabulary = list(dict.fromkeys(SPECIAL + WORDS + LETTERS))
    tokenizer = BertTokenizer(vocab={word: i for i, word in enumerate(vocabulary)})
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        initializer_range=0.5,  # answers far from even, so that ranks mean something
    )
    _save(BertForMaskedLM(config), folder)
    return folder


def build_roberta(folder: Path) -> Path:
    """A RoBERTa with a byte-level tokenizer: another family, another way to mark spaces."""
    trainer = ByteLevelBPETokenizer()
    trainer.train_from_iterator(
        ENGLISH * 5, vocab_size=400, special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    )
    trainer.save_model(str(folder))
    vocabulary, merges = str(folder / "vocab.json"), str(folder / "merges.txt")
    mask: Any = AddedToken("<mask>", lstrip=True, special=True)  # as in the published RoBERTa
    tokenizer = RobertaTokenizer(vocab=vocabulary, merges=merges, mask_token=mask)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = RobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=66,
        pad_token_id=tokenizer.pad_token_id,
        initializer_range=0.5,
    )
    _save(RobertaForMaskedLM(config), folder)
    return folder


def _save(network: PreTrainedModel, folder: Path) -> None:
    network.train(False).save_pretrained(folder)


@pytest.fixture(scope="session")
def bert_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_bert(tmp_path_factory.mktemp("tiny-bert"))


@pytest.fixture(scope="session")
def roberta_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_roberta(tmp_path_factory.mktemp("tiny-roberta"))


@pytest.fixture(scope="session")
def tiny_bert(bert_folder: Path) -> Model:
    return open_model("tiny-bert", bert_folder)


@pytest.fixture(scope="session")
def tiny_roberta(roberta_folder: Path) -> Model:
    return open_model("tiny-roberta", roberta_folder)


@pytest.fixture(scope="session")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Model]:
    """A tiny model of each kind: bert, gpt, lstm, elmo, seq."""
    from tests.unit.kinds import KINDS, build_kind

    return {kind: build_kind(kind, tmp_path_factory.mktemp(kind)) for kind in KINDS}


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., None]]:
    """Set settings for one test: ``configure(max_tokens=16)``. No settings file is read."""

    def forget() -> None:
        for cached in (settings, shelf, slots):
            cached.cache_clear()

    def change(**values: object) -> None:
        for name, value in values.items():
            monkeypatch.setenv(f"UNMASK_{name.upper()}", str(value))
        forget()

    empty = tmp_path / "unmask.toml"
    empty.touch()
    change(settings=empty)
    yield change
    monkeypatch.undo()
    forget()


@pytest.fixture(params=["tiny-bert", "tiny-roberta", "bert-en"])
def any_model(request: pytest.FixtureRequest) -> Model:
    """Every kind of model that can fill blanks, the bundled one once it is there."""
    if request.param == "bert-en":
        if not BUNDLED[0].folder.is_dir():
            pytest.skip("models/zoo/bert-en is not trained yet")
        return load("bert-en")
    model: Model = request.getfixturevalue(request.param.replace("-", "_"))
    return model
