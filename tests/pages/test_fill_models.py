"""Fill the mask with any masked model: which are offered, what links ask for, who reads what.

Tiny models of all kinds, none trained, stand for the zoo.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

import models
from components.verbatim import verbatim
from models.loading import shelf
from models.settings import settings
from models.trace import Sentence
from pages.choosing.reading import is_chinese
from tests.pages.fill_page import all_drawn, bar, drawn, fill, followed, report
from tests.pages.tiny_zoo import built_zoo, keep, zoo

__all__ = ["built_zoo", "zoo"]  # fixtures

pytestmark = pytest.mark.usefixtures("zoo")

MASKED = ["bert-en", "bert-s-en", "bert-zh"]
CAT = "the cat was walking on the mat in paris"
MARKED = "the [[cat]] was walking on the [[mat]] in paris"
VERSE = "床前明月光，疑是地上霜。"
BARS = {
    "words": ["answers", "named_words", "longer_words"],
    "together": ["together"],
    "sentence": ["whole"],
    "layers": ["layers", "head"],
    "loss": ["loss"],
}


def model_of(app: AppTest) -> str:
    """Who answers: the menu and the line below the sentence agree on that."""
    (menu,) = app.selectbox
    name = verbatim(menu.value) if ":" in menu.value else menu.value
    assert any(each.value.startswith(f":small[{name}: ") for each in app.markdown)
    return str(menu.value)


def choose(app: AppTest, name: str) -> AppTest:
    app.selectbox(key="fill_model").set_value(name).run()
    assert not app.exception
    return app


def told(app: AppTest) -> list[str]:
    """What is said beside the answers."""
    return list(drawn(app, "answers")["notices"])


def probabilities(app: AppTest) -> list[float]:
    """Of all answers, blank after blank."""
    shown = drawn(app, "answers")["blanks"]
    return [row["probability"] for blank in shown for row in blank["rows"]]


def test_every_model_that_fills_masks_is_offered_the_default_one_first() -> None:
    (menu,) = fill().selectbox
    assert (menu.value, menu.options) == (settings().default_model, MASKED)


def test_with_one_model_alone_there_is_no_menu(monkeypatch: pytest.MonkeyPatch, zoo: Path) -> None:
    keep(monkeypatch, zoo, "bert-en", "gpt-s-en")
    app = fill(text=MARKED)
    assert not app.selectbox and len(drawn(app, "answers")["blanks"]) == 2


def test_another_model_answers_the_same_sentence() -> None:
    app = report(fill(), CAT, "cat", "mat")
    before = drawn(app, "tokens")
    choose(app, "bert-s-en")
    assert drawn(app, "tokens")["revision"] == before["revision"], "what is typed stays"
    asked = Sentence(CAT, ((4, 7), (27, 30)))
    blanks = models.predict("bert-s-en", asked).blanks
    expected = [each.probability for blank in blanks for each in blank.candidates]
    assert probabilities(app) == pytest.approx(expected)
    assert model_of(app) == "bert-s-en"


@pytest.mark.parametrize("section", BARS)
def test_every_link_leads_back_to_the_model(section: str) -> None:
    app = fill(model="bert-s-en", section=section, text=MARKED, longer="1")
    for key in BARS[section]:
        found = [each for each in all_drawn(app, "takeaway") if each["name"].endswith(key)]
        if key != "longer_words" or found:  # there may be no such word
            assert parse_qs(bar(app, key)["link"])["model"] == ["bert-s-en"]
    assert model_of(followed(app, BARS[section][0])) == "bert-s-en"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("bert-nobody", "cannot be had"),
        ("dir:elsewhere", "cannot be had"),
        ("hub:someone/else", "cannot be had"),
        ("![x](http://x/y.png)", "cannot be had"),
        ("gpt-s-en", "fills no masks"),
        ("elmo-s-en", "fills no masks"),
    ],
)
def test_a_model_that_cannot_be_had_is_answered_with_a_sentence(asked: str, why: str) -> None:
    app = fill(model=asked, text=MARKED)
    assert model_of(app) == settings().default_model and len(drawn(app, "answers")["blanks"]) == 2
    (notice,) = told(app)
    assert why in notice and settings().default_model in notice and asked not in notice
    assert told(report(app, CAT, "cat")) == [notice], "until another one is chosen"
    assert told(choose(app, "bert-s-en")) == []


@pytest.fixture
def root(built_zoo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the operator's with models in it."""
    shutil.copytree(built_zoo / "bert-s-en", tmp_path / "mine")
    shutil.copytree(built_zoo / "gpt-s-en", tmp_path / "theirs")
    monkeypatch.setenv("UNMASK_MODEL_ROOTS", str(tmp_path))
    settings.cache_clear()
    shelf.cache_clear()
    yield tmp_path
    monkeypatch.undo()
    settings.cache_clear()


def test_a_link_may_bring_a_model_of_the_operators(root: Path) -> None:
    app = fill(model="dir:mine", text=MARKED)
    assert model_of(app) == "dir:mine" and app.selectbox[0].options == [*MASKED, "dir:mine"]
    assert told(app) == []
    choose(app, "bert-en")
    assert model_of(choose(app, "dir:mine")) == "dir:mine", "it stays in the menu"
    again = followed(app, "answers")
    assert model_of(again) == "dir:mine" and probabilities(again) == pytest.approx(
        probabilities(app)
    )


@pytest.mark.parametrize("asked", ["dir:theirs", "dir:![x](http://x)/../mine", "dir:../mine"])
def test_other_folders_are_refused(root: Path, asked: str) -> None:
    app = fill(model=asked, text=MARKED)
    assert model_of(app) == "bert-en" and len(told(app)) == 1


def test_a_link_is_followed_once_and_by_each_page() -> None:
    app = choose(fill(model="bert-s-en", text=MARKED), "bert-en")
    assert model_of(report(app, CAT, "cat")) == "bert-en"
    app.query_params["model"], app.query_params["text"] = "bert-s-en", MARKED
    app.switch_page("../pages/attention.py").run()
    assert not app.exception and app.selectbox[0].value == "bert-s-en"


def test_a_model_that_is_not_ready_keeps_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNMASK_DEFAULT_MODEL", "bert-missing")
    settings.cache_clear()
    try:
        app = report(fill(), CAT, "cat")
        assert app.selectbox[0].options == ["bert-missing", *MASKED]
        assert "bert-missing" in told(app)[0] and "Your sentence is kept" in told(app)[0]
        assert len(drawn(choose(app, "bert-en"), "answers")["blanks"]) == 1
    finally:
        monkeypatch.undo()
        settings.cache_clear()


# --- who reads what


def tried(app: AppTest) -> list[str]:
    return [each["text"] for each in drawn(app, "tokens")["examples"]]


def test_what_can_be_tried_is_in_the_language_of_the_model() -> None:
    app = fill(model="bert-zh")
    assert all(map(is_chinese, tried(app))) and is_chinese(drawn(app, "answers")["text"])
    assert any("characters" in each.value for each in app.markdown)
    assert not any(map(is_chinese, tried(choose(app, "bert-en"))))


@pytest.mark.parametrize(
    ("model", "text", "sentence", "other"),
    [
        ("bert-en", VERSE, "has read English only", "bert-zh"),
        ("bert-zh", CAT, "has read Chinese verse only", "bert-en"),
    ],
)
def test_another_language_is_answered_in_one_sentence(
    model: str, text: str, sentence: str, other: str
) -> None:
    app = report(fill(model=model), text, text[1])
    (notice,) = told(app)
    assert sentence in notice and other in notice
    assert drawn(app, "answers")["text"] == text
    assert told(choose(app, other)) == [], "and that one has read it"


def test_without_another_model_no_other_is_named(
    monkeypatch: pytest.MonkeyPatch, zoo: Path
) -> None:
    keep(monkeypatch, zoo, "bert-en", "bert-s-en")
    (notice,) = told(report(fill(), VERSE, "月"))
    assert notice == (
        "This model has read English only: type an English sentence, or choose an example."
    )


def test_an_empty_line_asks_for_verse() -> None:
    app = report(fill("zh-TW", model="bert-zh", section="sentence"), "")
    assert told(app) == ["打一句古典詩，或選一個例句。"]
    assert any("古典詩" in each.value for each in app.info)
    assert drawn(app, "tokens")["words"]["placeholder"] == "打一句古典詩"


def test_the_sections_offer_verse_to_a_model_of_verse() -> None:
    app = fill(model="bert-zh", section="together", text="床前明月[[光]]，疑是地上霜。")
    offered = drawn(app, "offers")["offers"]
    assert offered and all(is_chinese(each["sentence"]["text"]) for each in offered)
    app = fill(model="bert-zh", section="sentence", text="床前明月[[光]]，疑是地上霜。")
    assert all(
        is_chinese(each["label"].replace(" / ", "")) for each in drawn(app, "offers")["offers"]
    )
    app = fill(model="bert-zh", section="words", text="床前明月[[光]]，疑是地上霜。")
    assert "月" in app.text_input(key="fill_words").placeholder


def test_simplified_characters_are_read_as_those_that_the_model_knows() -> None:
    app = fill("zh-TW", model="bert-zh", text="举头望明[[月]]，低头思故[[乡]]。")
    assert any("舉頭望明月" in notice for notice in told(app))
