"""Attention: every head, the open one, its switches, pairs and links."""

from __future__ import annotations

from urllib.parse import parse_qsl

import numpy as np
import pytest

import models
from models.loading import Model
from models.trace import Sentence
from tests.pages.attention_page import (
    CHEF,
    HIDDEN,
    MARKED,
    MODEL,
    attention,
    can_be_taken_away,
    choose,
    drawn,
    keys,
    map_of,
    tiny,
)
from tests.pages.fill_page import bar, taken
from tests.pages.fill_page import drawn as plain

__all__ = ["tiny"]  # a fixture


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
    assert [unit["text"] for unit in keys(app)][-5:-1] == [
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
    assert [unit["text"] for unit in keys(app)] == [k.text for k in look.keys]
    app.radio(key="attention_kind").set_value("decoder").run()
    assert not app.exception
    assert drawn(app, "head")["mask"] is not None, "what lies ahead may not be looked at"


def test_what_the_decoder_reads_may_be_said(tiny: dict[str, Model]) -> None:
    app = attention(text="the cat sat on the [[mat]]", model="seq-s-en", attention="decoder")
    own = [unit["text"] for unit in keys(app)]
    assert own[1:6] == ["the", "cat", "sat", "on", "the"], "by default the sentence itself"
    app.text_input(key="attention_target").set_value("she is happy").run()
    assert [unit["text"] for unit in keys(app)][1:] == ["she", "is", "happy"]
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


def test_a_link_sorts_and_filters() -> None:
    data = drawn(attention(text=MARKED, sort="entropy", only="sink", step="2"), "heads")
    assert (data["sort"], data["only"]) == ("entropy", "sink")
    assert {"entropy", "induction"} <= {measure["name"] for measure in data["measures"]}
    assert "sink" in {flag["name"] for flag in data["flags"]}


def test_without_a_blank_or_with_a_pair_effects_say_what_to_do() -> None:
    app = attention(text=CHEF)
    assert "Hide a word" in app.info[0].value
    assert "on one sentence" in attention(text=MARKED, pair="She bought bread.").info[0].value


def test_too_long_for_effects_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.looking.effect.MOST_TOKENS", 8)
    monkeypatch.setattr("pages.looking.agree.MOST_TOKENS", 8)
    app = attention(text=MARKED, section="agree")
    assert [info.value.count("up to 8") for info in app.info] == [1, 1]
