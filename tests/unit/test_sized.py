"""What is told before loading is what is loaded."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

import models
from models.checkpoints import gguf
from models.checkpoints.sized import sized
from models.errors import ExtraMissing, TooLarge, Unusable
from models.loading import open_model
from tests.unit.tracing_models import CONFIGS, build_network

Configure = Callable[..., None]


@pytest.mark.parametrize("family", CONFIGS)
def test_the_parameters_are_counted_without_loading(family: str, tmp_path: Path) -> None:
    network = build_network(family)
    network.save_pretrained(tmp_path)
    found = sized(family, tmp_path)
    sines = "embed_positions" if family == "marian" else "no such part"  # made anew, never saved
    parameters = {
        p.data_ptr(): p.numel() for key, p in network.named_parameters() if sines not in key
    }
    buffers = sum(b.numel() for b in network.buffers() if b.is_floating_point())
    assert 0 <= found.parameters - sum(parameters.values()) <= buffers
    assert found.layers and found.heads and found.vocabulary == network.config.vocab_size
    assert found.memory["float32"] == 2 * found.memory["float16"] == 4 * found.parameters


def test_the_figures_are_those_of_the_loaded_model(bert_folder: Path) -> None:
    found = sized("x", bert_folder)
    model = open_model("x", bert_folder)
    config = model.network.config
    assert (found.layers, found.heads) == (config.num_hidden_layers, config.num_attention_heads)
    assert (found.width, found.context) == (16, 64)
    assert found.stored == {"F32": found.parameters} and not found.own_code


def test_all_shards_are_counted(bert_folder: Path, tmp_path: Path) -> None:
    open_model("x", bert_folder).network.save_pretrained(tmp_path, max_shard_size="4KB")
    assert len(list(tmp_path.glob("*.safetensors"))) > 2
    assert sized("x", tmp_path).parameters == sized("x", bert_folder).parameters


def test_memory_is_limited_by_the_number_format(
    configure: Configure, bert_folder: Path, tmp_path: Path
) -> None:
    """A model of 25 million parameters fits 64 MB in half precision only."""
    shape = (25_000, 1_000)
    claim = {"dtype": "F16", "shape": shape, "data_offsets": [0, 2 * shape[0] * shape[1]]}
    header = json.dumps({"w": claim}).encode()
    with (tmp_path / "model.safetensors").open("wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        file.truncate(8 + len(header) + 2 * shape[0] * shape[1])
    (tmp_path / "config.json").write_text((bert_folder / "config.json").read_text())
    configure(model_roots=tmp_path.parent, model_memory=64)
    name = f"dir:{tmp_path.name}"
    models.check_size(models.size_of(f"{name}@bfloat16"))
    with pytest.raises(TooLarge) as refusal:
        models.check_size(models.size_of(name))
    assert vars(refusal.value) == {
        "name": name, "what": "memory", "needed": 100_000_000, "limit": 64_000_000
    }  # fmt: skip


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def write_gguf(file: Path, side: int = 8, whole: bool = True) -> None:
    """A header as llama.cpp would write it, with one matrix in blocks of 4 bits."""
    facts = [
        text("general.architecture") + struct.pack("<I", 8) + text("llama"),
        text("llama.block_count") + struct.pack("<II", 4, 3),
        text("llama.attention.head_count") + struct.pack("<II", 4, 2),
        text("llama.embedding_length") + struct.pack("<II", 4, 64),
        text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("b"),
        text("tokenizer.ggml.scores") + struct.pack("<IIQff", 9, 6, 2, 0.0, 1.0),
    ]
    tensor = text("token_embd.weight") + struct.pack("<IQQIQ", 2, 32, side, 2, 0)
    header = b"GGUF" + struct.pack("<IQQ", 3, 1, len(facts)) + b"".join(facts) + tensor
    header += bytes(-len(header) % 32)
    file.write_bytes(header + bytes(18 * side if whole else 5))


def test_a_gguf_file_is_known_by_its_header(tmp_path: Path) -> None:
    write_gguf(tmp_path / "m.gguf")
    found = gguf.header("x", tmp_path / "m.gguf")
    assert (found.kind, found.layers, found.heads, found.width) == ("llama", 3, 2, 64)
    assert (found.parameters, found.stored, found.vocabulary) == (256, {"Q4_0": 256}, 2)


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"", "truncated"), (b"no GGUF at all", "header"), (b"GGUF" + b"\xff" * 40, "header")],
)
def test_a_broken_gguf_file_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "m.gguf").write_bytes(content)
    with pytest.raises(Unusable) as refusal:
        gguf.header("x", tmp_path / "m.gguf")
    assert refusal.value.why == why


def test_a_cut_gguf_file_is_refused(tmp_path: Path) -> None:
    write_gguf(tmp_path / "m.gguf", whole=False)
    with pytest.raises(Unusable) as refusal:
        gguf.header("x", tmp_path / "m.gguf")
    assert refusal.value.why == "truncated"


def test_without_its_packages_a_gguf_file_is_refused(
    configure: Configure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_gguf(tmp_path / "m.gguf")
    configure(model_roots=tmp_path, cache=tmp_path / "cache")
    monkeypatch.setattr(gguf, "find_spec", lambda _: None)
    with pytest.raises(ExtraMissing) as refusal:
        models.load("dir:m.gguf")
    assert refusal.value.packages == ("gguf", "accelerate")


def test_a_gguf_file_beyond_the_limit_is_not_converted(
    configure: Configure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_gguf(tmp_path / "m.gguf")
    configure(model_roots=tmp_path, cache=tmp_path / "cache", max_parameters=100)
    monkeypatch.setattr(gguf, "find_spec", lambda _: object())
    monkeypatch.setattr(gguf, "_convert", pytest.fail)
    with pytest.raises(TooLarge):
        models.load("dir:m.gguf")


def test_a_gguf_file_is_converted_once(
    configure: Configure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bert_folder: Path
) -> None:
    made: list[Path] = []

    def convert(name: str, file: Path, to: Path) -> None:
        assert name == "dir:m.gguf"
        made.append(file)
        for each in bert_folder.iterdir():
            (to / each.name).write_bytes(each.read_bytes())

    write_gguf(tmp_path / "m.gguf")
    configure(model_roots=tmp_path, cache=tmp_path / "cache")
    monkeypatch.setattr(gguf, "find_spec", lambda _: object())
    monkeypatch.setattr(gguf, "_convert", convert)
    for _ in range(2):
        assert models.load("dir:m.gguf").name == "dir:m.gguf"
    write_gguf(tmp_path / "m.gguf", side=16)  # another file under the same name
    gguf.converted("dir:m.gguf", tmp_path / "m.gguf")
    assert len(made) == 2
    assert not list((tmp_path / "cache" / "gguf").glob(".*"))
