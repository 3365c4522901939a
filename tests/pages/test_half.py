"""A model in half precision, through every page and section that takes a visitor's own model."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from models.loading import shelf
from models.settings import settings
from pages.filling import SECTIONS as FILLING
from pages.generating.orders import Order, Settings
from pages.looking.closer import SECTIONS as LOOKING
from pages.opening import alike, dropout, ffn, heads, stream
from pages.positioning import adding, distance, shuffle, tables
from pages.probing import SECTIONS as PROBING
from tests.pages.fill_page import SHELL
from tests.pages.tiny_zoo import built_zoo, zoo

__all__ = ["built_zoo", "zoo"]  # fixtures

pytestmark = pytest.mark.usefixtures("root")

CAT = "the [[cat]] was walking on the [[mat]] in paris"


@dataclass(frozen=True)
class Visit:
    """A page with a model on it, and the sections that are opened one after another."""

    page: str
    kind: str
    row: str = ""
    sections: tuple[str, ...] = ("",)
    dtype: str = "bfloat16"
    attention: str = ""


def titles(modules: Iterable[object]) -> tuple[str, ...]:
    """What the sections are called, as the row of them knows them in English."""
    return tuple(module.TITLE for module in modules)  # type: ignore[attr-defined]


FILL = "fill_sections_en", titles(FILLING.values())
ATTENTION = "attention_sections_en", titles(LOOKING.values())
PROBES = "probing_sections_en", titles(PROBING.values())
POSITIONS = "positions_parts_en", titles([tables, distance, adding, shuffle])
BLOCK = "block_sections_en", titles([ffn, alike, heads, dropout, stream])

VISITS = (  # numpy knows float16, so that bfloat16 is what fails first; each kind meets both
    Visit("fill", "bert", *FILL),
    Visit("fill", "bert", *FILL, "float16"),
    Visit("attention", "bert", *ATTENTION),
    Visit("attention", "gpt", *ATTENTION, "float16"),
    Visit("attention", "seq", *ATTENTION, attention="cross"),
    Visit("checkpoint", "bert", *PROBES, "float16"),
    Visit("checkpoint", "gpt", *PROBES),
    Visit("checkpoint", "seq", *PROBES),
    Visit("positions", "bert", *POSITIONS),
    Visit("positions", "gpt", *POSITIONS, "float16"),
    Visit("positions", "seq", POSITIONS[0], titles([tables, adding])),
    Visit("block", "bert", *BLOCK),
    Visit("block", "gpt", *BLOCK),
    Visit("generate", "gpt"),
    Visit("write", "seq"),
    Visit("write", "seq", dtype="float16"),
)


@pytest.fixture(scope="module")
def folders(built_zoo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the operator's, with a model of each architecture."""
    folder = tmp_path_factory.mktemp("own")
    for name in ("bert", "gpt", "seq"):
        shutil.copytree(built_zoo / f"{name}-s-en", folder / name)
    return folder


@pytest.fixture
def root(folders: Path, zoo: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("UNMASK_MODEL_ROOTS", str(folders))
    settings.cache_clear()
    shelf.cache_clear()
    yield folders
    monkeypatch.undo()
    settings.cache_clear()
    shelf.cache_clear()


def drawn(app: AppTest) -> tuple[Counter[str], list[str]]:
    """How many there are of each component, figure and notice; and what a probe has found."""
    assert not app.exception
    found = Counter(each.proto.component_name for each in app.get("bidi_component"))
    for kind in ("plotly_chart", "alert"):
        found[kind] = len(app.get(kind))
    return found, [each.value for each in app.markdown if "Measured: no leak" in each.value]


def opened(visit: Visit, model: str) -> AppTest:
    """The page about a model."""
    app = AppTest.from_file(SHELL, default_timeout=120)
    app.switch_page(f"../pages/{visit.page}.py")
    app.context = {"locale": "en-US"}
    for key, value in {"model": model, "text": CAT, "attention": visit.attention}.items():
        app.query_params[key] = value
    app.run()
    if visit.page != "checkpoint":
        assert app.selectbox(key=f"{visit.page}_model").value == model, "no other stands in"
    return app


def seen(visit: Visit, model: str) -> dict[str, object]:
    """What each section draws; on the page Generate, what is there after a run."""
    app, found = opened(visit, model), dict[str, object]()
    for section in visit.sections:
        if section:
            app.session_state[visit.row] = section
            app.run()
        if begin := [each for each in app.button if each.key == "probing_look"]:
            begin[0].click().run()
        found[section] = drawn(app)
    for way in ("greedy", "draw") if visit.page == "generate" else ():
        known = Settings(way=way, length=3)
        app.session_state["generate/settings"] = known
        app.session_state["generate/order"] = Order("run", known)
        app.run()
        found[way] = drawn(app)
    return found


@pytest.mark.parametrize("visit", VISITS, ids=lambda each: f"{each.page}-{each.kind}-{each.dtype}")
def test_half_precision_draws_what_single_precision_does(visit: Visit) -> None:
    usual = seen(visit, f"dir:{visit.kind}")
    assert seen(visit, f"dir:{visit.kind}@{visit.dtype}") == usual
    assert len({str(each) for each in usual.values()}) > 1 or len(visit.sections) < 4, "it opens"
