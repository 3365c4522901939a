"""Attention, looked at closer: a query, three opinions, the flow, and heads side by side."""

from __future__ import annotations

from urllib.parse import parse_qsl

import numpy as np
import pytest

import models
from models.loading import Model
from models.trace import Sentence
from tests.pages.attention_page import (
    HIDDEN,
    MARKED,
    MODEL,
    attention,
    can_be_taken_away,
    choose,
    drawn,
    tiny,
)
from tests.pages.fill_page import bar
from tests.pages.fill_page import drawn as plain

__all__ = ["tiny"]  # a fixture

MAT, ON_THE_MAT = "the cat sat on the [[mat]]", Sentence("the cat sat on the mat", ((19, 22),))


def test_three_opinions_follow_the_open_head(tiny: dict[str, Model]) -> None:
    app = attention(text=MAT, model="bert-s-en", head="2.2", section="agree")
    third = models.attributions(tiny["bert-s-en"], ON_THE_MAT)
    found = models.at_blank(tiny["bert-s-en"], ON_THE_MAT, 1, attribution=third)
    data = plain(app, "edges")
    columns = list(zip(*(row["values"] for row in data["rows"]), strict=True))
    assert [each["bar"] for each in columns[0]] == pytest.approx(found.weights[1])
    most = np.nanmax(abs(found.third.values))
    expected = np.nan_to_num(found.third.values / most)
    assert [each["bar"] for each in columns[2]] == pytest.approx(expected, abs=1e-4)
    for rho in (found.agreement, found.third.attention, found.third.effects):
        assert f"ρ = {rho:.2f}".replace("-", "−") in data["headline"]
    choose(app, heads=[[0, 1]])
    assert plain(app, "edges")["at"] == [0, 1]
    can_be_taken_away(app, "edges")


def test_the_flow_is_the_model_s(tiny: dict[str, Model]) -> None:
    app = attention(text=MAT, model="bert-s-en", section="flow", flow="1", **{"from": "3"})
    look = models.all_heads(tiny["bert-s-en"], ON_THE_MAT)
    found = models.flow(tiny["bert-s-en"], look.reads, look.kind)
    data = drawn(app, "maps")
    for i, each in enumerate((found.mean, found.carried, found.reached)):
        assert (data[f"map{i}"] == each.ravel()).all()
    assert (data["layer"], data["row"]) == (0, 2)
    assert len(data["rows"]) == len(look.queries), "equal words keep rows of their own"
    can_be_taken_away(app, "flow")
    nonsense = attention(text=MAT, model="bert-s-en", section="flow", flow="x", **{"from": "99"})
    data = drawn(nonsense, "maps")
    assert data["layer"] == data["layers"] - 1
    assert data["rows"][data["row"]]["text"] == "[MASK]"


def test_against_another_sentence(tiny: dict[str, Model]) -> None:
    app = attention(text=MAT, model="bert-s-en", head="2.1", section="compare", against="sentence")
    assert "Type another sentence" in app.info[0].value
    other = "a dog sat in the [MASK]"
    app.text_input(key="attention_other_sentence").set_value(other).run()
    model = tiny["bert-s-en"]
    look = models.all_heads(model, ON_THE_MAT)
    found = models.likeness(model, look.reads, look.kind, (1, 0), model, Sentence(other))
    data = drawn(app, "maps")
    assert data["map0"] == pytest.approx(found.first.ravel(), nan_ok=True)
    assert data["map2"] == pytest.approx(found.difference.ravel(), nan_ok=True)
    assert "cat / dog" in [row["text"] for row in data["rows"]]
    app.radio(key="attention_which").set_value("same").run()
    assert drawn(app, "maps")["maps"][1]["title"].startswith("Layer 2 · head 1 · ")
    can_be_taken_away(app, "alike")
    again = attention(**dict(parse_qsl(bar(app, "alike")["link"])))
    assert (drawn(again, "maps")["map1"] == drawn(app, "maps")["map1"]).all()


def test_against_another_model(tiny: dict[str, Model]) -> None:
    text = "the cat sat on the mat"
    app = attention(text=text, model="bert-s-en", section="compare", other="gpt-s-en", head="1.2")
    assert app.selectbox(key="attention_other").options == ["gpt-s-en", "seq-s-en"], "no ELMo"
    assert drawn(app, "maps")["maps"][1]["title"].endswith(tiny["gpt-s-en"].name)
    choose(app, heads=[[1, 0]])
    assert drawn(app, "maps")["at"] == [1, 0]
    cross = attention(text=text, model="seq-s-en", attention="cross", section="compare")
    assert "Type another sentence" in cross.info[-1].value, "no other has cross attention"


def test_a_query_is_followed_and_linked() -> None:
    app = attention(text=MARKED, head="3.5", query="3")
    data, look = drawn(app, "stages"), models.all_heads(MODEL, HIDDEN)
    true = models.query_stages(MODEL, look.reads, look.kind, (2, 4), 2)
    assert data["query"] == 2
    assert [row["share"] for row in data["rows"]] == pytest.approx(true.weights)
    app.session_state["attention_stages"] = {"query": 12}
    choose(app, heads=[[0, 2]])
    assert (drawn(app, "stages")["at"], drawn(app, "stages")["query"]) == ([0, 2], 12)
    again = attention(**dict(parse_qsl(bar(app, "query")["link"])))
    assert drawn(again, "stages")["query"] == 12
    can_be_taken_away(app, "query")
