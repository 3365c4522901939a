"""What the tests of the pages that write have in common."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import models
from models.catalog import BUNDLED, ModelFacts
from models.loading import Model
from tests.pages.fill_page import SHELL


def known(facts: dict[str, ModelFacts], name: str) -> ModelFacts:
    """What `models.describe` says of these models, and of no others."""
    if name not in facts:
        raise models.Refusal(name)
    return facts[name]


@pytest.fixture
def tiny(made: dict[str, Model], monkeypatch: pytest.MonkeyPatch) -> dict[str, Model]:
    """A menu of the tiny models that the test's own fixture has made."""
    facts = tuple(replace(each, folder=Path()) for each in BUNDLED if each.name in made)
    monkeypatch.setattr(models, "bundled", lambda: facts)
    monkeypatch.setattr("models.loading.load", lambda name: made[name])
    monkeypatch.setattr(models, "describe", partial(known, {each.name: each for each in facts}))
    return made


def opened(page: str, locale: str, query: dict[str, str]) -> AppTest:
    """A page as a new visitor finds it."""
    app = AppTest.from_file(SHELL, default_timeout=120)
    app.switch_page(f"../pages/{page}.py")
    app.context = {"locale": locale}
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app
