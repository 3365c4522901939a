"""Effects, edges and a query's stages: what is drawn, said and taken away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from components import edges as edges_component
from components import effects as effects_component
from components import stages as stages_component
from components.edges import edges
from components.edges.exports import numbers as edge_numbers
from components.edges.exports import picture as edge_picture
from components.edges.verdict import caution, verdict
from components.effects import effects, headline, nats
from components.effects.exports import numbers, picture
from components.stages import asked, listed, stages
from components.stages.exports import numbers as stage_numbers
from components.stages.exports import picture as stage_picture
from components.stages.steps import headline as brought
from components.stages.steps import steps
from components.theme import BERT
from components.words import use_language
from models.trace import AtBlank, Attribution, Measurement, QueryStages, ThirdOpinion, Unit
from tests.unit.test_heads_component import ABOUT

FOUND = Measurement("head_effects", np.array([[0.1, -0.8], [0.0, 0.4]]), ABOUT, "print(0)")
EDGES = AtBlank(
    kind="encoder",
    layer=2,
    keys=("[CLS]", "walk", "##ing"),
    weights=np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]]),
    effects=np.array([[-0.01, 0.3, 0.0], [0.0, 0.1, -0.9]]),
    agreement=0.25,
    third=None,
    provenance=ABOUT,
    snippet="print(0)",
)
GRADIENTS = Attribution(
    values={"input_ids": np.array([np.nan, 0.5, -1.0])}, answer=7, original=-1.0, baseline=-0.5,
    error=0.00002, steps=64, mean_baseline=False, provenance=ABOUT, snippet="print(0)",
)  # fmt: skip
THIRD = replace(
    EDGES,
    third=ThirdOpinion(
        values=np.array([np.nan, 0.5, -1.0]), elsewhere=0.0, attention=0.5, effects=-0.25,
        about=GRADIENTS,
    ),
)  # fmt: skip
QUERY, KEYS = np.array([1.0, 2.0], np.float32), np.array([[2, 0], [0, 1], [1, 1]], np.float32)
STAGES = QueryStages(
    kind="decoder", layer=0, head=1, query=1,
    keys=tuple(Unit(word, (i,), i == 0, 0) for i, word in enumerate(["[CLS]", "a", "b"])),
    query_vector=QUERY, key_vectors=KEYS, products=KEYS @ QUERY, scale=2**-0.5,
    scores=KEYS @ QUERY * np.float32(2**-0.5), mask=np.array([True, True, False]),
    weights=np.array([0.6, 0.4, 0.0], np.float32),
    value_norms=np.array([0.5, 3.0, 9.0], np.float32), context=np.ones(2, np.float32),
    provenance=ABOUT, snippet="print(0)",
)  # fmt: skip


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for component, mount in (
        (effects_component, "_effects"), (edges_component, "_edges"), (stages_component, "_stages")
    ):  # fmt: skip
        monkeypatch.setattr(component, mount, lambda **kept: found.append(kept["data"]))
    return found


def test_the_map_is_scaled_around_zero(sent: list[dict[str, Any]]) -> None:
    effects(FOUND, "food", key="k", colour=BERT, opened=[(0, 1)])
    (data,) = sent
    assert data["shares"] == pytest.approx([0.125, -1.0, 0.0, 0.5])
    assert data["told"][1] == "Layer 1 · head 2: −0.800 nats"
    assert data["told"][3] == "Layer 2 · head 2: +0.400 nats"
    assert "“food”" in headline(FOUND, "food") and "Layer 1 · head 2, −0.800" in data["headline"]


def test_what_is_no_number_is_none(sent: list[dict[str, Any]]) -> None:
    found = replace(FOUND, values=np.array([[np.nan, 0.5]]))
    effects(found, "food", key="k", colour=BERT, opened=[])
    assert sent[0]["shares"] == [None, 1.0]
    assert nats(float("nan")) == "–"
    assert "#999999" in picture(found, "food").markup
    nothing = replace(FOUND, values=np.zeros((1, 2)))
    effects(nothing, "food", key="k", colour=BERT, opened=[])
    assert sent[1]["shares"] == [0.0, 0.0]


def test_effects_are_taken_away_unrounded() -> None:
    assert numbers(FOUND, "food").rows[1] == (0, 1, -0.8)
    assert "#0F6EA8" in picture(FOUND, "food").markup


def test_edges_stand_beside_their_weights(sent: list[dict[str, Any]]) -> None:
    edges(EDGES, 1, key="k", follows="f", colour=BERT)
    rows = sent[0]["rows"]
    assert [row["key"] for row in rows] == ["[CLS]", "walk", "…ing"]
    assert bars(rows, 0) == pytest.approx([0.1, 0.1, 0.8])
    assert bars(rows, 1) == pytest.approx([0.0, 1 / 9, -1.0])
    assert len(edge_numbers(EDGES).rows) == 6


def bars(rows: list[dict[str, Any]], column: int) -> list[float]:
    return [row["values"][column]["bar"] for row in rows]


def test_the_third_opinion_stands_beside_them(sent: list[dict[str, Any]]) -> None:
    edges(THIRD, 1, key="k", follows="f", colour=BERT)
    rows = sent[0]["rows"]
    assert bars(rows, 2) == pytest.approx([0.0, 0.5, -1.0])
    assert [row["values"][2]["shown"] for row in rows] == ["–", "0.500", "−1.000"]
    told = sent[0]["headline"]
    assert "ρ = 0.50" in told and "ρ = −0.25" in told and "“…ing” adds most: −1.000 nats" in told
    assert [row[-1] for row in edge_numbers(THIRD).rows[:3]] == [None, 0.5, -1.0]
    assert edge_picture(THIRD, 1, BERT).markup.count("Integrated gradients") >= 1


def test_completeness_is_told() -> None:
    told = caution(THIRD, 0)
    assert "log p = −0.50) to this one (−1.00)" in told
    assert "Completeness error: less than 0.0001 nats" in told
    assert "[MASK] stands for no word" in told and "elsewhere" not in told
    other = replace(THIRD.third, elsewhere=0.75, about=replace(GRADIENTS, error=-0.02))
    told = caution(replace(THIRD, third=other), 0)
    assert "Words elsewhere add +0.750 nats" in told and "error: 0.0200 nats" in told
    mean = replace(THIRD.third, about=replace(GRADIENTS, mean_baseline=True))
    assert "the mean of all word vectors" in caution(replace(THIRD, third=mean), 0)


def test_the_verdict_says_whether_both_point_at_the_same() -> None:
    assert "ρ = 0.25" in verdict(EDGES, 0)
    assert "looks most at “[CLS]” (0.70): cutting that edge" in verdict(EDGES, 0)
    assert "cutting “walk”: +0.300 nats" in verdict(EDGES, 0)
    assert "changes the answer most, too: −0.900 nats" in verdict(EDGES, 1)
    assert "all edges are alike" in verdict(replace(EDGES, agreement=float("nan")), 0)
    with use_language("zh_TW"):
        assert "第 3 層" in verdict(EDGES, 0)


def test_stages_show_the_model_s_numbers(sent: list[dict[str, Any]]) -> None:
    stages(STAGES, ["[CLS]", "a", "b"], key="k", follows="f", colour=BERT)
    (data,) = sent
    assert [row["product"] for row in data["rows"]] == ["2.00", "2.00", "3.00"]
    assert [row["masked"] for row in data["rows"]] == ["1.41", "1.41", "−∞"]
    assert [row["brings"] for row in data["rows"]] == ["0.300", "1.200", "0.000"]
    assert data["vectors"].reshape(4, 2)[1:] * 2 == pytest.approx(KEYS)
    assert data["products"].reshape(3, 2) * 2 == pytest.approx(KEYS * QUERY)


def test_each_step_is_told_with_its_numbers() -> None:
    told = [step.told for step in steps(STAGES)]
    assert len(told) == 6
    assert "2.00 for “[CLS]”" in told[1]
    assert "0.7071" in told[2]
    assert "1 keys" in told[3]
    assert "60.0%" in told[4]
    assert "“a”, 1.200" in told[5]
    assert "“a” brings more: its value vector is longer (3.00 against 0.50)" in brought(STAGES)
    other = steps(replace(STAGES, scale=None, mask=np.ones(3, dtype=bool)))
    assert "something else" in other[2].told
    assert "No key is masked" in other[3].told


def test_stages_are_taken_away() -> None:
    rows = stage_numbers(STAGES).rows
    assert rows[2][:5] == (2, "b", 3.0, pytest.approx(3 / 2**0.5), 0)
    assert "<svg" in stage_picture(STAGES, BERT).markup


def test_of_many_keys_the_strongest_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages_component, "MOST", 2)
    assert listed(STAGES) == [0, 1]


@pytest.mark.parametrize("state", [None, 3, {"query": 9}, {"query": True}, {"query": -1}])
def test_a_browser_may_ask_for_anything(monkeypatch: pytest.MonkeyPatch, state: object) -> None:
    monkeypatch.setattr(stages_component.st, "session_state", {"k": state})
    assert asked("k", 4) is None


def test_a_browser_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages_component.st, "session_state", {"k": {"head": [1, 2], "query": 3}})
    assert asked("k", 4) == 3
