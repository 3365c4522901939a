"""Where an answer comes from, through the router and with a real model.

What the page draws is read from the data that its components get: the lanes with their answers,
and the arcs that follow.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

import models
from components.lanes import in_bits
from models.settings import settings
from models.slots import slots
from models.trace import Sentence

SHELL = Path(__file__).parents[2] / "components" / "shell.py"
CUP = "She would like a cup of tea with milk."


def home(locale: str = "en-US", **query: str) -> AppTest:
    """The page as a new visitor finds it: it is the first one."""
    app = AppTest.from_file(SHELL, default_timeout=120)
    app.context = {"locale": locale}
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def sentence(text: str, *hidden: str) -> Sentence:
    return Sentence(text, tuple((text.index(w), text.index(w) + len(w)) for w in hidden))


def report(app: AppTest, asked: Sentence, focus: object = None) -> AppTest:
    """What the browser sends when a sentence is typed, words are clicked, a blank is chosen."""
    spans = [list(span) for span in asked.hidden]
    app.session_state["home"] = {"sentence": {"text": asked.text, "hidden": spans}}
    if focus is not None:
        app.session_state["home_lanes"] = {"focus": focus}
    app.run()
    assert not app.exception
    return app


def drawn(app: AppTest) -> tuple[dict[str, Any], dict[str, Any]]:
    """The data of the lanes, and of the arcs that follow."""
    lanes, arcs = (
        json.loads(each.proto.json)
        for each in app.get("bidi_component")
        if each.proto.component_name == "unmask.lanes"
    )
    return lanes, arcs


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server without the model it should have."""
    monkeypatch.setenv("UNMASK_DEFAULT_MODEL", "bert-missing")
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


def test_a_new_visitor_finds_an_answer_and_its_arcs() -> None:
    lanes, arcs = drawn(home())
    (lane,) = lanes["lanes"]
    (blank,) = lane["blanks"]
    assert len(blank["rows"]) == 5
    values = arcs["arcs"]["BERT"]["values"]
    assert arcs["asked"] == lanes["asked"]
    assert [value is None for value in values] == [word["blank"] == 0 for word in lane["words"]]
    assert max(value["bits"] for value in values if value) > 0.01


def test_arcs_are_the_models_influence() -> None:
    asked = sentence(CUP, "tea")
    lanes, arcs = drawn(report(home(), asked))
    found = models.influence(settings().default_model, asked)
    shown = [value for value in arcs["arcs"]["BERT"]["values"] if value]
    assert [value["bits"] for value in shown] == found.values.tolist()
    assert [value["shown"] for value in shown] == [in_bits(bits) for bits in found.values]
    words = [word["text"] for word in lanes["lanes"][0]["words"] if word["blank"] is None]
    assert words == [CUP[slice(*span)] for span in found.words]


def test_the_chosen_blank_has_the_arcs() -> None:
    asked = sentence(CUP, "tea", "milk")
    app = report(home(), asked)
    first = drawn(app)
    second = drawn(report(app, asked, focus=1))
    assert (first[0]["focus"], second[0]["focus"]) == (0, 1)
    assert first[0]["asked"] != second[0]["asked"] == second[1]["asked"]
    expected = models.influence(settings().default_model, asked, blank=1).values.tolist()
    values = second[1]["arcs"]["BERT"]["values"]
    assert [value["bits"] for value in values if value] == expected


@pytest.mark.parametrize("focus", [7, -1, True, "1", None, [0]])
def test_a_blank_that_is_not_there_leaves_the_focus_on_the_first(focus: object) -> None:
    app = home()
    app.session_state["home_lanes"] = {"focus": focus}
    app.run()
    assert not app.exception
    assert drawn(app)[0]["focus"] == 0


@pytest.mark.parametrize(
    ("asked", "note", "unmeasured"),
    [
        (Sentence(""), "Type an English sentence", ""),
        (Sentence(CUP), "Click a word to hide it", ""),
        (Sentence("tea", ((0, 3),)), "", "Arcs need a visible word"),
        (Sentence("[MASK] " + "so " * 31), "", "up to 30 visible words and 240 characters"),
        (Sentence("[MASK] " + "so" * 200), "", "1 words and 407 characters"),
    ],
)
def test_why_there_is_no_answer_or_no_arc(asked: Sentence, note: str, unmeasured: str) -> None:
    lanes, arcs = drawn(report(home(), asked))
    (lane,) = lanes["lanes"]
    assert note in lane["note"] and bool(note) == bool(lane["note"]) != bool(lane["blanks"])
    assert arcs["arcs"]["BERT"]["values"] is None
    if unmeasured:
        assert unmeasured in lane["unmeasured"] == arcs["arcs"]["BERT"]["unmeasured"]


def test_what_was_not_read_is_said_below_the_lanes() -> None:
    lanes, _ = drawn(report(home(), Sentence("[MASK] is " + "word " * 4_000)))
    assert "Not read: “word word" in lanes["notices"][0]


def test_without_its_model_the_page_says_so(no_model: None) -> None:
    lanes, arcs = drawn(report(home(), sentence(CUP, "tea")))
    (lane,) = lanes["lanes"]
    assert "bert-missing" in lane["note"] and "Your sentence is kept" in lane["note"]
    assert lane["words"] == lane["blanks"] == []
    assert arcs["arcs"]["BERT"]["values"] is None


def test_a_full_queue_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> object:
        raise models.TooBusy(200)

    app = home()
    monkeypatch.setattr(slots(), "claim", full)
    lanes, _ = drawn(report(app, sentence(CUP, "tea")))
    assert "Many people" in lanes["lanes"][0]["note"]


def test_a_model_without_word_counts_answers_without_arcs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.counts.word_counts", refuse)
    lanes, arcs = drawn(report(home(), sentence(CUP, "tea")))
    assert lanes["lanes"][0]["blanks"]
    assert "no word counts" in arcs["arcs"]["BERT"]["unmeasured"]


def refuse(_: object) -> object:
    raise models.Refusal("bert-en")


def test_a_lane_leads_to_the_models_page_with_the_sentence() -> None:
    lanes, _ = drawn(report(home("zh-TW"), sentence(CUP, "tea")))
    link = urlsplit(lanes["lanes"][0]["link"])
    marked = CUP.replace("tea", "[[tea]]")
    assert (link.path, parse_qs(link.query)) == ("fill", {"text": [marked], "lang": ["zh_TW"]})


def test_a_link_brings_its_sentence() -> None:
    lanes, _ = drawn(home(text="Birds can [[fly]]."))
    assert [word["blank"] for word in lanes["lanes"][0]["words"]] == [None, None, 0, None]


def test_the_visitors_typing_stops_what_is_being_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    def cancelled(*_: object) -> object:
        raise models.Cancelled

    app = home()
    monkeypatch.setattr(models, "influence", cancelled)
    app.session_state["home"] = {"sentence": {"text": CUP, "hidden": [[24, 27]]}}
    app.run()
    assert not app.exception and not app.error


def bar(app: AppTest, kind: str) -> dict[str, Any]:
    """What the bar under the lanes holds when this drawer of it is open."""
    app.session_state["influence"] = {"open": kind}
    app.run()
    assert not app.exception
    (element,) = (
        each.proto
        for each in app.get("bidi_component")
        if each.proto.component_name == "unmask.takeaway"
    )
    data: dict[str, Any] = json.loads(element.json)
    return data


def test_the_numbers_can_be_taken_away() -> None:
    app = report(home(), sentence(CUP, "tea"))
    found = models.influence(settings().default_model, sentence(CUP, "tea"))
    (_, *rows) = csv.reader(
        line for line in bar(app, "numbers")["content"]["csv"].splitlines() if line[0] != "#"
    )
    arcs, answers = rows[: len(found.words)], rows[len(found.words) :]
    assert [float(row[4]) for row in arcs] == found.values.tolist()
    assert [row[3] for row in arcs] == [CUP[slice(*span)] for span in found.words]
    listed = drawn(app)[0]["lanes"][0]["blanks"][0]["rows"]
    assert [row[3] for row in answers[: len(listed)]] == [each["word"] for each in listed]
    assert [float(row[6]) for row in answers[: len(listed)]] == [
        each["probability"] for each in listed
    ]
    assert bar(app, "numbers")["name"] == "unmask-influence"
    assert bar(app, "code")["content"]["code"] == found.snippet
    picture = bar(app, "picture")["content"]
    assert picture["markup"].count("<path") == len(found.words)
    assert "Widest arc" in picture["alt"]
    about = bar(app, "about")["content"]
    assert "Jensen-Shannon" in about["note"]
    assert settings().default_model in json.dumps(about["facts"])


def test_a_link_restores_sentence_and_focus() -> None:
    asked = sentence(CUP, "tea", "milk")
    query = parse_qs(bar(report(home(), asked, focus=1), "")["link"])
    assert drawn(home(**{name: value for name, (value,) in query.items()}))[0]["focus"] == 1


def test_without_arcs_the_answers_can_still_be_taken() -> None:
    app = report(home(), Sentence("[MASK] " + "so " * 31))
    kinds = [button["kind"] for button in bar(app, "picture")["buttons"]]
    assert kinds == ["numbers", "picture", "link", "about"]
    assert [row[4] for row in bar(app, "numbers")["content"]["rows"]] == ["–"] * 5
    assert "<path" not in bar(app, "picture")["content"]["markup"]


def test_chinese() -> None:
    app = report(home("zh-TW"), Sentence(CUP))
    assert app.title[0].value == "答案從哪裡來"
    assert "編碼器" in drawn(app)[0]["lanes"][0]["sees"]
    lanes, arcs = drawn(report(app, sentence(CUP, "tea")))
    assert "被遮住的單字" in lanes["lanes"][0]["blanks"][0]["truth"][0]
    assert "位元" in arcs["arcs"]["BERT"]["values"][0]["shown"]
