"""Fill the mask, through the router and with a real model: what a visitor is told and when.

The strip is driven as the browser drives it, by its state; what the page draws is read from the
data its components get.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import models
from models.settings import settings
from models.slots import slots
from models.trace import Sentence
from tests.pages.fill_page import PAGE, drawn, fill, followed, report, taken

CUP = "She would like a cup of tea with milk."


def answers(app: AppTest) -> dict[str, Any]:
    return drawn(app, "answers")


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server without the model it should have."""
    monkeypatch.setenv("UNMASK_DEFAULT_MODEL", "bert-missing")
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


def test_a_new_visitor_finds_a_sentence_with_its_answer() -> None:
    app = fill()
    begun = drawn(app, "tokens")["sentence"]
    assert begun["hidden"], "a word is hidden at once"
    (blank,) = answers(app)["blanks"]
    assert answers(app)["text"] == begun["text"]
    assert len(blank["rows"]) == 10
    shares = [row["probability"] for row in blank["rows"]]
    assert shares == sorted(shares, reverse=True) and 0 < sum(shares) <= 1
    assert answers(app)["notices"] == []


def test_answers_are_the_models_own() -> None:
    app = report(fill(), CUP, "tea")
    (blank,) = answers(app)["blanks"]
    start = CUP.index("tea")
    asked = Sentence(CUP, ((start, start + 3),))
    answer = models.predict(settings().default_model, asked)
    best = answer.blanks[0].candidates
    assert [row["word"] for row in blank["rows"]] == [candidate.text for candidate in best]
    assert [row["probability"] for row in blank["rows"]] == [c.probability for c in best]
    assert f"rank {answer.blanks[0].original_rank:,} of {answer.words:,}" in blank["own"]


def test_several_blanks_stand_in_reading_order() -> None:
    app = report(fill(), CUP + " [MASK]", "milk", "tea")
    titles = [(blank["title"], blank["span"][0]) for blank in answers(app)["blanks"]]
    places = [CUP.index("tea"), CUP.index("milk"), len(CUP) + 1]
    assert titles == [(f"Blank {n + 1}", place) for n, place in enumerate(places)]
    assert "no word of yours" in answers(app)["blanks"][2]["own"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "Type an English sentence, or choose an example."),
        ("?!", "no word here yet"),
        (CUP, "Click a word to hide it"),
    ],
)
def test_what_to_do_next_is_said(text: str, told: str) -> None:
    (notice,) = answers(report(fill(), text))["notices"]
    assert told in notice


def test_too_long_a_text_is_read_as_far_as_it_goes_and_the_rest_named() -> None:
    text = "[MASK] is " + "word " * 4_000 + "end"
    seen = answers(report(fill(), text))
    assert seen["text"] == text, "nothing typed is lost"
    assert 0 < seen["read"] <= settings().max_characters
    assert len(seen["blanks"]) == 1
    assert "Not read: “word word" in seen["notices"][0]


def test_signs_without_a_spelling_are_named() -> None:
    (notice,) = answers(report(fill(), "A \U0001faa9 is a [MASK]."))["notices"]
    assert "\U0001faa9" in notice


def test_without_its_model_the_page_says_so_and_keeps_the_sentence(no_model: None) -> None:
    app = report(fill(), CUP, "tea")
    assert answers(app)["blanks"] == []
    (notice,) = answers(app)["notices"]
    assert "bert-missing" in notice and "Your sentence is kept" in notice
    assert answers(app)["text"] == CUP


def test_a_link_brings_its_sentence() -> None:
    app = fill(text="Birds can [[fly]] in the [MASK].")
    assert drawn(app, "tokens")["sentence"] == {
        "text": "Birds can fly in the [MASK].",
        "hidden": [[10, 13]],
    }
    assert len(answers(app)["blanks"]) == 2


def test_the_sentence_follows_to_the_other_page_and_back() -> None:
    app = report(fill(), CUP, "tea")
    app.switch_page("../pages/home.py").run()
    assert not app.exception
    follows = drawn(app, "tokens")
    assert follows["sentence"] == {"text": CUP, "hidden": [[24, 27]]}
    app.session_state["home"] = {
        "sentence": {"text": "Yes", "hidden": [[0, 3]], "revision": follows["revision"]}
    }
    app.run().switch_page(PAGE).run()
    assert drawn(app, "tokens")["sentence"] == {"text": "Yes", "hidden": [[0, 3]]}
    assert answers(app)["text"] == "Yes"


def test_a_link_takes_the_place_of_the_sentence_once() -> None:
    app = report(fill(), CUP, "tea")
    before = drawn(app, "tokens")
    app.query_params["text"] = "Birds can [[fly]]."
    app.run()
    asked = drawn(app, "tokens")
    assert asked["sentence"] == {"text": "Birds can fly.", "hidden": [[10, 13]]}
    assert asked["revision"] != before["revision"], "what was sent before the link is outdated"
    report(app, CUP, "milk", revision=asked["revision"])
    assert (answers(app)["text"], drawn(app, "tokens")) == (CUP, asked)


@pytest.mark.parametrize("text", ["", "  ", "[[]]", "[[", "]]x[[", "\x00", "a" * 50_000])
def test_any_link_opens_the_page(text: str) -> None:
    assert drawn(fill(text=text), "tokens")["sentence"]["text"].strip()


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"sentence": None},
        {"sentence": 3},
        {"sentence": {"text": CUP, "hidden": [[0, 10**9]]}},
        {"sentence": {"text": "\ud83d", "hidden": [[0, 1]]}},
        {"sentence": {"text": CUP, "hidden": [], "revision": 7}},
    ],
)
def test_whatever_a_browser_sends_the_page_stands(state: dict[str, object]) -> None:
    app = fill()
    app.session_state["fill"] = state
    app.run()
    assert not app.exception
    assert answers(app)["strip"] == "fill"


def test_a_visit_to_another_page_loses_nothing() -> None:
    app = report(fill(), CUP, "tea")
    del app.session_state["fill"]  # as Streamlit does with what a page did not show
    app.run()
    assert drawn(app, "tokens")["sentence"]["text"] == CUP
    assert answers(app)["text"] == CUP


def test_typing_does_not_send_the_strip_anew() -> None:
    app = fill()
    before = drawn(app, "tokens")
    assert drawn(report(app, CUP, "tea"), "tokens") == before


def test_no_answer_is_sent_twice() -> None:
    """Streamlit's cache of messages breaks the connection when an old one returns in a hurry."""
    app = report(fill(), CUP, "tea")
    first = answers(app)
    again = answers(report(app, CUP, "tea"))
    assert first.pop("serial") != again.pop("serial")
    assert first == again


def test_where_the_numbers_come_from() -> None:
    told = json.dumps(taken(fill(), "answers", "about"))
    assert settings().default_model in told and "float32" in told and "torch" in told


def test_what_can_be_taken_away_is_what_is_shown() -> None:
    app = report(fill(), "</svg> a cup of tea", "tea")
    (blank,) = answers(app)["blanks"]
    words = [row["word"] for row in blank["rows"]]
    assert [row[2] for row in taken(app, "answers", "numbers")["rows"][:10]] == words
    assert f"{words[0]} {blank['rows'][0]['share']}" in taken(app, "answers", "picture")["alt"]
    program = taken(app, "answers", "code")["code"]
    assert "</svg> a cup of tea" in program
    compile(program, "snippet", "exec")


@pytest.mark.parametrize("text", [CUP, "茶 & tea #1 [MASK] 100%", "א tea\n\nb"])
def test_the_link_leads_back_to_the_same_sentence(text: str) -> None:
    hidden = ["tea"] if "tea" in text else []
    app = report(fill(), text, *hidden)
    again = followed(app, "answers")
    assert drawn(again, "tokens")["sentence"] == {
        "text": text,
        "hidden": [[text.index(word), text.index(word) + len(word)] for word in hidden],
    }
    assert answers(again)["blanks"] == answers(app)["blanks"]


def test_chinese() -> None:
    app = report(fill("zh-TW"), "")
    assert drawn(app, "tokens")["words"]["undo"] == "復原"
    assert "例句" in answers(app)["notices"][0]
    report(app, CUP, "tea")
    assert "你的單字" in answers(app)["blanks"][0]["own"]


def test_a_full_queue_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> object:
        raise models.TooBusy(200)

    app = fill()
    monkeypatch.setattr(slots(), "claim", full)
    (notice,) = answers(report(app, CUP, "tea"))["notices"]
    assert "Many people" in notice


def test_the_place_in_the_queue_stands_in_the_models_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def wait_and_give_up(_: object, on_wait: Callable[[int], None]) -> object:
        on_wait(2)
        raise models.TooBusy(200)

    app = fill()
    with monkeypatch.context() as patch:
        patch.setattr(slots(), "claim", wait_and_give_up)
        report(app, CUP, "tea")
        assert any("number 2 in the queue" in each.value for each in app.markdown)
    report(app, CUP, "milk")
    assert not any("queue" in each.value for each in app.markdown)
    assert any("layers" in each.value for each in app.markdown)
