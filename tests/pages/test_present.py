"""Presenting, through the router: what a link asks for, and what each page then says of itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.present import station
from tests.pages.test_shell import SHELL, shell

PAGES = sorted(file.name for file in (SHELL.parents[1] / "pages").glob("*.py"))


def mounts(app: AppTest) -> list[dict[str, Any]]:
    """What the components of presenting are told, in the order of the page."""
    return [
        json.loads(each.proto.json)
        for each in app.get("bidi_component")
        if each.proto.component_name == "unmask.present"
    ]


def presented(page: str, **query: str) -> list[dict[str, Any]]:
    app = shell(present="1", **query)
    app.switch_page(f"../pages/{page}").run()
    assert not app.exception
    return mounts(app)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_names_its_stations(page: str) -> None:
    (counter, *stations) = presented(page)
    assert "leave" in counter["words"]
    names = [each["station"] for each in stations]
    alone = page == "checkpoint.py"  # what a model is follows once there is one
    assert len(names) >= 2 - alone, "nothing to step through"
    assert len(set(names)) == len(names)
    assert all(each["title"] for each in stations)


def test_stations_have_one_name_in_every_language() -> None:
    english, chinese = (presented("home.py", lang=lang) for lang in ("en", "zh"))
    assert [each.get("station") for each in english] == [each.get("station") for each in chinese]
    assert [each.get("title") for each in english[1:]] != [each["title"] for each in chinese[1:]]


@pytest.mark.parametrize("asked", ["", "0", "true", "11"])
def test_without_the_link_there_is_only_the_way_in(asked: str) -> None:
    (only,) = mounts(shell(present=asked))
    assert only["enter"] == "Present"


def test_the_link_asks_once() -> None:
    app = shell(present="1")
    app.session_state["presenting"] = False  # as when the visitor has left
    app.run()
    assert not app.exception
    assert "enter" in mounts(app)[0]


def enter_and_leave() -> None:
    """A script that is told of both ways, as the browser tells of them."""
    import streamlit as st

    from components.present import _enter, _leave, carried, presenting

    _enter()
    st.write(presenting(), carried())
    _leave()
    st.write(presenting(), carried())


def test_in_and_out() -> None:
    app = AppTest.from_function(enter_and_leave).run()
    assert not app.exception
    said = [each.value for each in app.get("markdown")] + [each.value for each in app.get("json")]
    assert [each for each in said if "present" in str(each)] == ['{"present": "1"}']


@pytest.mark.parametrize("name", ["", "The answers", "答案", "a&b", "-a", "1a"])
def test_a_name_that_does_not_fit_into_a_link_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no name for a station"):
        station(name, "Title")
