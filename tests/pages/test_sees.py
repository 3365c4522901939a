"""Who sees what, through the router: tiny models of all architectures, none trained.

What the page draws is read from the data that its components get.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import models
from components.opened.mix import Mix, _read
from models import catalog, company
from models.loading import shelf
from models.sides import BothSides, stored
from tests.pages.fill_page import SHELL, bar, taken
from tests.pages.fill_page import drawn as plain
from tests.pages.test_attention import drawn
from tests.pages.tiny_zoo import LINE, built_zoo, zoo

__all__ = ["built_zoo", "zoo"]  # fixtures

pytestmark = pytest.mark.usefixtures("zoo")

CAT = "the cat was walking on the mat in paris"
KEPT: BothSides | None = stored()
PARTS = {"sights", "targets", "opened", "contexts"}


def sees(locale: str = "en-US", **query: str) -> AppTest:
    """The page as a new visitor finds it."""
    app = AppTest.from_file(SHELL, default_timeout=120)
    app.switch_page("../pages/sees.py")
    app.context = {"locale": locale}
    for name, value in ({"text": CAT} | query).items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def mounted(app: AppTest) -> set[str]:
    """The parts of the page that are drawn."""
    names = {each.proto.component_name.partition(".")[2] for each in app.get("bidi_component")}
    return names & (PARTS | {"both_sides"})


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
        return sees(models="matched")


def test_every_matrix_as_measured_beside_its_mask(page: AppTest) -> None:
    data = drawn(page, "sights")
    names = [(model["name"], len(model["panes"])) for model in data["models"]]
    assert names == [("BERT", 1), ("GPT", 1), ("ELMo", 2), ("Transformer", 3)]
    assert data["passed"]
    assert "exactly 0" in data["headline"]
    at = 0
    for name in ("bert-s-en", "gpt-s-en", "elmo-s-en", "seq-s-en"):
        for pane in models.sight(name, CAT).panes:
            end = at + pane.values.size
            np.testing.assert_allclose(data["values"][at:end], pane.values.ravel(), atol=1e-5)
            assert (data["allowed"][at:end] > 0).tolist() == pane.allowed.ravel().tolist()
            at = end
    assert at == len(data["values"])


def test_the_same_word_has_the_same_name_in_every_model(page: AppTest) -> None:
    data = drawn(page, "sights")
    panes = [pane for model in data["models"] for pane in model["panes"]]
    for pane in panes:
        by_text = {row["text"]: row["id"] for row in pane["rows"]}
        assert by_text["cat"] == "w4"
        assert by_text["walk"] == by_text["ing"] == "w12", "pieces of one word"
        assert {c["id"] for c in pane["columns"] if c["text"] == "walking"} == {"w12"}
        assert [c["id"] for c in pane["columns"] if c["kind"] == "padding"] == [
            "[PAD]#1",
            "[PAD]#2",
        ]
    assert [c["text"] for c in data["changeable"]] == ["[CLS]", *CAT.split(), "[SEP]"]


def test_losses_and_counts_of_each_objective(page: AppTest) -> None:
    lanes = plain(page, "targets")["lanes"]
    for lane, name in zip(lanes, ("bert-s-en", "gpt-s-en", "elmo-s-en", "seq-s-en"), strict=True):
        found = models.targets(name, CAT, 0)
        shown = [one["nats"] for token in lane["tokens"] for one in token["targets"]]
        assert sorted(shown) == pytest.approx(sorted(one.nats for one in found.targets), abs=1e-4)
        assert str(len(found.targets)) in lane["count"]
    assert lanes[0]["count"] == "2 predictions"


def test_elmo_is_opened_at_each_word(page: AppTest) -> None:
    data = drawn(page, "opened")
    found = models.opened("elmo-s-en", CAT)
    assert [word["text"] for word in data["words"]] == CAT.split()
    np.testing.assert_allclose(data["products"], found.products.ravel(), rtol=1e-3, atol=1e-4)
    assert data["scores"] == [0, 0, 0]
    assert (data["gamma"], data["level"]) == (1, False)


def test_two_contexts_are_compared_in_words(page: AppTest) -> None:
    data = plain(page, "contexts")
    assert [line["name"] for line in data["lines"]] == ["BERT", "GPT", "ELMo", "Transformer"]
    for line in data["lines"]:
        assert (line["points"][0]["x"], line["points"][0]["y"]) == (0, 1)
    assert "least alike" in data["told"][0]


@pytest.mark.parametrize("key", ["sight", "targets", "opened", "contexts"])
def test_every_panel_has_all_to_take_away(page: AppTest, key: str) -> None:
    kinds = [button["kind"] for button in bar(page, key)["buttons"]]
    assert kinds == ["numbers", "code", "picture", "link", "about"]


@pytest.mark.parametrize("key", ["sight", "targets", "opened", "contexts"])
def test_what_can_be_taken_away_is_made(page: AppTest, key: str) -> None:
    numbers = taken(page, key, "numbers")
    assert len(numbers["rows"]) > 4
    assert "from_pretrained" in taken(page, key, "code")["code"]
    assert taken(page, key, "picture")["markup"].startswith("<svg")


def test_a_link_restores_what_was_chosen() -> None:
    app = sees(models="matched")
    rerun(app, "sees_sights", {"changed": 3})
    rerun(app, "sees_opened", {"word": 2, "mix": [1.5, 0, -1, 2, 1]})
    app.number_input(key="sees_seed").set_value(7).run()
    links = {}
    for key in ("sight", "targets", "opened"):
        links |= dict(parse_qsl(bar(app, key)["link"], keep_blank_values=True))
    again = sees(**links)
    assert drawn(again, "sights")["changed"] == 3
    data = drawn(again, "opened")
    assert (data["word"], data["scores"], data["gamma"], data["level"]) == (
        2,
        [1.5, 0, -1],
        2,
        True,
    )
    assert again.number_input(key="sees_seed").value == 7
    assert plain(again, "targets")["lanes"] == plain(app, "targets")["lanes"]


@pytest.mark.parametrize("mix", [[1, 2], "abcde", [float("nan"), 0, 0, 1, 0], {"a": 1}, [None] * 5])
def test_a_mix_that_makes_no_sense_is_none(mix: object) -> None:
    assert _read(mix, 3) is None
    assert _read([9, -9, 0, 99, 2], 3) == Mix((6.0, -6.0, 0.0), 3.0, level=False)


def test_without_padding_without_words_and_in_verse() -> None:
    app = sees(models="matched", padding="0")
    assert not [c for model in drawn(app, "sights")["models"] for pane in model["panes"]
                for c in pane["columns"] if c["kind"] == "padding"]  # fmt: skip
    verse = sees("zh-TW", text=LINE)
    assert mounted(verse) >= PARTS
    assert drawn(verse, "sights")["models"][0]["model"] == "bert-zh"
    assert plain(verse, "contexts")["texts"][0][1] == "行"
    assert "詞元" in plain(verse, "targets")["lanes"][0]["told"]
    empty = sees(text="?!")
    assert mounted(empty) & PARTS == {"sights", "targets", "opened", "contexts"}, "marks are units"


def test_a_long_text_is_measured_at_its_beginning() -> None:
    app = sees(models="matched", text=" ".join(["cat"] * 40))
    assert "first 32 words" in app.info[0].value
    assert len(drawn(app, "sights")["changeable"]) == 34


def test_two_sentences_without_a_common_word() -> None:
    app = sees(models="matched", first="the cat", second="a dog")
    assert "share no word" in app.info[-1].value
    assert "contexts" not in mounted(app)


def test_a_model_that_is_missing_leaves_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    members = (*models.companies()["matched"][:1], company.Member("gpt-none", "gpt", "causal"))
    monkeypatch.setattr(models, "companies", lambda: {"matched": members})
    app = sees(models="matched")
    notes = [model["note"] for model in drawn(app, "sights")["models"]]
    assert notes[0] == ""
    assert "gpt-none" in notes[1]
    assert "gpt-none" in plain(app, "targets")["lanes"][1]["note"]
    assert "gpt-none" in plain(app, "contexts")["lines"][1]["note"]


@pytest.mark.skipif(KEPT is None, reason="no run is kept yet")
def test_the_stored_test_says_when_weights_have_changed(
    zoo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "both_sides", lambda: KEPT)
    app = sees(models="matched")
    data = json.loads(
        next(each.proto.json for each in app.get("bidi_component")
             if each.proto.component_name == "unmask.both_sides")
    )  # fmt: skip
    assert data["notice"].startswith("Tested with earlier weights of bert-s-en")
    assert [metric["name"] for metric in data["metrics"]][1] == "Among the first five"
    assert data["metric"] == 1
    assert {v["named"] for m in data["metrics"] for v in m["verdicts"]} <= {
        "supported", "within noise", "opposite"}  # fmt: skip
    assert len(taken(app, "both_sides", "numbers")["rows"]) > 30
    assert "both_sides" in taken(app, "both_sides", "code")["code"]
    assert taken(app, "both_sides", "picture")["markup"].startswith("<svg")
