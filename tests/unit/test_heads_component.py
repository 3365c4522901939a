"""All heads and one head: what the browser gets, what it may say, and what can be taken away."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from components import head as one_component
from components import heads as all_component
from components.head import Choice, choice, head
from components.head import exports as one_files
from components.heads import exports as all_files
from components.heads import heads
from components.heads.kinds import MEASURES, flags, order, told, value_shown
from components.theme import BERT
from components.words import use_language
from models.measures import STATISTICS, head_statistics
from models.measures.weights import quantised
from models.trace import AllHeads, OneHead, Provenance, Reads, Sentence, Token, Unit

ABOUT = Provenance("bert-en", "0123456789ab", "float32", (("torch", "2.13.0"),))
WORDS = ["[CLS]", "the", "cat", "the"]
TOKENS = tuple(
    Token(word, 4 * i, 4 * i + 3, i % 3, word, "special" if i == 0 else "word", i, 0 if i else None)
    for i, word in enumerate(WORDS)
)
SINK = np.tile([0.9, 0.05, 0.03, 0.02], (4, 1))
BACK = np.eye(4, k=-1) + np.diag([1.0, 0, 0, 0])
EVEN = np.full((4, 4), 0.25)


def look(*maps: np.ndarray) -> AllHeads:
    """One layer of such heads."""
    weights = np.array([maps])
    levels, scales = quantised(weights)
    found = head_statistics(weights[0], np.array([token.id for token in TOKENS]))
    return AllHeads(
        kind="encoder", kinds=("encoder",), reads=Reads(Sentence("the cat the")), queries=TOKENS,
        keys=TOKENS, levels=levels, scales=scales, block=1,
        statistics={name: values[None] for name, values in found.items()},
        sinks=weights.mean(axis=2).argmax(axis=-1), cut=("", "", ""), provenance=ABOUT,
        snippet="print(0)",
    )  # fmt: skip


def shown(weights: np.ndarray = SINK, mask: np.ndarray | None = None) -> OneHead:
    units = tuple(Unit(word, (i,), i == 0, 0) for i, word in enumerate(WORDS))
    every = np.ones(weights.shape, dtype=bool)
    return OneHead(
        "encoder", ((0, 1),), units, units, weights.astype(np.float32),
        every if mask is None else mask, ABOUT, "print(0)",
    )  # fmt: skip


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for component, mount in ((all_component, "_heads"), (one_component, "_head")):
        monkeypatch.setattr(component, mount, lambda **kept: found.append(kept["data"]))
    return found


def test_the_browser_gets_bytes_and_scales(sent: list[dict[str, Any]]) -> None:
    heads(look(SINK, BACK), key="k", colour=BERT, opened=[(0, 1)])
    (data,) = sent
    assert data["levels"].dtype == np.uint8
    assert data["scales"].dtype == np.float32
    got = data["levels"].reshape(2, 4, 4) * data["scales"].reshape(2, 4, 1)
    assert got[0] == pytest.approx(SINK, abs=0.9 / 510 + 1e-7)
    assert (data["rows"], data["columns"], data["open"]) == (4, 4, [[0, 1]])


def test_the_open_head_is_sent_as_it_is(sent: list[dict[str, Any]]) -> None:
    one = shown()
    head(one, key="k", colour=BERT, chosen=Choice(((0, 1),), rows=(2, 9)), plain=True)
    (data,) = sent
    assert data["weights"].dtype == np.float32
    assert (data["weights"].reshape(4, 4) == one.weights).all()
    assert [unit["text"] for unit in data["queries"]] == WORDS, "equal words keep their rows"
    assert data["locked"]["rows"] == [2], "what is locked exists"
    assert data["mask"] is None


def test_what_may_not_be_looked_at_is_told(sent: list[dict[str, Any]]) -> None:
    mask = np.tril(np.ones((4, 4), dtype=bool))
    head(shown(mask=mask), key="k", colour=BERT, chosen=Choice(((0, 1),)), plain=True)
    assert (sent[0]["mask"].reshape(4, 4) == mask).all()
    assert len(one_files.numbers(shown(mask=mask)).rows) == 10


def test_kinds_of_heads() -> None:
    found = {flag.name: flag.heads for flag in flags(look(SINK, BACK, EVEN))}
    assert found == {"sink": (0,), "previous": (1,)}
    on_a_word = np.roll(SINK, 2, axis=1)
    assert not flags(look(on_a_word)), "only a special token is flagged as a sink"


def test_all_measures_are_shown_and_sort() -> None:
    assert [measure.name for measure in MEASURES] == list(STATISTICS)
    seen, by = look(EVEN, SINK, BACK), {measure.name: measure for measure in MEASURES}
    assert order(seen, by["entropy"]) == [2, 1, 0]
    assert order(seen, by["sink"]) == [1, 2, 0]
    nothing = replace(seen, statistics=seen.statistics | {"sink": np.array([[np.nan, 0.5, 0.7]])})
    assert order(nothing, by["sink"]) == [2, 1, 0]
    assert value_shown(float("nan"), by["sink"]) == "–"


def test_each_head_is_told_in_words() -> None:
    seen = look(SINK, BACK)
    first, second = told(seen, flags(seen))
    assert first.startswith("Layer 1 · head 1: entropy 0.6")
    assert "“[CLS]” gets 90% of all weight · ■ sink on a special token" in first
    assert "↰ previous token" in second
    with use_language("zh_TW"):
        assert "第 1 層 · 第 1 頭" in told(seen, flags(seen))[0]


@pytest.mark.parametrize(
    "state",
    [
        {"heads": "x"}, {"heads": [[0]]}, {"heads": [[9, 9]]}, {"heads": [["0", "1"]]}, {"rows": 3},
        {"rows": [-1, True, "2"]}, {"top": 0}, {"top": "25"}, {"columns": None}, {"heads": []},
    ],
)  # fmt: skip
def test_a_browser_may_say_anything(monkeypatch: pytest.MonkeyPatch, state: object) -> None:
    monkeypatch.setattr(one_component.st, "session_state", {"k": state})
    assert choice("k", 2, 3, {}, (1, 2)) == Choice(((1, 2),))


@pytest.mark.parametrize("link", [{"head": "x.y,3"}, {"head": "9.9", "top": "²"}, {"rows": "0,a"}])
def test_a_link_may_say_anything(monkeypatch: pytest.MonkeyPatch, link: dict[str, str]) -> None:
    monkeypatch.setattr(one_component.st, "session_state", {})
    assert choice("k", 2, 3, link, (0, 0)) == Choice(((0, 0),))


def test_a_link_restores_and_the_visitor_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, Any] = {}
    monkeypatch.setattr(one_component.st, "session_state", state)
    link = {"head": "2.3,1.1", "rows": "2,4", "top": "40"}
    assert choice("k", 2, 3, link, (0, 0)) == Choice(((1, 2), (0, 0)), (1, 3), (), 40)
    state["k"] = {"heads": [[0, 1]], "rows": []}
    assert choice("k", 2, 3, link, (0, 0)) == Choice(((0, 1),), (), (), 40)
    state["k"] = {}
    assert choice("k", 2, 3, link, (0, 0)).heads == ((0, 1),), "also after another page"


def pixels(data: bytes) -> np.ndarray:
    """A PNG of ours, read back."""
    width, height = struct.unpack(">II", data[16:24])
    start = data.index(b"IDAT") + 4
    lines = np.frombuffer(zlib.decompress(data[start:-16]), np.uint8)
    return lines.reshape(height, 1 + 3 * width)[:, 1:].reshape(height, width, 3)


def test_pictures_hold_the_weights() -> None:
    weights = np.array([[0.0, 1.0], [0.25, np.nan]])
    got = pixels(all_files.png(weights, BERT))
    assert got[0].tolist() == [[255, 255, 255], [0, 114, 178]]
    assert got[1, 0].tolist() == [128, 184, 216], "half way at a quarter: the square root"
    assert got[1, 1].tolist() == [150, 150, 150]
    assert "<svg" in all_files.picture(look(SINK, BACK), BERT).markup
    assert one_files.picture(shown(), BERT, 25).markup.count("<path") == 4


def test_the_strongest_edges() -> None:
    assert one_files.strongest(shown(), 25) == [(0, 0), (1, 0), (2, 0), (3, 0)]
    assert len(one_files.strongest(shown(BACK), 100)) == 4, "an edge without weight is no line"


def test_tables_hold_every_number() -> None:
    table = all_files.numbers(look(SINK, BACK))
    assert [row[:2] for row in table.rows] == [(0, 0), (0, 1)]
    assert table.rows[1][4] == pytest.approx(1.0)
    rows = one_files.numbers(shown()).rows
    assert len(rows) == 16
    assert rows[4] == (1, "the", 0, "[CLS]", float(np.float32(0.9)))
