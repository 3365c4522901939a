"""Through the output head: stages that say what is in them, and a verdict that can say no."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as Xml

import numpy as np
import pytest

from components import head_steps as component
from components.head_steps import STAGES, head_steps, span
from components.head_steps.exports import numbers, picture
from components.head_steps.stages import followed, stages
from components.head_steps.verdict import gain, verdict
from components.words import use_language
from models.trace import HeadSteps, Standing
from tests.unit.inside_by_hand import BARE, LOGITS, STEPS, UNTYPED, WORDS, answer, shares_of

SVG = "{http://www.w3.org/2000/svg}"
NARROW = replace(STEPS, without=None, without_logits=None, best_without=None)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    monkeypatch.setattr(component, "_head_steps", lambda **mount: found.append(mount["data"]))
    return found


def drawn(sent: list[dict[str, Any]], steps: HeadSteps) -> dict[str, Any]:
    head_steps(steps, key="x", colour="#0072B2", words=WORDS, step=0)
    json.dumps(sent[-1])
    return sent[-1]


def without(share: float) -> HeadSteps:
    """The head, and around it an answer in which the visitor's word has this probability."""
    bare = replace(answer(*shares_of(BARE)), original_probability=share)
    return replace(STEPS, without=bare)


def test_each_stage_tells_what_comes_out_of_it() -> None:
    found = stages(STEPS)
    assert len(found) == STAGES
    assert [
        stage.name for stage in found
    ] == "State Dense Activation LayerNorm Logits Softmax".split()
    assert [stage.size for stage in found][3:] == ["4 numbers", "8 scores", "8 probabilities"]
    facts = dict(found[1].facts)
    assert facts["Mean"] == "−0.25" and facts["Largest"] == "1"
    assert facts["Below zero"] == "50%"
    assert facts["Length (Euclidean)"] == f"{np.linalg.norm(STEPS.dense):.2f}"
    assert "4 × 4" in found[1].told and "8 × 4" in found[4].told
    assert found[2].before is STEPS.dense and found[3].before is STEPS.activation
    assert "layer 2" in found[0].told


def test_a_head_that_changes_the_width_is_not_drawn_dot_by_dot() -> None:
    wider = replace(NARROW, hidden=np.ones(6, dtype=np.float32))
    assert stages(wider)[1].before is None
    assert "4 × 6" in stages(wider)[1].told


def test_pictures_are_the_numbers(sent: list[dict[str, Any]]) -> None:
    dense = drawn(sent, STEPS)["stages"][1]
    assert dense["vector"]["values"] == [1.0, -2.0, 0.5, -0.5]
    assert sum(dense["vector"]["counts"]) == 4
    assert (dense["vector"]["low"], dense["vector"]["high"]) == (-2.0, 1.0)
    assert dense["before"]["values"] == [0.5, -0.25, 0.125, 0.0]
    assert dense["vector"]["ends"] == ["−2", "1"]


@pytest.mark.parametrize("values", [[0.0, 0.0], [3.0, 4.0], [-1.0, -2.0]])
def test_the_axis_always_has_room_and_zero(values: list[float]) -> None:
    low, high = span(np.array(values))
    assert low <= 0 <= high and low < high


def test_scores_are_marked_where_they_stand(sent: list[dict[str, Any]]) -> None:
    scores = drawn(sent, STEPS)["stages"][4]["scores"]
    assert sum(scores["counts"]) == WORDS
    milk, tea = scores["marks"]
    assert milk == {"at": 1.0, "text": "“milk” 2"}
    assert tea["at"] == pytest.approx((1 - LOGITS.min()) / (2 - LOGITS.min()))
    assert tea["text"] == "“tea” 1"
    assert len(drawn(sent, UNTYPED)["stages"][4]["scores"]["marks"]) == 1


def test_both_answers_stand_beside_each_other(sent: list[dict[str, Any]]) -> None:
    first, second = drawn(sent, STEPS)["outcomes"]
    assert [bar["word"] for bar in first["bars"]] == ["milk", "tea", "gold"]
    assert [bar["word"] for bar in second["bars"]] == ["the", "gold", "…ing"]
    assert "rank 2 of 8" in first["standing"] and "rank 8 of 8" in second["standing"]
    (only,) = drawn(sent, NARROW)["outcomes"]
    assert only["bars"] == first["bars"]


def test_without_a_word_of_the_visitor_the_answer_is_followed() -> None:
    pair = followed(UNTYPED)
    assert (pair.word, pair.own, pair.with_it.rank) == ("milk", False, 1)
    assert pair.without == UNTYPED.best_without


def test_the_verdict_is_computed_and_can_say_no() -> None:
    share = shares_of(LOGITS)[1]
    assert verdict(STEPS).startswith("Supported here. With dense")
    worse = verdict(without(share * math.e))
    assert worse.startswith("Not supported here") and "They take 1.0 nats" in worse
    assert verdict(without(share * 1.05)).startswith("No difference here.")
    assert "“milk” is rank 1" in verdict(UNTYPED)


def test_the_verdict_counts_nats() -> None:
    share = shares_of(LOGITS)[1]
    found = gain(followed(without(share / 20)))
    assert found == pytest.approx(math.log(20))
    assert "They add 3.0 nats" in verdict(without(share / 20))


def test_no_verdict_without_numbers() -> None:
    assert "nothing can be left out" in verdict(NARROW)
    impossible = replace(UNTYPED, best_without=Standing(8, 0.0))
    assert gain(followed(impossible)) is None
    assert verdict(impossible).startswith("With dense")


def test_the_table_has_answers_and_vectors() -> None:
    rows = list(numbers(STEPS).rows)
    answers = [row for row in rows if row[1] is None]
    assert [row[3:5] for row in answers] == [
        (1, "milk"), (2, "tea"), (3, "gold"), (1, "the"), (2, "gold"), (3, "…ing"), (8, "tea"),
    ]  # fmt: skip
    dense = [row[2] for row in rows if row[0] == "dense"]
    assert dense == STEPS.dense.tolist()
    assert len(rows) == len(answers) + 4 * 4
    assert not [row for row in numbers(NARROW).rows if row[0] == "bypass"]


@pytest.mark.parametrize("steps", [STEPS, NARROW, UNTYPED])
def test_the_picture_has_every_number_of_every_vector(steps: HeadSteps) -> None:
    drawn = picture(steps, "#0072B2")
    root = Xml.fromstring(drawn.markup.encode())  # noqa: S314 - our own
    columns = [r for r in root.iter(f"{SVG}rect") if r.attrib["fill"] == "#0072B2"]
    assert len(columns) >= 16
    assert drawn.alt == verdict(steps)


def test_chinese() -> None:
    with use_language("zh_TW"):
        assert verdict(STEPS).startswith("在這裡成立。")
        assert [stage.name for stage in stages(STEPS)][:3] == ["狀態", "全連接層", "激活函數"]
