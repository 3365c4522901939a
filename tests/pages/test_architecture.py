"""Architecture, through the router: tiny models of all architectures, none trained."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl
from zlib import crc32

import pytest
from streamlit.testing.v1 import AppTest

from models import catalog
from models.loading import shelf
from tests.pages.fill_page import SHELL, all_drawn, bar, taken
from tests.pages.fill_page import drawn as plain
from tests.pages.test_attention import drawn as with_numbers
from tests.pages.tiny_zoo import built_zoo, keep, zoo
from tests.unit.test_features import made_up

__all__ = ["built_zoo", "zoo"]  # fixtures

CAT = "the [[cat]] was walking on the mat in paris"
BLOCKS = "architecture_blocks"


def architecture(locale: str = "en-US", **query: str) -> AppTest:
    """The page as a new visitor finds it."""
    app = AppTest.from_file(SHELL, default_timeout=120)
    app.switch_page("../pages/architecture.py")
    app.context = {"locale": locale}
    for name, value in ({"text": CAT} | query).items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def drawn(app: AppTest, component: str) -> dict[str, Any]:
    """The data of the only such component, whether numbers go with it or not."""
    try:
        return plain(app, component)
    except json.JSONDecodeError:
        return with_numbers(app, component)


def rerun(app: AppTest, key: str, state: dict[str, object]) -> AppTest:
    """What a component reports."""
    app.session_state[key] = state
    app.run()
    assert not app.exception
    return app


@pytest.fixture(scope="module")
def page(built_zoo: Path) -> AppTest:
    """A page that tests only look at."""
    bundled = tuple(replace(facts, folder=built_zoo / facts.name) for facts in catalog.BUNDLED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalog, "BUNDLED", bundled)
        patch.setattr(catalog, "ZOO", built_zoo)
        shelf.cache_clear()
        return architecture()


def test_partners_stand_in_one_row(page: AppTest) -> None:
    data = drawn(page, "blocks")
    assert [model["name"] for model in data["models"]] == ["Transformer", "BERT", "GPT", "ELMo"]
    rows = [
        {cell["id"].rpartition("/")[2]: cell["row"] for cell in model["cells"]}
        for model in data["models"]
    ]
    transformer, bert, gpt, elmo = rows
    for other in (bert, gpt):
        shared = set(transformer) & set(other)
        assert {"attention", "ffn", "vocabulary", "softmax"} <= shared
        assert all(transformer[kind] == other[kind] for kind in shared)
    assert elmo["lstm"] == bert["attention"]
    assert "cross" in transformer
    assert "cross" not in bert


def test_gestures_count_what_they_do(page: AppTest) -> None:
    data = drawn(page, "blocks")
    bert, gpt = data["gestures"]
    assert [bert["name"], gpt["name"]] == ["bert", "gpt"]
    assert "Taken away" in bert["told"][0]
    assert "Cross-attention" not in bert["told"][1]
    transformer = data["models"][0]["cells"]
    fates = {cell["id"]: cell["fates"] for cell in transformer}
    assert fates["seq/decoder/cross"] == {"bert": "gone", "gpt": "gone"}
    assert fates["seq/encoder/attention"] == {"bert": "kept", "gpt": "gone"}
    assert fates["seq/decoder/attention"] == {"bert": "gone", "gpt": "kept"}
    assert fates["seq/all/vocabulary"] == {"bert": "moved", "gpt": "kept"}
    claims = drawn(page, "verdicts")["claims"]
    assert [claim["outcome"] for claim in claims] == ["supported", "supported"]


@pytest.mark.usefixtures("zoo")
def test_a_block_opens_and_its_link_restores_it() -> None:
    app = architecture()
    assert drawn(app, "blocks")["detail"] is None
    rerun(app, BLOCKS, {"open": "seq/decoder/cross/1", "turn": "bert"})
    detail = drawn(app, "blocks")["detail"]
    assert detail["title"] == "Transformer · Decoder · Layer 1 · Cross-attention"
    assert [tensor["name"] for tensor in detail["tensors"]][:2] == ["What it gives", "Queries"]
    assert len(detail["weights"]) == 8
    assert "get_submodule" in detail["code"]
    query = dict(parse_qsl(bar(app, "architectures")["link"]))
    assert query["open"] == "seq/decoder/cross/1"
    assert query["turn"] == "bert"
    query.pop("lang")
    again = drawn(architecture(**query), "blocks")
    assert (again["detail"]["title"], again["turn"]) == (detail["title"], "bert")
    table = taken(app, "architectures", "numbers")
    assert table["csv"].count("\n") > 40
    assert "encoder_attn" in taken(app, "architectures", "code")["code"]
    assert "<svg" in taken(app, "architectures", "picture")["markup"]


@pytest.mark.usefixtures("zoo")
@pytest.mark.parametrize("sent", ["seq/decoder/cross/99", "bert/encoder/cross", "/", 7, None, "x"])
def test_a_browser_may_report_anything(sent: object) -> None:
    app = architecture()
    rerun(app, BLOCKS, {"open": sent, "turn": sent})
    assert drawn(app, "blocks")["turn"] == ""


@pytest.mark.usefixtures("zoo")
def test_the_way_of_each_model() -> None:
    for family, steps in (("bert", 14), ("gpt", 14), ("seq", 13), ("elmo", 7)):
        data = drawn(architecture(way=family, step="3"), "token_path")
        assert len(data["steps"]) >= steps
        assert data["step"] == 2
        assert all(step["told"] and step["formula"] for step in data["steps"])
        best = data["steps"][-1]["bars"]
        assert len(best) == 10
    mask = next(
        s for s in drawn(architecture(way="gpt"), "token_path")["steps"] if s["name"] == "Mask"
    )
    assert "−∞" in mask["grid"]["rows"][0]["cells"]
    data = drawn(architecture(way="bert", token="3", layer="2"), "token_path")
    assert (data["token"], data["layer"]) == (2, 1)
    assert data["steps"][1]["name"] == "Layers before"
    drawn(architecture(way="bert", token="999", layer="99"), "token_path")


@pytest.mark.usefixtures("zoo")
def test_the_way_can_be_taken_away() -> None:
    app = architecture()
    key = f"architecture_path_bert_{crc32(CAT.encode()):x}"
    rerun(app, key, {"token": 4, "layer": 1})
    data = drawn(app, "token_path")
    assert (data["token"], data["layer"]) == (4, 1)
    assert taken(app, "token_path", "numbers")["rows"]
    assert "position = 4" in taken(app, "token_path", "code")["code"]
    assert "<svg" in taken(app, "token_path", "picture")["markup"]


def test_nothing_to_read(zoo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = architecture()
    rerun(app, "architecture", {"sentence": {"text": " ", "hidden": []}})
    assert any("Type an English sentence" in info.value for info in app.info)
    assert "LSTM against Transformer" in [each.value for each in app.subheader]
    keep(monkeypatch, zoo, "bert-s-en", "elmo-s-en")
    app = architecture()
    data = drawn(app, "blocks")
    assert [model["family"] for model in data["models"]] == ["bert", "elmo"]
    assert data["gestures"] == []


@pytest.mark.usefixtures("zoo")
def test_variants_that_are_not_there_are_named() -> None:
    app = architecture()
    told = " ".join(info.value for info in app.info)
    assert "lstm-v-4-layers" in told


@pytest.mark.usefixtures("zoo")
def test_frozen_features_are_drawn_with_their_verdicts() -> None:
    app = architecture()
    assert any("python -m models.training.features" in each.value for each in app.info)
    path = Path(catalog.ZOO) / "features.json"
    path.write_text(json.dumps(made_up()))
    try:
        app = architecture(features="gpt-s-en")
        assert app.selectbox(key="architecture_features").value == "gpt-s-en"
        bars = {name: bar(app, name) for name in ("features", "probed_depths")}
        assert "features=gpt-s-en" in bars["features"]["link"]
        claims = [
            claim["outcome"]
            for data in all_drawn(app, "verdicts")
            for claim in data["claims"]
            if "points" in claim["effect"]
        ]
        assert claims == ["supported"] * (3 + 7)
        table = taken(app, "probed_depths", "numbers")
        assert len(table["csv"].splitlines()) > 6 * 3 * 3 and "lstm-v-4-layers" in table["csv"]
        assert "models.training.features" in taken(app, "features", "code")["code"]
        path.write_text(json.dumps(made_up(-0.2)))
        outcomes = {
            claim["outcome"]
            for data in all_drawn(architecture(), "verdicts")
            for claim in data["claims"]
            if "points" in claim["effect"]
        }
        assert outcomes == {"opposite", "within-noise"}
        assert "凍結的特徵，一層一層看" in [each.value for each in architecture("zh-TW").subheader]
    finally:
        path.unlink()


@pytest.mark.usefixtures("zoo")
def test_in_chinese() -> None:
    app = architecture("zh-TW")
    data = drawn(app, "blocks")
    assert data["gestures"][0]["label"] == "拿走解碼器"
