"""Positions, through the router: tiny models, none trained; what the page draws and says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

import models
from models import catalog
from models.catalog import ModelFacts
from models.loading import shelf
from models.measures.positions import sinusoids
from models.read_back import stored
from models.training import position_probe
from models.training.starts import fix_positions
from tests.pages.fill_page import SHELL, all_drawn, bar, drawn, taken
from tests.pages.tiny_zoo import built_zoo, zoo
from tests.unit.kinds import build_kind

__all__ = ["built_zoo", "zoo"]  # fixtures

pytestmark = pytest.mark.usefixtures("zoo")

TEXT = "the [[cat]] was walking on the mat in paris"
BARS = {
    "tables": ["positions_tables"],
    "distance": ["positions_offsets_bar", "positions_gaze_bar"],
    "adding": ["positions_added"],
    "shuffle": ["positions_shuffle"],
    "relative": ["positions_relative"],
}


def positions(locale: str = "en-US", **query: str) -> AppTest:
    """The page as a new visitor finds it."""
    app = AppTest.from_file(SHELL, default_timeout=180)
    app.switch_page("../pages/positions.py")
    app.context = {"locale": locale}
    for name, value in ({"text": TEXT} | query).items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def charts(app: AppTest) -> list[dict[str, Any]]:
    """The plotly figures on the page."""
    return [json.loads(each.proto.spec) for each in app.get("plotly_chart")]


def judged(app: AppTest) -> list[str]:
    """The outcomes of all claims on the page."""
    return [one["outcome"] for each in all_drawn(app, "verdicts") for one in each["claims"]]


@pytest.fixture
def variants(zoo: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The three BERTs that differ in their positions are there, too."""
    known = {facts.name for facts in catalog.BUNDLED}
    more = []
    for name, kind in (("bert-v", "learned"), ("bert-v-sinusoids", "sinusoids"),
                       ("bert-v-no-positions", "none")):  # fmt: skip
        folder = zoo / name
        if not folder.exists():
            model = build_kind("bert", folder)
            with torch.no_grad():
                fix_positions(model.network, kind)
            model.network.half().save_pretrained(folder)
        more.append(ModelFacts(name, "bert", "masked", ("en",), True, folder))
    others = [f for f in catalog.BUNDLED if f.name not in {m.name for m in more}]
    monkeypatch.setattr(catalog, "BUNDLED", (*others, *more))
    monkeypatch.setattr(catalog, "VARIANTS", tuple(m.name for m in more))
    assert known
    shelf.cache_clear()
    yield zoo
    shelf.cache_clear()


def test_it_opens_with_its_question_and_both_tables() -> None:
    app = positions()
    assert "why are they added" in app.markdown[0].value
    first, second = charts(app)
    table = models.position_table("bert-en").vectors[:64]
    np.testing.assert_allclose(heat(first), sinusoids(64, 128), atol=1e-6)
    np.testing.assert_allclose(heat(second), table, atol=1e-6)
    assert len(judged(app)) == 2


def heat(chart: dict[str, Any]) -> np.ndarray:
    """The numbers of a map."""
    z = chart["data"][0]["z"]
    if isinstance(z, dict):
        from base64 import b64decode

        shape = [int(n) for n in str(z["shape"]).split(",")]
        return np.frombuffer(b64decode(z["bdata"]), dtype=z["dtype"]).reshape(shape)
    return np.array(z)


@pytest.mark.parametrize("view", ["map", "waves", "path", "distance", "spectrum"])
def test_every_view_is_drawn_and_can_be_taken_away(view: str) -> None:
    app = positions(view=view, length="32", width="16", base="100", model="seq-s-en")
    assert len(charts(app)) == (1 if view == "distance" else 2)
    assert len(taken(app, "positions_tables", "numbers")["rows"]) > 10
    assert taken(app, "positions_tables", "picture")["markup"].startswith("<svg")
    assert "100" in taken(app, "positions_tables", "code")["code"]


@pytest.mark.parametrize("section", BARS)
def test_every_part_has_all_to_take_away(section: str) -> None:
    app = positions(section=section)
    assert judged(app)
    for key in BARS[section]:
        kinds = [button["kind"] for button in bar(app, key)["buttons"]]
        assert [k for k in kinds if k != "about"] == ["numbers", "code", "picture", "link"]
        assert len(taken(app, key, "numbers")["rows"]) > 8
        assert taken(app, key, "picture")["markup"].startswith("<svg")
        assert "print" in taken(app, key, "code")["code"]


def test_a_link_restores_the_view() -> None:
    app = positions(section="distance", model="seq-s-en", head="2", offset="3")
    link = dict(parse_qsl(bar(app, "positions_offsets_bar")["link"]))
    again = positions(**link)
    assert again.selectbox(key="positions_head").value == 2
    assert again.selectbox(key="positions_model").value == "seq-s-en"
    gaze = dict(parse_qsl(bar(app, "positions_gaze_bar")["link"]))
    assert gaze["offset"] == "3"
    shuffle = positions(section="shuffle", seed="5")
    link = dict(parse_qsl(bar(shuffle, "positions_shuffle")["link"]))
    assert (
        drawn(positions(**link), "shuffled")["shuffled"] == drawn(shuffle, "shuffled")["shuffled"]
    )


@pytest.mark.parametrize(
    "query",
    [{"length": "7"}, {"width": "many"}, {"view": "x"}, {"head": "99", "section": "distance"},
     {"seed": "99999999", "section": "shuffle"}, {"offset": "-99", "section": "distance"},
     {"model": "elmo-s-en"}, {"model": "nobody"}, {"section": "none"}],
)  # fmt: skip
def test_a_link_that_asks_for_nonsense_gets_the_page(query: dict[str, str]) -> None:
    positions(**query)


def test_shuffled_lanes_as_computed_and_what_is_missing_said() -> None:
    app = positions(section="shuffle")
    lanes = drawn(app, "shuffled")["lanes"]
    assert [bool(lane["before"]) for lane in lanes] == [True, False, False, True, True]
    assert "not here yet" in lanes[1]["note"]
    found = models.shuffled("bert-s-en", models_sentence(), 0, True)
    assert lanes[3]["before"][0]["value"] == pytest.approx(found.before[0].probability)
    assert judged(app)[0] == "supported", "equivariant"
    app.button(key="positions_again").click().run()
    assert drawn(app, "shuffled")["shuffled"] == list(
        models.shuffled("bert-s-en", models_sentence(), 1).words[1]
    )


def models_sentence() -> models.Sentence:
    """The page's sentence."""
    from components.tokens.marks import from_marks

    return from_marks(TEXT)


def test_with_the_variants_every_lane_answers(variants: Path) -> None:
    lanes = drawn(positions(section="shuffle"), "shuffled")["lanes"]
    assert [lane["model"] for lane in lanes[:3]] == [
        "bert-v", "bert-v-sinusoids", "bert-v-no-positions"]  # fmt: skip
    assert all(lane["before"] for lane in lanes)
    assert "e-" in lanes[2]["told"], "nothing moves but by rounding"
    app = positions(model="bert-v-sinusoids")
    assert "bert-v-sinusoids: sinusoids" in [m.value.strip("*") for m in app.markdown]


@pytest.mark.parametrize("text", ["", "cat", "?! ?", "the cat"])
@pytest.mark.parametrize("section", ["shuffle", "adding"])
def test_little_text_gets_a_sentence(section: str, text: str) -> None:
    app = positions(section=section, text=text)
    app.session_state["positions"] = {"sentence": {"text": text, "hidden": []}}
    app.run()
    assert not app.exception


def test_chinese_is_not_shuffled_by_models_that_have_read_english() -> None:
    app = positions(section="shuffle", text="床前 明月光 疑是 地上霜")
    assert "English only" in app.info[0].value
    assert not all_drawn(app, "shuffled")


def test_no_run_of_the_probe_says_how_to_make_one() -> None:
    app = positions(section="probe")
    assert "No run of the probe" in app.info[0].value
    assert "position_probe" in app.code[0].value


def test_a_run_on_tiny_models_is_drawn(zoo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = position_probe.sentences()[:24]
    monkeypatch.setattr(position_probe, "sentences", lambda: few)
    monkeypatch.setattr(position_probe, "SENTENCES_WITH", 2)
    wanted = (("bert-s-en", False), ("bert-s-en", True), ("gpt-s-en", True))
    (zoo / "position_probe.json").write_text(json.dumps(position_probe.run(wanted)))
    try:
        app = positions(section="probe", probed="bert-s-en, positions taken away")
        assert app.selectbox(key="positions_probed").value == "bert-s-en, positions taken away"
        run = stored()
        assert run is not None
        view = run.view("bert", taken_away=True)
        assert view is not None
        shares = [run.score(view, layer, "position").mean for layer in view.layers]
        probe = next(d for d in charts(app)[0]["data"] if d.get("name") == "probe")
        np.testing.assert_allclose(probe["y"], shares)
        assert len(judged(app)) == 5
        assert "position_probe" in taken(app, "positions_probe", "code")["code"]
    finally:
        (zoo / "position_probe.json").unlink()


@pytest.mark.parametrize("section", [*BARS, "probe"])
def test_in_chinese(section: str) -> None:
    app = positions("zh-TW", section=section)
    assert app.title[0].value == "位置"


def test_facts_of_a_model_are_those_of_the_catalogue(variants: Path) -> None:
    offered = positions().selectbox(key="positions_model").options
    assert "bert-v-sinusoids" in offered
    assert not {"elmo-s-en", "bert-v-no-positions"} & set(offered)
    assert all(replace(f, folder=f.folder) == f for f in models.bundled())
