"""Read, then write as a visitor drives it: steps, BERT beside, a given target, dates, lengths."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

import models
from components.writing import gazes, sharpest
from models.loading import Model
from models.trace import Sentence
from models.training.pair_tokenizers import letters
from tests.pages.fill_page import bar, taken
from tests.pages.fill_page import drawn as plain
from tests.pages.test_attention import drawn
from tests.pages.tiny_writers import opened, tiny
from tests.unit.kinds import build_kind

MARKED, HIDDEN = "the cat [[sat]] on the mat", Sentence("the cat sat on the mat", ((8, 11),))
AMBIGUOUS = "03/04/2012"

__all__ = ["tiny"]  # a fixture, used by every test

pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Model]:
    """A model that mends, one with letters as if it had learned dates, and two BERTs."""
    spell = {"seq-dates": letters()}
    found = {
        name: build_kind(name.partition("-")[0], tmp_path_factory.mktemp(name), spell.get(name))
        for name in ("seq-s-en", "seq-dates", "bert-s-en", "bert-en")
    }
    found["seq-dates"] = replace(found["seq-dates"], objective="translation")
    return found


def write(locale: str = "en-US", **query: str) -> AppTest:
    """The page as a new visitor finds it."""
    return opened("write", locale, {"text": MARKED, **query})


def test_the_steps_are_the_model_s(tiny: dict[str, Model]) -> None:
    data, found = drawn(write(), "writing"), models.write(tiny["seq-s-en"], HIDDEN)
    assert len(data["steps"]) == len(found.steps)
    assert [token["text"] for token in data["source"]] == [token.text for token in found.source]
    weights = data["cross"].reshape(len(data["gazes"]), len(found.steps), len(found.source))
    assert weights[0] == pytest.approx(found.cross.mean(axis=(0, 1)), abs=1e-6)
    assert (weights[-1] == found.cross[-1, -1]).all()
    assert weights.sum(-1) == pytest.approx(1, abs=1e-5)
    assert data["gaze"] == sharpest(found)
    assert len(gazes(found)) == len(data["gazes"])


def test_bert_has_no_decoder_in_the_same_picture(tiny: dict[str, Model]) -> None:
    beside = drawn(write(), "writing")["beside"]
    found = models.every_position(tiny["bert-s-en"], HIDDEN)
    assert "bert-s-en" in beside["title"]
    assert len(beside["pairs"]) == len(found.tokens)
    assert [pair["masked"] for pair in beside["pairs"]].count(True) == 1
    assert f"each of its {len(found.tokens)} positions" in beside["told"]


def test_lengths_are_measured(tiny: dict[str, Model]) -> None:
    data, found = plain(write(), "lengths"), models.write(tiny["seq-s-en"], HIDDEN)
    first = [point for point in data["points"] if point["current"]]
    assert [(point["series"], point["x"], point["y"]) for point in first] == [
        (0, len(found.source), len(found.steps)),
        (1, len(found.source), len(found.source)),
    ]
    bert = [point for point in data["points"] if point["series"] == 1]
    assert all(point["x"] == point["y"] for point in bert)
    assert f"read tokens for {len(bert)} of {len(bert)}" in data["headline"]


def test_a_given_target_is_the_sentence_unless_said_otherwise(tiny: dict[str, Model]) -> None:
    app = write()
    assert app.text_input(key="write_target").value == HIDDEN.text
    data = plain(app, "forced")
    assert [row["given"] for row in data["rows"]][:6] == HIDDEN.text.split()
    app.text_input(key="write_target").set_value("she is happy").run()
    given = models.force(tiny["seq-s-en"], HIDDEN, "she is happy")
    rows = [row for row in plain(app, "forced")["rows"] if row["given"]]
    assert [row["wrong"] for row in rows] == [not step.agrees for step in given.steps]
    again = write(**dict(parse_qsl(bar(app, "forced")["link"])))
    assert plain(again, "forced")["rows"] == plain(app, "forced")["rows"]


def test_a_date_is_named_both_ways(tiny: dict[str, Model]) -> None:
    app = write(text=AMBIGUOUS, model="seq-dates")
    model = tiny["seq-dates"]
    facts = plain(app, "facts")["facts"]
    assert [fact["name"] for fact in facts] == ["day first: 2012-04-03", "month first: 2012-03-04"]
    assert "April 3, 2012" in facts[0]["told"]
    assert any("two ways" in info.value for info in app.info)
    assert len(taken(app, "readings", "numbers")["rows"]) == 2
    compile(taken(app, "readings", "code")["code"], "readings", "exec")
    found = models.write(model, Sentence(AMBIGUOUS))
    target = app.text_input(key="write_target").value
    assert target in ("2012-04-03", "2012-03-04")
    assert target != found.text
    app = write(text="25/12/2001", model="seq-dates")
    assert len(plain(app, "facts")["facts"]) == 1
    assert not any("two ways" in info.value for info in app.info)


def test_the_domain_is_said() -> None:
    assert any("hidden from it" in caption.value for caption in write().caption)
    app = write(text="3 April 2012", model="seq-dates")
    assert any("write a date in English" in caption.value for caption in app.caption)


def test_a_model_without_masks_reads_what_is_hidden() -> None:
    app = write(text="3 [[April]] 2012", model="seq-dates")
    assert any("has not learned of masks" in info.value for info in app.info)


def test_three_kinds_of_maps() -> None:
    app = write()
    for kind, square in (("encoder", True), ("decoder", True), ("cross", False)):
        app.segmented_control(key="write_kind").set_value(kind).run()
        assert not app.exception
        data = drawn(app, "maps")
        rows, columns = ([each["text"] for each in data[side]] for side in ("rows", "columns"))
        assert (rows == columns) == square


def test_everything_can_be_taken_away(tiny: dict[str, Model]) -> None:
    app = write()
    for key in ("written", "forced", "lengths", "maps"):
        assert taken(app, key, "numbers")["rows"]
        assert taken(app, key, "picture")["markup"].startswith("<svg")
        compile(taken(app, key, "code")["code"], key, "exec")
        assert tiny["seq-s-en"].provenance.revision in str(taken(app, key, "about"))


@pytest.mark.parametrize("nonsense", ["", "x", "99", "0"])
def test_any_link_opens_the_page(nonsense: str) -> None:
    app = write(step=nonsense, gaze=nonsense, attention=nonsense, model=nonsense)
    data = drawn(app, "writing")
    assert data["gaze"] < len(data["gazes"])


def test_no_words_say_what_to_do() -> None:
    app = write()
    app.session_state["write"] = {"sentence": {"text": " ", "hidden": []}}
    app.run()
    assert not app.exception
    assert "Type an English sentence" in app.info[0].value


def test_chinese() -> None:
    data = drawn(write("zh-TW"), "writing")
    assert data["words"]["title"] == "Transformer：編碼器與解碼器"
    assert "沒有解碼器" in data["beside"]["none"]
