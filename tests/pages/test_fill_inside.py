"""Layer by layer, through the head, and the loss: as the page asks for them and links to them."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import models
from models.settings import settings
from models.trace import Sentence
from tests.pages.fill_page import all_drawn, bar, drawn, fill, followed, report, taken

MODEL = settings().default_model
HIDDEN = "She would like a cup of [[tea]] with milk."
BOTH = "She would like a [[cup]] of [[tea]] with milk."
CUP = "She would like a cup of tea with milk."
TEA = Sentence(CUP, ((24, 27),))


def choose(app: AppTest, key: str, **state: object) -> AppTest:
    """What a picture reports."""
    app.session_state[key] = state
    app.run()
    assert not app.exception
    return app


def selected(app: AppTest) -> list[int | None]:
    return [token["row"] for token in drawn(app, "loss")["tokens"]]


def test_the_rows_are_the_lens_of_the_model() -> None:
    lens = models.lens(MODEL, TEA)
    layers = drawn(fill(section="layers", text=HIDDEN), "ladder")["layers"]
    assert [row["answers"][0]["value"] for row in layers] == [
        answer.best[0].probability for answer in lens.layers
    ]
    assert [row["rank"] for row in layers] == [f"{a.original_rank:,}" for a in lens.layers]


def test_the_last_row_is_the_answer_above() -> None:
    app = fill(section="layers", text=HIDDEN)
    (blank,) = drawn(app, "answers")["blanks"]
    last = drawn(app, "ladder")["layers"][-1]["answers"]
    assert [row["word"] for row in last] == [row["word"] for row in blank["rows"][:5]]


def test_the_chosen_layer_goes_through_the_head() -> None:
    app = fill(section="layers", text=HIDDEN)
    last = len(drawn(app, "ladder")["layers"]) - 1
    assert drawn(app, "ladder")["layer"] == last
    choose(app, "fill_ladder", layer=2)
    layers, head = drawn(app, "ladder"), drawn(app, "head_steps")
    assert layers["layer"] == 2
    assert [(bar["word"], bar["shown"]) for bar in head["stages"][5]["bars"]] == [
        (answer["word"], answer["shown"]) for answer in layers["layers"][2]["answers"]
    ]
    steps = models.head_steps(MODEL, TEA, layer=2)
    assert head["stages"][0]["vector"]["values"] == pytest.approx(steps.hidden, abs=1e-4)
    assert head["outcomes"][1]["bars"][0]["value"] == steps.without.best[0].probability


def test_each_blank_has_its_own() -> None:
    app = fill(section="layers", text=BOTH, blank="2")
    assert "“tea”" in drawn(app, "ladder")["words"]["rank"]
    app.radio(key="fill_blank").set_value(0).run()
    assert "“cup”" in drawn(app, "ladder")["words"]["rank"]


def test_without_a_blank_it_says_what_to_do() -> None:
    app = report(fill(section="layers", text=HIDDEN), CUP)
    assert not all_drawn(app, "ladder") and not all_drawn(app, "head_steps")
    assert "Hide a word" in app.info[0].value


def test_a_link_restores_layer_step_and_blank() -> None:
    app = fill(section="layers", text=BOTH, blank="2")
    choose(app, "fill_ladder", layer=0)
    choose(app, "fill_head", step=4)
    for key, step in (("layers", 0), ("head", 4)):
        again = followed(app, key)
        assert drawn(again, "ladder")["layer"] == 0
        assert "“tea”" in drawn(again, "ladder")["words"]["rank"]
        assert drawn(again, "head_steps")["step"] == step


@pytest.mark.parametrize("nonsense", ["x", "-1", "99", "²"])
def test_any_link_opens_the_section(nonsense: str) -> None:
    app = fill(section="layers", text=HIDDEN, layer=nonsense, step=nonsense, blank=nonsense)
    assert drawn(app, "ladder")["layer"] == len(drawn(app, "ladder")["layers"]) - 1


def test_what_is_asked_again_is_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    for name in ("lens", "head_steps", "corrupt"):
        original = getattr(models, name)

        def count(*args: Any, _name: str = name, _original: Any = original, **more: Any) -> Any:
            asked.append(_name)
            return _original(*args, **more)

        monkeypatch.setattr(models, name, count)
    app = fill(section="layers", text=HIDDEN)
    choose(app, "fill_head", step=3)
    assert asked == ["lens", "head_steps"]
    choose(app, "fill_ladder", layer=1)
    assert asked == ["lens", "head_steps", "head_steps"]


def test_the_loss_is_that_of_the_draw() -> None:
    found = models.corrupt(MODEL, CUP, 3, 0.4)
    app = fill(section="loss", text=HIDDEN, seed="3", rate="40")
    data = drawn(app, "loss")
    assert [row["nats"] for row in data["rows"]] == [one.nats for one in found.selected]
    assert [row["fate"] for row in data["rows"]] == [one.fate for one in found.selected]
    assert f"{found.loss:.2f} nats" in data["sum"]
    assert [i for i, row in enumerate(selected(app)) if row is not None] == [
        one.token for one in found.selected
    ]


def test_another_seed_is_another_draw_and_a_link_restores_it() -> None:
    app = fill(section="loss", text=HIDDEN, seed="3", rate="40")
    before = selected(app)
    app.button[0].click().run()
    assert app.number_input(key="fill_seed").value == 4
    assert selected(app) != before
    few = sum(row is not None for row in selected(app))
    app.select_slider(key="fill_rate").set_value(60).run()
    assert sum(row is not None for row in selected(app)) > few
    again = followed(app, "loss")
    assert selected(again) == selected(app)
    app.number_input(key="fill_seed").set_value(3).run()
    app.select_slider(key="fill_rate").set_value(40).run()
    assert selected(app) == before, "the same seed draws the same"


def test_a_link_that_asks_for_no_rate_of_ours_is_not_followed() -> None:
    app = fill(section="loss", text=HIDDEN, seed="-1", rate="17")
    assert app.select_slider(key="fill_rate").value == 15
    assert app.number_input(key="fill_seed").value == 0


def test_a_text_without_words_has_no_loss() -> None:
    app = report(fill(section="loss", text=HIDDEN), "[MASK]")
    assert drawn(app, "loss")["rows"] == []
    assert "no word here" in drawn(app, "loss")["headline"]


@pytest.mark.parametrize(
    ("section", "key"), [("layers", "layers"), ("layers", "head"), ("loss", "loss")]
)
def test_everything_can_be_taken_away(section: str, key: str) -> None:
    app = fill(section=section, text=HIDDEN)
    assert taken(app, key, "numbers")["rows"]
    assert taken(app, key, "picture")["markup"].startswith("<svg")
    compile(taken(app, key, "code")["code"], key, "exec")
    assert MODEL in str(taken(app, key, "about"))
    assert f"section={section}" in bar(app, key)["link"]


def test_chinese() -> None:
    app = fill("zh-TW", section="layers", text=HIDDEN)
    assert drawn(app, "ladder")["layers"][1]["name"] == "第 1 層"
    assert "單字" in drawn(app, "head_steps")["caution"]
    assert "奈特" in drawn(fill("zh-TW", section="loss", text=HIDDEN), "loss")["sum"]


def test_a_head_that_cannot_be_taken_apart_is_said_to_be_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(model: str, *_: object, **__: object) -> None:
        raise models.CannotTrace(model, "head", "no transform")

    monkeypatch.setattr(models, "head_steps", refuse)
    app = fill(section="layers", text=HIDDEN)
    assert "cannot be taken apart" in app.info[0].value
    assert drawn(app, "ladder")["layers"], "the layers need no transform"
