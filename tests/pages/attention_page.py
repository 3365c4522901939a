"""Attention as a visitor drives it, and what its components get to draw."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest

import models
from models.catalog import BUNDLED
from models.loading import Model
from models.settings import settings
from models.trace import Sentence
from tests.pages.fill_page import SHELL, taken
from tests.unit.kinds import build_kind

MODEL = settings().default_model
CHEF = "The chef who ran to the store was out of food."
MARKED = "The chef who ran to the store was out of [[food]]."
HIDDEN = Sentence(CHEF, ((41, 45),))


def attention(locale: str = "en-US", **query: str) -> AppTest:
    """The page as a new visitor finds it."""
    app = AppTest.from_file(SHELL, default_timeout=120)
    app.switch_page("../pages/attention.py")
    app.context = {"locale": locale}
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def drawn(app: AppTest, component: str) -> dict[str, Any]:
    """The data of the only such component, its columns of numbers as arrays."""
    (proto,) = (
        each.proto
        for each in app.get("bidi_component")
        if each.proto.component_name == f"unmask.{component}"
    )
    data: dict[str, Any] = json.loads(proto.mixed.json)
    for name, value in data.items():
        if (
            isinstance(value, dict)
            and len(value) == 1
            and next(iter(value.values())) in (blobs := proto.mixed.arrow_blobs)
        ):
            table = convert_arrow_bytes_to_pandas_df(blobs[next(iter(value.values()))].data)
            data[name] = table.iloc[:, 0].to_numpy()
    return data


def choose(app: AppTest, **state: object) -> AppTest:
    """What the open head reports."""
    app.session_state["attention_head"] = state
    app.run()
    assert not app.exception
    return app


def map_of(app: AppTest) -> np.ndarray:
    data = drawn(app, "head")
    return data["weights"].reshape(len(data["queries"]), len(keys(app)))


def keys(app: AppTest) -> list[dict[str, Any]]:
    """The keys of the open head; where a text looks at itself they are sent once."""
    data = drawn(app, "head")
    found: list[dict[str, Any]] = data["keys"] or data["queries"]
    return found


@pytest.fixture
def tiny(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Model]:
    """A menu of tiny models of each kind."""
    kinds = ("bert", "gpt", "seq", "elmo")
    made = {f"{kind}-s-en": build_kind(kind, tmp_path_factory.mktemp(kind)) for kind in kinds}
    facts = tuple(replace(each, folder=Path()) for each in BUNDLED if each.name in made)
    monkeypatch.setattr(models, "bundled", lambda: facts)
    monkeypatch.setattr("models.loading.load", lambda name: made[name])
    return made


def can_be_taken_away(app: AppTest, key: str) -> None:
    assert taken(app, key, "numbers")["rows"]
    assert taken(app, key, "picture")["markup"].startswith("<svg")
    compile(taken(app, key, "code")["code"], key, "exec")
