"""Attention as a visitor drives it: every head, the open one, its switches, pairs and links."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest

import models
from models.catalog import BUNDLED
from models.loading import Model
from models.settings import settings
from models.trace import Sentence
from tests.pages.fill_page import SHELL, bar, taken
from tests.pages.fill_page import drawn as plain
from tests.unit.kinds import build_kind

MODEL = settings().default_model
CHEF = "The chef who ran to the store was out of food."
MARKED = "The chef who ran to the store was out of [[food]]."
HIDDEN = Sentence(CHEF, ((41, 45),))
MAT, ON_THE_MAT = "the cat sat on the [[mat]]", Sentence("the cat sat on the mat", ((19, 22),))


def attention(locale: str = "en-US", **query: str) -> AppTest:
    """The page as a new visitor finds it."""
    app = AppTest.from_file(SHELL, default_timeout=120)
    app.switch_page("../pages/attention.py")
    app.context = {"locale": locale}
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def drawn(app: AppTest, component: str) -> dict[str, Any]:
    """The data of the only such component, its columns of numbers as arrays."""
    (proto,) = (
        each.proto
        for each in app.get("bidi_component")
        if each.proto.component_name == f"unmask.{component}"
    )
    data: dict[str, Any] = json.loads(proto.mixed.json)
    for name, value in data.items():
        if (
            isinstance(value, dict)
            and len(value) == 1
            and next(iter(value.values())) in (blobs := proto.mixed.arrow_blobs)
        ):
            table = convert_arrow_bytes_to_pandas_df(blobs[next(iter(value.values()))].data)
            data[name] = table.iloc[:, 0].to_numpy()
    return data


def choose(app: AppTest, **state: object) -> AppTest:
    """What the open head reports."""
    app.session_state["attention_head"] = state
    app.run()
    assert not app.exception
    return app


def map_of(app: AppTest) -> np.ndarray:
    data = drawn(app, "head")
    return data["weights"].reshape(len(data["queries"]), len(data["keys"]))


@pytest.fixture
def tiny(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Model]:
    """A menu of tiny models of each kind."""
    kinds = ("bert", "gpt", "seq", "elmo")
    made = {f"{kind}-s-en": build_kind(kind, tmp_path_factory.mktemp(kind)) for kind in kinds}
    facts = tuple(replace(each, folder=Path()) for each in BUNDLED if each.name in made)
    monkeypatch.setattr(models, "bundled", lambda: facts)
    monkeypatch.setattr("models.loading.load", lambda name: made[name])
    return made


def test_the_bytes_are_the_model_s_weights() -> None:
    app, true = attention(text=MARKED), models.trace(MODEL, HIDDEN).encoder.weights()
    data = drawn(app, "heads")
    assert data["levels"].dtype == np.uint8
    got = data["levels"].reshape(true.shape) * data["scales"].reshape(*true.shape[:3], 1)
    assert (abs(got - true) <= true.max(axis=-1, keepdims=True) / 510 * (1 + 1e-4)).all()
    assert len(data["told"]) == true.shape[0] * true.shape[1]


def test_the_open_head_is_exact_and_opens_without_the_bytes() -> None:
    app, true = attention(text=MARKED), models.trace(MODEL, HIDDEN).encoder.weights()
    (layer, head) = drawn(app, "heads")["open"][0]
    assert (map_of(app) == true[layer, head]).all()
    choose(app, heads=[[3, 6]])
    assert (map_of(app) == true[3, 6]).all()
    assert drawn(app, "head")["title"] == "Layer 4 · head 7"


def test_mixed_merged_and_hidden() -> None:
    app = attention(text="The lighthouses [[were]] unforgettable.", head="2.3,4.5")
    assert drawn(app, "head")["heads"] == [[1, 2], [3, 4]]
    assert drawn(app, "head")["plain"]
    before = len(map_of(app))
    app.toggle(key="attention_merge").set_value(True).run()
    app.toggle(key="attention_hide").set_value(True).run()
    data = drawn(app, "head")
    words = [unit["text"] for unit in data["queries"]]
    assert words == ["The", "lighthouses", "[MASK]", "unforgettable", "."]
    assert len(words) < before
    assert not data["plain"]
    assert map_of(app).sum(axis=1) == pytest.approx(1)


def test_a_pair_and_its_parts() -> None:
    app = attention(text=MARKED, pair="She bought bread.")
    assert [unit["text"] for unit in drawn(app, "head")["keys"]][-5:-1] == [
        "She",
        "bought",
        "bread",
        ".",
    ]
    app.radio(key="attention_between").set_value("01").run()
    data = drawn(app, "head")
    assert [unit["text"] for unit in data["keys"]] == ["She", "bought", "bread", "."]
    assert "[CLS]" not in [unit["text"] for unit in data["queries"]]


def test_a_link_restores_everything() -> None:
    app = attention(text=MARKED, pair="She bought bread.", merge="1", part="10")
    choose(app, heads=[[4, 8]], rows=[1], top=60)
    again = attention(**dict(parse_qsl(bar(app, "head")["link"])))
    data = drawn(again, "head")
    assert (data["heads"], data["top"], data["locked"]["rows"]) == ([[4, 8]], 60, [1])
    assert (map_of(again) == map_of(app)).all()


@pytest.mark.parametrize("nonsense", ["", "x", "99.99", "0"])
def test_any_link_opens_the_page(nonsense: str) -> None:
    app = attention(
        text=MARKED, head=nonsense, rows=nonsense, top=nonsense, model=nonsense, attention=nonsense
    )
    assert drawn(app, "head")["top"] == 25


def test_no_words_say_what_to_do() -> None:
    app = attention(text=MARKED)
    app.session_state["attention"] = {"sentence": {"text": "  ", "hidden": []}}
    app.run()
    assert not app.exception
    assert "Type an English sentence" in app.info[0].value
    names = {each.proto.component_name for each in app.get("bidi_component")}
    assert not names & {"unmask.heads", "unmask.head"}


def test_everything_can_be_taken_away() -> None:
    app = attention(text=MARKED)
    for key in ("heads", "head"):
        assert taken(app, key, "numbers")["rows"]
        assert taken(app, key, "picture")["markup"].startswith("<svg")
        compile(taken(app, key, "code")["code"], key, "exec")
        assert MODEL in str(taken(app, key, "about"))


def test_each_kind_of_attention_has_its_own_depth(tiny: dict[str, Model]) -> None:
    app = attention(text="the cat sat on the mat", model="seq-s-en", attention="cross")
    look = models.all_heads(tiny["seq-s-en"], Sentence("the cat sat on the mat"), kind="cross")
    data = drawn(app, "heads")
    assert (data["layers"], data["rows"], data["columns"]) == (
        look.depth,
        len(look.queries),
        len(look.keys),
    )
    assert [unit["text"] for unit in drawn(app, "head")["keys"]] == [k.text for k in look.keys]
    app.radio(key="attention_kind").set_value("decoder").run()
    assert not app.exception
    assert drawn(app, "head")["mask"] is not None, "what lies ahead may not be looked at"


def test_what_the_decoder_reads_may_be_said(tiny: dict[str, Model]) -> None:
    app = attention(text="the cat sat on the [[mat]]", model="seq-s-en", attention="decoder")
    own = [unit["text"] for unit in drawn(app, "head")["keys"]]
    assert own[1:6] == ["the", "cat", "sat", "on", "the"], "by default the sentence itself"
    app.text_input(key="attention_target").set_value("she is happy").run()
    assert [unit["text"] for unit in drawn(app, "head")["keys"]][1:] == ["she", "is", "happy"]
    assert "reads the sentence itself" in app.info[0].value
    again = attention(**dict(parse_qsl(bar(app, "head")["link"])))
    assert (map_of(again) == map_of(app)).all()
    again.radio(key="attention_kind").set_value("cross").run()
    data = drawn(again, "head")
    assert (len(data["queries"]), len(data["keys"])) == (4, 8)


def test_elmo_has_none_and_is_said_to(tiny: dict[str, Model]) -> None:
    app = attention(text="the cat sat on the mat", model="elmo-s-en")
    assert "no attention" in app.info[0].value
    assert app.get("page_link")[0].proto.page.endswith("sees")
    app.selectbox(key="attention_model").set_value("gpt-s-en").run()
    assert not app.exception
    assert drawn(app, "heads")["layers"] == 2


def test_chinese() -> None:
    data = drawn(attention("zh-TW", text=MARKED), "heads")
    assert data["title"] == "6 層 × 12 頭"
    assert data["told"][0].startswith("第 1 層 · 第 1 頭：熵")


def test_effects_are_those_of_the_model() -> None:
    app, true = attention(text=MARKED, head="6.11"), models.head_effects(MODEL, HIDDEN)
    data = plain(app, "effects")
    most = abs(true.values).max()
    assert data["shares"] == pytest.approx((true.values / most).ravel())
    assert "“food”" in data["headline"]
    can_be_taken_away(app, "effects")


def can_be_taken_away(app: AppTest, key: str) -> None:
    assert taken(app, key, "numbers")["rows"]
    assert taken(app, key, "picture")["markup"].startswith("<svg")
    compile(taken(app, key, "code")["code"], key, "exec")


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


def test_a_link_sorts_and_filters() -> None:
    data = drawn(attention(text=MARKED, sort="entropy", only="sink", step="2"), "heads")
    assert (data["sort"], data["only"]) == ("entropy", "sink")
    assert {"entropy", "induction"} <= {measure["name"] for measure in data["measures"]}
    assert "sink" in {flag["name"] for flag in data["flags"]}


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


def test_without_a_blank_or_with_a_pair_effects_say_what_to_do() -> None:
    app = attention(text=CHEF)
    assert "Hide a word" in app.info[0].value
    assert "on one sentence" in attention(text=MARKED, pair="She bought bread.").info[0].value


def test_too_long_for_effects_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.looking.effect.MOST_TOKENS", 8)
    monkeypatch.setattr("pages.looking.agree.MOST_TOKENS", 8)
    app = attention(text=MARKED, section="agree")
    assert [info.value.count("up to 8") for info in app.info] == [1, 1]


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
