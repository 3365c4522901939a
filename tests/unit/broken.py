"""Folders that are broken on purpose, each in one way: what a visitor may bring by mistake."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from transformers import BertConfig, BertModel, WhisperConfig, WhisperForConditionalGeneration

WEIGHTS = "model.safetensors"


def change_config(folder: Path, **changed: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | changed))


def save(folder: Path, weights: dict[str, torch.Tensor]) -> None:
    save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})


def no_tokenizer(folder: Path) -> None:
    for file in folder.glob("tokenizer*"):
        file.unlink()


def larger_tokenizer(folder: Path) -> None:
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    vocabulary = tokenizer["model"]["vocab"]
    vocabulary["extra"] = len(vocabulary)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))


def pickle_only(folder: Path) -> None:
    weights = load_file(folder / WEIGHTS)
    (folder / WEIGHTS).unlink()
    torch.save(weights, folder / "pytorch_model.bin")


def remote_code(folder: Path) -> None:
    (folder / "own.py").write_text("raise SystemExit('ran')")
    names = {"AutoConfig": "own.Own", "AutoModelForMaskedLM": "own.Own"}
    change_config(folder, model_type="my-own", auto_map=names)


def truncated(folder: Path) -> None:
    whole = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(whole[: len(whole) // 2])


def damaged(folder: Path) -> None:
    (folder / WEIGHTS).write_bytes(b"not a tensor in sight, and much too long for a header")


def wrong_shapes(folder: Path) -> None:
    change_config(folder, intermediate_size=48)


def missing_shard(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder / "model-00001-of-00002.safetensors")
    index = {"weight_map": {"a": "model-00001-of-00002.safetensors",
                            "b": "model-00002-of-00002.safetensors"}}  # fmt: skip
    (folder / f"{WEIGHTS}.index.json").write_text(json.dumps(index))


def shard_elsewhere(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder.parent / "elsewhere.safetensors")
    index = {"weight_map": {"a": "../elsewhere.safetensors"}}
    (folder / f"{WEIGHTS}.index.json").write_text(json.dumps(index))


def more_layers(folder: Path) -> None:
    change_config(folder, num_hidden_layers=3)


def fewer_layers(folder: Path) -> None:
    change_config(folder, num_hidden_layers=1)


def lost_head(folder: Path) -> None:
    """The configuration still promises a masked language model."""
    BertModel(BertConfig.from_pretrained(folder)).save_pretrained(folder)
    change_config(folder, architectures=["BertForMaskedLM"])


def not_a_number(folder: Path) -> None:
    weights = load_file(folder / WEIGHTS)
    name = "bert.encoder.layer.0.attention.self.query.weight"
    weights[name][0, 0] = float("nan")
    save(folder, weights)


def unknown_type(folder: Path) -> None:
    change_config(folder, model_type="no-such-thing")


def unreadable_config(folder: Path) -> None:
    (folder / "config.json").write_text("{" * 100_000)


def odd_config(folder: Path) -> None:
    change_config(folder, hidden_size="wide")


def empty(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def huge_claim(folder: Path) -> None:
    """A header of a few bytes that claims a tensor of 40 GB."""
    claim = {"dtype": "F32", "shape": [10**10], "data_offsets": [0, 4 * 10**10]}
    header = json.dumps({"bert.embeddings.word_embeddings.weight": claim}).encode()
    (folder / WEIGHTS).write_bytes(struct.pack("<Q", len(header)) + header)


def endless_header(folder: Path) -> None:
    """A file that says its header is 40 GB long."""
    (folder / WEIGHTS).write_bytes(struct.pack("<Q", 40 * 10**9) + b"{}")


def whisper(folder: Path) -> None:
    """It listens: its text is what it writes, and its input is sound."""
    config = WhisperConfig(
        vocab_size=100, d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, pad_token_id=0,
        bos_token_id=1, eos_token_id=2, decoder_start_token_id=1, num_mel_bins=8,
        max_source_positions=10, max_target_positions=10,
    )  # fmt: skip
    WhisperForConditionalGeneration(config).save_pretrained(folder)


BROKEN: dict[str, tuple[Callable[[Path], None], str]] = {
    breaks.__name__: (breaks, why)
    for breaks, why in [
        (no_tokenizer, "no tokenizer"),
        (larger_tokenizer, "larger tokenizer"),
        (pickle_only, "pickle"),
        (remote_code, "own code"),
        (truncated, "truncated"),
        (damaged, "header"),
        (wrong_shapes, "shapes"),
        (missing_shard, "shard"),
        (shard_elsewhere, "shard"),
        (more_layers, "fresh"),
        (fewer_layers, "spare"),
        (lost_head, "fresh"),
        (not_a_number, "nan"),
        (unknown_type, "unknown type"),
        (unreadable_config, "config"),
        (odd_config, "config"),
        (empty, "empty"),
        (huge_claim, "truncated"),
        (endless_header, "header"),
        (whisper, "no text"),
    ]
}
"""By name: how a folder is broken, and what its refusal says (`models.errors.WHY`)."""


def broken(good: Path, to: Path, how: str) -> Path:
    """A copy of a good folder, broken in one way."""
    folder = Path(shutil.copytree(good, to))
    BROKEN[how][0](folder)
    return folder
