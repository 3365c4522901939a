"""What a brought checkpoint is, through the router: every section, both languages, bad input."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

import models
from models.loading import shelf
from models.settings import settings
from pages.probing import SECTIONS
from tests.pages.fill_page import SHELL, bar, taken
from tests.pages.tiny_zoo import built_zoo, zoo

__all__ = ["built_zoo", "zoo"]  # fixtures

pytestmark = pytest.mark.usefixtures("zoo")

CAT = "the cat was walking on the mat in paris"
BARS = {
    "parts": "probing_parts", "demands": "probing_demands", "tokens": "probing_tokens",
    "weight": "probing_tensor", "words": "probing_words", "places": "probing_places_0",
}  # fmt: skip


@pytest.fixture(autouse=True)
def root(built_zoo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the operator's, with a model of each architecture."""
    for name in ("bert", "gpt", "elmo", "seq"):
        shutil.copytree(built_zoo / f"{name}-s-en", tmp_path / name)
    monkeypatch.setenv("UNMASK_MODEL_ROOTS", str(tmp_path))
    settings.cache_clear()
    shelf.cache_clear()
    yield tmp_path
    monkeypatch.undo()
    settings.cache_clear()
    shelf.cache_clear()


def page(model: str = "dir:bert", locale: str = "en-US", **query: str) -> AppTest:
    app = AppTest.from_file(SHELL, default_timeout=180)
    app.switch_page("../pages/checkpoint.py")
    app.context = {"locale": locale}
    for name, value in ({"model": model, "text": CAT} | query).items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def written(app: AppTest) -> str:
    every = (*app.markdown, *app.info, *app.caption)
    return "\n".join(str(each.value).replace("\\", "") for each in every)


def checks(app: AppTest) -> list[dict[str, str]]:
    """The numbers under the summary; other lists of numbers are on the page, too."""
    for each in app.get("bidi_component"):
        if each.proto.component_name == "unmask.facts":
            data = json.loads(each.proto.json)
            if data["label"] == "What was measured":
                found: list[dict[str, str]] = data["facts"]
                return found
    raise AssertionError


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("bert", "An encoder of 2 layers that reads both sides."),
        ("gpt", "that reads from the left. Measured: no leak."),
        ("elmo", "one from each side. Measured: neither half"),
        ("seq", "the decoder reads from the left, no leak"),
    ],
)
def test_a_stranger_is_told_what_it_is(model: str, said: str) -> None:
    app = page(f"dir:{model}")
    found = models.probe(f"dir:{model}", CAT)
    assert said.rsplit(". ", maxsplit=1)[-1] in written(app)
    leaks = {each["name"]: each["value"] for each in checks(app) if "tokens" in each["name"]}
    if model == "bert":  # what an encoder sees is no leak
        assert list(leaks) == ["Seen of later tokens"]
        assert leaks["Seen of later tokens"] != "exactly 0"
        assert found.reaches[0].ahead > 0
    else:
        assert leaks
        assert set(leaks.values()) == {"exactly 0"}


@pytest.mark.parametrize("section", sorted(BARS))
def test_every_section_can_be_taken_away(section: str) -> None:
    app = page(section=section)
    key = BARS[section]
    kinds = [button["kind"] for button in bar(app, key)["buttons"]]
    assert kinds == ["numbers", "code", "picture", "link", "about"]
    assert taken(app, key, "numbers")["rows"]
    assert "from_pretrained" in taken(app, key, "code")["code"]
    assert taken(app, key, "picture")["markup"].startswith("<svg")
    link = dict(parse_qsl(bar(app, key)["link"]))
    assert (link["section"], link["text"], link["model"]) == (section, CAT, "dir:bert")


def test_the_identity_can_be_taken_away_and_is_translated() -> None:
    assert "編碼器" in written(page(locale="zh-TW"))
    app = page()
    assert len(taken(app, "probing_identity", "numbers")["rows"]) > 25
    assert "row's sum" in taken(app, "probing_identity", "code")["code"]
    assert taken(app, "probing_identity", "picture")["markup"].startswith("<svg")


@pytest.mark.parametrize("section", SECTIONS)
def test_no_section_fails_for_a_model_without_attention(section: str) -> None:
    app = page("dir:elmo", section=section)
    if section == "heads":
        assert "recurrent layers" in written(app)


def test_heads_begin_with_a_button_and_keep_their_measure() -> None:
    app = page(section="heads", text=f"{CAT}\n{CAT} and on")
    app.button(key="probing_look").click().run()
    assert not app.exception
    found = models.glance("dir:bert", [CAT, f"{CAT} and on"], "encoder")
    assert "Over 2 sentences." in written(app)
    rows = taken(app, "probing_several", "numbers")["rows"]
    assert rows[0][3] == f"{found.means[0, 0, 0]:.4f}"
    app.button(key="probing_stop").click().run()
    assert "Over 2 sentences." not in written(app)


@pytest.mark.parametrize("text", [" ", "?!", "<b>x</b> :red[y]", "cat " * 900])
def test_any_text(text: str) -> None:
    app = page(text=text)
    app.text_area(key="probing_text").set_value(text).run()
    assert not app.exception
