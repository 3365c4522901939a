"""Models in memory: so many bytes, the one unused for longest leaves first, and none in use."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from models import loading
from models.errors import NoRoom, UnknownModel
from models.loading import Model, Shelf, open_model
from models.names import Name, parse

Configure = Callable[..., None]


@pytest.fixture
def roots(configure: Configure, bert_folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of what was opened, in order; any name stands for the same small folder."""
    opened: list[str] = []

    def opening(name: str, path: Path) -> Model:
        opened.append(name)
        return open_model(name, path)

    configure()
    monkeypatch.setattr(loading, "folder", lambda _: bert_folder)
    monkeypatch.setattr(loading, "open_model", opening)
    return opened


@pytest.fixture
def size(tiny_bert: Model) -> int:
    return tiny_bert.size


def test_the_size_of_a_model_is_that_of_its_weights(tiny_bert: Model) -> None:
    parameters = {p.data_ptr(): p.numel() for p in tiny_bert.network.parameters()}
    assert 0 <= tiny_bert.size - 4 * sum(parameters.values()) < 2_000  # position ids, counted too


def test_the_model_unused_for_longest_leaves_first(roots: list[str], size: int) -> None:
    shelf = Shelf(room=round(2.5 * size))
    for name in ("a", "b", "a", "c", "a", "b"):
        shelf.get(name)
        assert shelf.taken <= 2.5 * size
    assert roots == ["a", "b", "c", "b"]


def test_a_model_in_use_stays(roots: list[str], size: int) -> None:
    shelf = Shelf(room=round(2.5 * size), patience=0)
    used = shelf.get("a")
    for name in ("b", "c", "d"):
        shelf.get(name)
    assert shelf.get("a") is used
    assert roots == ["a", "b", "c", "d"]


def test_where_all_are_in_use_one_waits_and_is_told(roots: list[str], size: int) -> None:
    shelf = Shelf(room=round(1.5 * size), patience=0.2)
    used = [shelf.get("a")]
    with pytest.raises(NoRoom):
        shelf.get("b")
    assert shelf.get("a") is used[0]
    patient = Shelf(room=round(1.5 * size), patience=30)
    used = [patient.get("a")]
    threading.Timer(0.3, used.clear).start()
    assert patient.get("b").name == "b"


def test_eight_threads_share_one_load(roots: list[str]) -> None:
    shelf = Shelf(room=10**9)
    with ThreadPoolExecutor(8) as pool:
        loaded = set(pool.map(shelf.get, ["a"] * 16))
    assert len(roots) == len(loaded) == 1


def test_a_refused_model_is_tried_again(
    roots: list[str], monkeypatch: pytest.MonkeyPatch, bert_folder: Path
) -> None:
    def refuse(name: str) -> Path:
        raise UnknownModel(name)

    shelf = Shelf(room=10**9)
    monkeypatch.setattr(loading, "folder", refuse)
    with pytest.raises(UnknownModel):
        shelf.get("later")
    monkeypatch.setattr(loading, "folder", lambda _: bert_folder)
    assert shelf.get("later").name == "later"


def test_a_number_format_is_part_of_the_name(roots: list[str], size: int) -> None:
    shelf = Shelf(room=10**9)
    half = shelf.get("dir:a@bfloat16")
    assert half.provenance.dtype == "bfloat16"
    assert 0 <= half.size - size / 2 < 2_000
    assert shelf.get("dir:a").provenance.dtype == "float32"


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("bert-en", Name("", "bert-en")),
        ("dir:a@b", Name("dir", "a@b")),
        ("dir:a@cuda", Name("dir", "a", device="cuda")),
        ("hub:o/n@0123456", Name("hub", "o/n", "0123456")),
        ("hub:o/n@float16", Name("hub", "o/n", dtype="float16")),
        ("package:p", Name("package", "p")),
        ("http://x/y", Name("", "http://x/y")),
    ],
)
def test_names_are_taken_apart_and_put_together(name: str, parts: Name) -> None:
    assert parse(name) == parts
    assert str(parts) == name
