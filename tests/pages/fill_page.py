"""Fill the mask as a visitor drives it, and what its components get to draw."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from streamlit.testing.v1 import AppTest

SHELL = Path(__file__).parents[2] / "components" / "shell.py"
PAGE = "../pages/fill.py"


def fill(locale: str = "en-US", **query: str) -> AppTest:
    """The page as a new visitor finds it."""
    app = AppTest.from_file(SHELL, default_timeout=120)
    app.switch_page(PAGE)
    app.context = {"locale": locale}
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def report(app: AppTest, text: str, *hidden: str, **more: object) -> AppTest:
    """What the strip sends when `text` is typed and the words of `hidden` are clicked."""
    spans = [[text.index(word), text.index(word) + len(word)] for word in hidden]
    app.session_state["fill"] = {"sentence": {"text": text, "hidden": spans, **more}}
    app.run()
    assert not app.exception
    return app


def all_drawn(app: AppTest, component: str) -> list[dict[str, Any]]:
    """The data of every such component on the page, from top to bottom."""
    return [
        json.loads(each.proto.json)
        for each in app.get("bidi_component")
        if each.proto.component_name == f"unmask.{component}"
    ]


def drawn(app: AppTest, component: str) -> dict[str, Any]:
    """The data of the only such component."""
    (data,) = all_drawn(app, component)
    return data


def bar(app: AppTest, key: str) -> dict[str, Any]:
    """The data of the panel bar of that key."""
    name = f"unmask-{key.replace('_', '-')}"
    (data,) = (each for each in all_drawn(app, "takeaway") if each["name"] == name)
    return data


def taken(app: AppTest, key: str, drawer: str) -> dict[str, Any]:
    """What a drawer of a panel bar holds."""
    app.session_state[key] = {"open": drawer}
    app.run()
    assert not app.exception
    data = bar(app, key)
    assert data["open"] == drawer
    content: dict[str, Any] = data["content"]
    return content


def followed(app: AppTest, key: str) -> AppTest:
    """A new visitor's page, opened by the link of a panel bar."""
    query = dict(parse_qsl(bar(app, key)["link"], keep_blank_values=True))
    return fill(**query)
