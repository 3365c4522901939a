"""Generate as a visitor drives it: bars and cuts, steps and runs, branches, links, beams, verse."""

from __future__ import annotations

from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import models
from models.loading import Model
from models.trace import Cut, Drawing, Sentence
from models.training import characters
from pages.generating.linked import as_link, from_link
from pages.generating.orders import Order, Settings, order, settings
from pages.generating.tree import Tree
from pages.generating.verse import verdict
from tests.pages.fill_page import bar, taken
from tests.pages.fill_page import drawn as plain
from tests.pages.test_attention import drawn
from tests.pages.tiny_writers import opened, tiny
from tests.pages.tiny_zoo import LINE
from tests.unit.kinds import build_kind

TEXT = "the cat sat on the"
MADE = ("gpt-s-en", "lstm-s-en", "gpt-zh")

__all__ = ["tiny"]  # a fixture, used by every test

pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Model]:
    signs = characters.tokenizer_for([LINE] * characters.LEAST)
    return {
        name: build_kind(
            name.partition("-")[0],
            tmp_path_factory.mktemp(name),
            signs if name == "gpt-zh" else None,
        )
        for name in MADE
    }


def generate(locale: str = "en-US", **query: str) -> AppTest:
    """The page as a new visitor finds it."""
    return opened("generate", locale, {"text": TEXT, **query})


def ordered(app: AppTest, action: str, token: int | None = None, **changes: object) -> AppTest:
    """A button is pressed."""
    known = settings({"way": "greedy", **changes}, Settings())
    app.session_state["generate/settings"] = known
    app.session_state["generate/order"] = Order(action, known, token)  # type: ignore[arg-type]
    app.run()
    assert not app.exception
    return app


def tree(app: AppTest) -> Tree:
    (*_, newest) = app.session_state["generate/trees"].values()
    return newest


def shown(app: AppTest) -> dict[str, object]:
    """The draft; while a text grows there are more such components."""
    return plain(app, "draft")


def test_the_bars_are_the_whole_distribution(tiny: dict[str, Model]) -> None:
    app, model = generate(), tiny["gpt-s-en"]
    found = models.next_tokens(model, models.prompt(model, Sentence(TEXT)).ids)
    data = drawn(app, "next_tokens")
    assert (data["log_p"] == found.log_p).all()
    assert [row["id"] for row in data["rows"]] == [c.token_id for c in found.candidates]
    assert [token["text"].strip() for token in shown(app)["prompt"]] == ["[CLS]", *TEXT.split()]


def test_a_hidden_word_is_where_it_begins() -> None:
    app = generate(text="the cat [[sat]] on the mat")
    assert [token["text"].strip() for token in shown(app)["prompt"]] == ["[CLS]", "the", "cat"]


def test_a_step_and_a_run_write_what_the_model_writes(tiny: dict[str, Model]) -> None:
    model = tiny["gpt-s-en"]
    read = models.prompt(model, Sentence(TEXT)).ids
    greedy = [token.id for token in models.continuation(model, read, Drawing(), 4)]
    app = ordered(ordered(generate(), "one"), "run", length=3)
    assert [token.id for token in tree(app).tokens] == greedy
    assert shown(app)["headline"].startswith("4 tokens: ")
    assert shown(app)["writing"] is False

    cut = Cut(1.3, 20, 0.9)
    drawing = Drawing(cut, seed=5)
    sampled = [token.id for token in models.continuation(model, read, drawing, 5)]
    sets = {"way": "draw", **vars(cut), "seed": 5, "length": 3}
    app = ordered(ordered(ordered(generate(), "one", **sets), "one", **sets), "run", **sets)
    assert [token.id for token in tree(app).tokens] == sampled, "steps and runs are one draw"
    assert tree(app).parts() == [(drawing, sampled)]


def test_others_get_a_turn_between_two_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    turns, free = [], models.slots()._free

    def shown(tokens: list[object], **_: object) -> None:
        turns.append((len(tokens), models.slots()._free))

    monkeypatch.setattr("pages.generating.writing.more", shown)
    monkeypatch.setattr("pages.generating.writing.EVERY", -1)
    app = ordered(generate(), "run", length=4)
    assert turns == [(count, free) for count in (1, 2, 3, 4)], "no slot is held meanwhile"
    assert len(tree(app).tokens) == 4


def test_another_choice_is_a_branch_and_nothing_is_lost() -> None:
    app = ordered(generate(), "run", length=4)
    first = [token.id for token in tree(app).tokens]
    tree(app).place = 1
    app.run()
    data = drawn(app, "next_tokens")
    assert [row["id"] for row in data["rows"] if row["chosen"]] == first[1:2]
    other = next(row["id"] for row in data["rows"] if not row["chosen"])
    app = ordered(app, "force", token=other)
    assert [token.id for token in tree(app).tokens] == [first[0], other]
    rows = shown(app)["rows"]
    assert [(row["depth"], row["shown"]) for row in rows] == [(0, False), (1, True)]
    assert [token["hand"] for token in shown(app)["tokens"]] == [False, True]
    assert drawn(app, "next_tokens")["headline"].endswith("”")
    assert tree(app).parts() == [(Drawing(), first[:1]), (None, [other])]
    tree(app).place = 1
    app = ordered(app, "force", token=first[1])
    assert [token.id for token in tree(app).tokens] == first, "what stood there is taken up again"
    assert tree(app).place == 2


def test_a_link_restores_the_branch_and_the_settings() -> None:
    app = ordered(generate(), "run", way="draw", temperature=1.4, top_k=9, seed=3, length=4)
    app = ordered(app, "one", way="greedy")
    again = generate(**dict(parse_qsl(bar(app, "text")["link"])))
    assert tree(again).parts() == tree(app).parts()
    assert shown(again)["tokens"][0]["told"].split(";")[0] in shown(app)["tokens"][0]["told"]
    data = drawn(again, "next_tokens")
    assert data["settings"]["way"] == "greedy"
    assert data["log_p"] == pytest.approx(drawn(app, "next_tokens")["log_p"], abs=1e-4)


@pytest.mark.parametrize("nonsense", ["x", "g:999999", "d,1,2:3", "d,0,0,0,0,0:5", "-1", "h:"])
def test_any_link_opens_the_page(nonsense: str) -> None:
    app = generate(path=nonsense, temperature=nonsense, top_k=nonsense, seed=nonsense, way=nonsense)
    assert tree(app).tokens == []


def test_what_a_link_says_is_what_was_written() -> None:
    parts = [(Drawing(), [4, 5]), (None, [6]), (Drawing(Cut(0.85, 50, 0.9), 7, 2), [8])]
    assert from_link(as_link(parts)) == parts
    assert from_link("") == []


@pytest.mark.parametrize(
    "wrong",
    [None, 3, {}, {"action": "x"}, {"action": "force"}, {"action": "force", "token": True}],
)
def test_only_orders_that_can_be_are_carried_out(wrong: object) -> None:
    assert order(wrong, Settings()) is None


def test_settings_stay_in_their_bounds() -> None:
    wild = {"way": "x", "temperature": "nan", "top_k": 1e9, "top_p": -3, "seed": [], "length": "7"}
    found = settings(wild, Settings(seed=2))
    assert (found.way, found.cut.temperature, found.cut.top_p) == ("draw", 0.8, 0.05)
    assert (found.cut.top_k, found.seed, found.length) == (200_000, 2, 7)


def test_a_word_that_the_model_does_not_have_is_not_put() -> None:
    app = ordered(generate(), "force", token=10**6)
    assert tree(app).tokens == []


def test_beams_are_the_model_s_and_become_branches(tiny: dict[str, Model]) -> None:
    app, model = generate(beams="3", most="6"), tiny["gpt-s-en"]
    found = models.beam_search(model, models.prompt(model, Sentence(TEXT)).ids, 3, 6)
    data = plain(app, "beams")
    assert [row["text"] for row in data["rows"]] == [b.text.strip() or "·" for b in found.beams]
    assert len(data["steps"]) == len(found.steps)
    assert taken(app, "beams", "numbers")["rows"]
    compile(taken(app, "beams", "code")["code"], "beams", "exec")


def test_everything_can_be_taken_away(tiny: dict[str, Model]) -> None:
    app = ordered(generate(), "run", way="draw", top_k=5, length=3)
    for key in ("text", "next_token", "beams"):
        assert taken(app, key, "numbers")["rows"]
        assert taken(app, key, "picture")["markup"].startswith("<svg")
        compile(taken(app, key, "code")["code"], key, "exec")
        assert tiny["gpt-s-en"].provenance.revision in str(taken(app, key, "about"))
    table = taken(app, "next_token", "numbers")
    after = [row[4] for row in table["rows"][:6]]
    assert sum(float(each) > 0 for each in after) == 5


def test_an_lstm_writes_too(tiny: dict[str, Model]) -> None:
    app = ordered(generate(model="lstm-s-en"), "run", length=5)
    model = tiny["lstm-s-en"]
    read = models.prompt(model, Sentence(TEXT)).ids
    assert [t.id for t in tree(app).tokens] == [
        t.id for t in models.continuation(model, read, Drawing(), 5)
    ]
    compile(taken(app, "text", "code")["code"], "text", "exec")


def test_verse_is_asked_for_by_its_form() -> None:
    app = generate("zh-TW", model="gpt-zh", text="[五絕]")
    assert [o["label"] for o in plain(app, "offers")["offers"]] != []
    assert shown(app)["prompt"][-1]["text"] == "[五絕]"
    app = ordered(app, "run", way="draw", length=12)
    assert shown(app)["verse"] is True
    assert "五絕共 4 句" in shown(app)["notes"][0]


def test_the_form_of_a_poem_is_checked(tiny: dict[str, Model]) -> None:
    model = tiny["gpt-zh"]
    ids = models.prompt(model, Sentence("[五絕]" + LINE)).ids
    tokens = models.scored(model, ids)[2:]
    assert verdict("[五絕]", tokens).startswith("This is a 五絕")
    assert "this text is none" in verdict("[七絕]", tokens)
    assert verdict("", tokens[:5]).startswith("Lines: 1")
    assert verdict("[五絕]", []) == ""


def test_no_room_is_said(tiny: dict[str, Model]) -> None:
    long = " ".join(["cat"] * 200)
    app = generate(text=long)
    assert any("no room to write" in info.value for info in app.info)
    assert drawn(app, "next_tokens")["room"] <= 0


def test_a_tree_stays_small() -> None:
    app = ordered(generate(), "run", length=2)
    branch = [token.id for token in tree(app).tokens]
    tree(app).place = 0
    app.run()
    app = ordered(app, "force", token=7)
    tree(app).forget()
    assert len(tree(app).nodes) == 1
    assert tree(app).leaf == 0
    assert [token.id for token in tree(app).tokens] == [7] != branch
    assert np.isfinite(tree(app).nodes[0].token.bits or np.nan)
