"""Maps beside each other: of a flow, and of two heads; drawn, told and taken away."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from components import maps as maps_component
from components.alike import alike, verdict
from components.alike import exports as alike_files
from components.flow import board, caution, flow
from components.flow import exports as flow_files
from components.heads.exports import png
from components.theme import BERT
from components.words import use_language
from models.trace import Counterpart, Flow, Likeness, Unit
from tests.unit.test_heads_component import ABOUT, pixels

UNITS = tuple(Unit(word, (i,), i == 0, 0) for i, word in enumerate(["[CLS]", "a", "[MASK]", "a"]))
EVEN = np.full((2, 4, 4), 0.25, np.float32)
NAN = float("nan")


def a_flow(**changed: Any) -> Flow:
    facts: dict[str, Any] = {
        "kind": "encoder", "queries": UNITS, "keys": UNITS, "block": 1, "mean": EVEN,
        "carried": EVEN, "reached": EVEN, "agreement": np.array([0.5, 0.25]), "even": None,
        "provenance": ABOUT, "snippet": "print(0)",
    }  # fmt: skip
    return Flow(**(facts | changed))


def a_likeness(**changed: Any) -> Likeness:
    words = (
        Counterpart("[CLS]", "[CLS]", True), Counterpart("cat", "dog", False),
        Counterpart(None, "red", False),
    )  # fmt: skip
    one = np.array([[0.5, 0.5, NAN], [0.9, 0.1, NAN], [NAN, NAN, NAN]], np.float32)
    two = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]], np.float32)
    facts: dict[str, Any] = {
        "kinds": ("encoder", "encoder"), "heads": ((0, 1), (0, 0)), "queries": words,
        "keys": words, "first": one, "second": two, "distances": np.array([[0.1, 0.3]]),
        "elsewhere": (0.0, 0.15), "about": (ABOUT, ABOUT), "snippet": "print(0)",
    }  # fmt: skip
    return Likeness(**(facts | changed))


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    monkeypatch.setattr(maps_component, "_maps", lambda **kept: found.append(kept["data"]))
    return found


def test_a_flow_opens_at_its_last_layer_and_the_blank(sent: list[dict[str, Any]]) -> None:
    flow(a_flow(), key="k", colour=BERT, link={})
    (data,) = sent
    assert (data["layers"], data["layer"], data["row"]) == (2, 1, 2)
    assert [row["text"] for row in data["rows"]] == ["[CLS]", "a", "[MASK]", "a"]
    assert all((data[f"map{i}"] == 0.25).all() and len(data[f"map{i}"]) == 32 for i in range(3))
    flow(a_flow(), key="k", colour=BERT, link={"flow": "1", "from": "4"})
    assert (sent[1]["layer"], sent[1]["row"]) == (0, 3)


def test_what_a_model_does_not_show_is_left_out_and_said() -> None:
    cross = a_flow(kind="cross", reached=None)
    assert len(board(cross).maps) == 2
    closed = a_flow(carried=None)
    assert len(board(closed).maps) == 2
    assert "what is carried is missing" in caution(closed)
    assert "ρ = 0.25" in caution(a_flow())


def test_the_first_token_s_advantage_is_told() -> None:
    reached = EVEN.copy()
    reached[-1, -1, 0] = 0.62
    told = caution(a_flow(kind="decoder", reached=reached, even=np.array([0.5, 0.58])))
    assert "give it 58% of" in told and "it has 62%" in told
    assert "58" not in caution(a_flow())


def test_blocks_are_named_by_their_ends() -> None:
    small = np.full((2, 2, 2), 0.5, np.float32)
    drawn = board(a_flow(block=2, mean=small, carried=small, reached=small))
    assert [row.text for row in drawn.rows] == ["[CLS] … a", "[MASK] … a"]


def test_a_flow_is_taken_away_unrounded() -> None:
    table = flow_files.numbers(a_flow(carried=None))
    assert len(table.rows) == 32
    assert table.rows[0] == (0, 0, "[CLS]", 0, "[CLS]", 0.25, None, 0.25)
    assert flow_files.picture(a_flow(), BERT).markup.count("data:image/png") == 3


def test_two_heads_and_what_one_has_more(sent: list[dict[str, Any]]) -> None:
    alike(a_likeness(), key="k", follows="f", colour=BERT, link={})
    (data,) = sent
    assert [row["text"] for row in data["rows"]] == ["[CLS]", "cat / dog", "– / red"]
    difference = data["map2"].reshape(3, 3)
    assert difference[1, :2] == pytest.approx([0.8, -0.7])
    assert np.isnan(difference[:, 2]).all()
    assert data["maps"][2]["most"] == pytest.approx(0.8)
    assert (data["row"], data["at"], data["follows"]) == (1, [0, 1], "f")


def test_the_nearest_head_is_named_with_its_distance() -> None:
    told = verdict(a_likeness())
    assert "Of all 2 heads of bert-en, Layer 1 · head 1 is the most like it: 0.100 bits" in told
    assert "same place: 0.300 bits" in told
    assert "0 are the same, 1 stand in for each other, 1 have no counterpart" in told
    assert "0% of the first head’s weight and 15% of the second’s" in told
    other = verdict(a_likeness(heads=((0, 1), (0, 1))))
    assert "is 0.300 bits apart" in other and "would be Layer 1 · head 1: 0.100" in other
    with use_language("zh_TW"):
        assert "最像它的是第 1 層 · 第 1 頭" in verdict(a_likeness())


def test_two_heads_are_taken_away() -> None:
    rows = alike_files.numbers(a_likeness()).rows
    assert rows[3][:4] == (1, "cat / dog", 0, "[CLS]")
    assert rows[3][4:] == pytest.approx((0.9, 0.1, 0.8))
    assert rows[5][4:] == (None, pytest.approx(0.1), None)
    assert "data:image/png" in alike_files.picture(a_likeness(), BERT).markup


def test_signed_pictures_diverge_around_white() -> None:
    got = pixels(png(np.array([[0.0, -2.0, 2.0, NAN]]), BERT, most=1.0))
    assert got[0].tolist() == [[255] * 3, [15, 110, 168], [184, 81, 0], [150] * 3]
