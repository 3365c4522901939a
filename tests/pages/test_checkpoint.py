"""Your checkpoint through the router: choose, read the figures, load; broken ones; hub off."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from huggingface_hub import constants
from streamlit.testing.v1 import AppTest

import models
from components.verbatim import verbatim
from components.words import use_language
from models.checkpoints import hub
from models.loading import shelf
from models.settings import settings
from pages.choosing.model import DOES
from pages.choosing.refused import why
from tests.pages.fill_page import SHELL, drawn
from tests.pages.tiny_zoo import built_zoo, zoo
from tests.unit.broken import BROKEN, broken
from tests.unit.fake_hub import COMMIT, in_cache

__all__ = ["built_zoo", "zoo"]  # fixtures

pytestmark = pytest.mark.usefixtures("zoo")

Configure = Callable[..., None]
MARKUP = "a *b* <b>c</b> ![x](y) :red[d]"
MARKED = "the [[cat]] was walking on the [[mat]] in paris"


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch) -> Iterator[Configure]:
    """Set settings for one test."""

    def change(**values: object) -> None:
        for name, value in values.items():
            monkeypatch.setenv(f"UNMASK_{name.upper()}", str(value))
        settings.cache_clear()
        shelf.cache_clear()

    yield change
    monkeypatch.undo()
    settings.cache_clear()
    shelf.cache_clear()


@pytest.fixture
def root(built_zoo: Path, tmp_path: Path, configure: Configure) -> Path:
    """A folder of the operator's: a masked model, a causal one, one with an odd name."""
    folder = tmp_path / "root"
    shutil.copytree(built_zoo / "bert-s-en", folder / "mine")
    shutil.copytree(built_zoo / "gpt-s-en", folder / "writer")
    shutil.copytree(built_zoo / "bert-s-en", folder / MARKUP)
    configure(model_roots=folder)
    return folder


def page(locale: str = "en-US", **query: str) -> AppTest:
    app = AppTest.from_file(SHELL, default_timeout=120)
    app.switch_page("../pages/checkpoint.py")
    app.context = {"locale": locale}
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def pick(app: AppTest, name: str) -> AppTest:
    app.selectbox(key="checkpoint_picked_dir").set_value(name).run()
    assert not app.exception
    return app


def load(app: AppTest) -> AppTest:
    app.button(key="checkpoint_load").click().run()
    assert not app.exception
    return app


def mine(app: AppTest) -> str:
    """The model that the lower half of the page is about; "" while there is none."""
    return str(app.subheader[0].value) if app.subheader else ""


def go(app: AppTest, to: str) -> AppTest:
    app.switch_page(f"../pages/{to}.py").run()
    assert not app.exception
    return app


def test_where_no_folder_is_open_there_is_a_model_of_the_app_to_look_at(zoo: Path) -> None:
    app = page()
    assert app.radio(key="checkpoint_source").value == "bundled"
    first = models.bundled()[0].name
    assert mine(app) == verbatim(first)
    menu = app.selectbox(key="checkpoint_picked_bundled")
    menu.set_value("gpt-s-en").run()
    assert mine(app) == verbatim("gpt-s-en") and not app.exception
    assert not [each for each in app.button if each.key == "checkpoint_load"]


def test_a_link_names_a_model_of_the_app(root: Path) -> None:
    assert mine(page(model="bert-s-en")) == verbatim("bert-s-en")


def test_folders_are_listed_and_searched(root: Path) -> None:
    app = page()
    menu = app.selectbox(key="checkpoint_picked_dir")
    assert menu.options == [MARKUP, "mine", "writer"] and menu.value is None
    assert mine(app) == ""
    app.text_input(key="checkpoint_search").set_value("WRI").run()
    assert app.selectbox(key="checkpoint_picked_dir").options == ["writer"]


def test_the_figures_come_before_the_model(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as context:
        context.setattr("models.loading.open_model", pytest.fail)
        app = pick(page(), "dir:mine")
    told = {each["name"]: each["value"] for each in drawn(app, "facts")["facts"]}
    found = models.size_of("dir:mine")
    assert told["Parameters"] == f"{found.parameters:,}"
    assert told["Layers"] == str(found.layers)
    assert mine(app) == ""


def test_a_chosen_model_is_loaded_and_offered_where_it_suits(root: Path) -> None:
    app = load(pick(page(), "dir:mine"))
    assert mine(app) == verbatim("dir:mine")
    assert "dir:mine" in go(app, "fill").selectbox(key="fill_model").options
    generate = go(app, "generate")
    assert all("dir:mine" not in menu.options for menu in generate.selectbox)
    (caption,) = [each.value for each in generate.caption if "checkpoint" in each.value]
    assert verbatim(DOES["masked"]) in caption
    assert "dir:mine" in go(app, "attention").selectbox(key="attention_model").options


def test_a_broken_one_leaves_the_one_before(root: Path, built_zoo: Path) -> None:
    broken(built_zoo / "bert-s-en", root / "torn", "not_a_number")
    app = load(pick(page(), "dir:mine"))
    app = load(pick(app, "dir:torn"))
    assert mine(app) == verbatim("dir:mine")
    (warning,) = app.warning
    assert "NaN" in warning.value and verbatim("attention.self.query.weight") in warning.value
    app = load(pick(app, "dir:writer"))
    assert mine(app) == verbatim("dir:writer") and not app.warning


@pytest.mark.parametrize("how", BROKEN)
def test_what_is_broken_is_said_plainly(root: Path, built_zoo: Path, how: str) -> None:
    locale = ("en-US", "zh-TW")[list(BROKEN).index(how) % 2]  # each sentence is in both catalogues
    broken(built_zoo / "bert-s-en", root / how, how)
    app = page(locale, model=f"dir:{how}")
    (warning,) = app.warning
    with pytest.raises(models.Refusal) as refusal:
        models.load(f"dir:{how}")
    with use_language("zh_TW" if locale == "zh-TW" else "en"):
        assert warning.value == verbatim(why(refusal.value))
    assert mine(app) == ""


def test_an_empty_folder_and_one_outside_are_refused(root: Path) -> None:
    (root / "nothing").mkdir()
    for asked in ("dir:nothing", "dir:../mine", "dir:/etc", "dir:mine/../mine"):
        app = page(model=asked)
        assert len(app.warning) == 1 and mine(app) == ""


def test_a_link_brings_a_model(root: Path) -> None:
    app = page(model="dir:mine")
    assert mine(app) == verbatim("dir:mine")
    assert app.selectbox(key="checkpoint_picked_dir").value == "dir:mine"
    assert mine(load(pick(app, "dir:writer"))) == verbatim("dir:writer")


def test_a_name_with_markup_stays_a_name(root: Path) -> None:
    app = page(model=f"dir:{MARKUP}")
    assert mine(app) == verbatim(f"dir:{MARKUP}")
    app = go(app, "fill")
    app.selectbox(key="fill_model").set_value(f"dir:{MARKUP}").run()
    assert not app.exception
    assert any(verbatim(f"dir:{MARKUP}") in each.value for each in app.markdown)


def test_a_model_beyond_the_limit_cannot_be_loaded(root: Path, configure: Configure) -> None:
    configure(max_parameters=10)
    app = pick(page(), "dir:mine")
    (warning,) = app.warning
    assert f"{models.size_of('dir:mine').parameters:,}" in warning.value.replace("\\", "")
    assert not [each for each in app.button if each.key == "checkpoint_load"]


def test_half_precision_is_part_of_the_name(root: Path) -> None:
    app = pick(page(), "dir:mine")
    app.selectbox(key="checkpoint_dtype").set_value("bfloat16").run()
    assert mine(load(app)) == verbatim("dir:mine@bfloat16")


# --- the hub


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty cache, and no network."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    hub._answers.cache_clear()
    return tmp_path / "cache"


def at_the_hub(app: AppTest) -> AppTest:
    app.radio(key="checkpoint_source").set_value("hub").run()
    assert not app.exception
    return app


def test_the_hub_may_be_switched_off(root: Path, configure: Configure, cache: Path) -> None:
    configure(hub_policy="off")
    app = at_the_hub(page())
    (info,) = app.info
    assert "switched the hub off" in info.value
    assert not app.selectbox and not app.text_input
    app = page(model="hub:openai-community/gpt2")
    assert not app.exception and mine(app) == ""


def test_without_a_network_the_hub_is_a_calm_sentence(
    root: Path, cache: Path, built_zoo: Path
) -> None:
    in_cache(cache, "google-bert/bert-base-uncased", built_zoo / "bert-s-en")
    app = at_the_hub(page())
    (info,) = app.info
    assert "no fault" in info.value
    menu = app.selectbox(key="checkpoint_hub")
    states = [option.rsplit(" · ", 1)[1] for option in menu.options]
    assert states[0] == "here" and set(states[1:]) == {"out of reach"}
    menu.set_value("hub:google-bert/bert-base-uncased").run()
    assert mine(load(app)) == verbatim("hub:google-bert/bert-base-uncased")


def test_any_repository_where_it_is_allowed(
    root: Path, cache: Path, configure: Configure, built_zoo: Path
) -> None:
    in_cache(cache, "org/name", built_zoo / "bert-s-en")
    app = at_the_hub(page())
    assert not [each for each in app.text_input if each.key == "checkpoint_id"], "curated only"
    configure(hub_policy="any")
    app = at_the_hub(page())
    app.text_input(key="checkpoint_id").set_value(f"org/name@{COMMIT[:8]}").run()
    assert mine(load(app)) == verbatim(f"hub:org/name@{COMMIT[:8]}")
    app.text_input(key="checkpoint_id").set_value("not a repository").run()
    assert not app.exception and len(app.warning) == 1


def test_a_link_to_the_hub_is_followed(
    root: Path, cache: Path, configure: Configure, built_zoo: Path
) -> None:
    in_cache(cache, "openai-community/gpt2", built_zoo / "gpt-s-en")
    assert mine(page(model="hub:openai-community/gpt2")) == verbatim("hub:openai-community/gpt2")
    (warning,) = page(model="hub:org/name").warning
    assert "short list" in warning.value
    app = page(model="hub:distilbert/distilgpt2")
    assert not app.warning and app.button(key="checkpoint_fetch")


def test_a_download_that_fails_is_a_calm_sentence(
    root: Path, cache: Path, configure: Configure
) -> None:
    configure(hub_policy="any")
    app = at_the_hub(page())
    app.text_input(key="checkpoint_id").set_value("org/missing").run()
    app.button(key="checkpoint_fetch").click().run()
    assert not app.exception
    fetch = app.session_state["checkpoint/fetch"]
    fetch.wait(60)
    app.run()
    assert any("does not answer" in each.value for each in app.info)


def test_without_roots_or_packages_the_page_says_how(
    configure: Configure, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    monkeypatch.setattr(models, "packages", tuple)
    app = page()
    app.radio(key="checkpoint_source").set_value("dir").run()
    assert "UNMASK_MODEL_ROOTS" in app.info[0].value
    app.radio(key="checkpoint_source").set_value("package").run()
    assert not app.exception and "README" in app.info[0].value
