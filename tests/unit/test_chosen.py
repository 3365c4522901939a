"""What is chosen in a picture: the visitor's choice, kept, and else what a link asks for."""

from __future__ import annotations

import pytest
import streamlit as st

from components.chosen import chosen


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    found: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", found)
    return found


@pytest.mark.parametrize(
    ("link", "base", "found"),
    [("", 1, 6), ("1", 1, 0), ("7", 1, 6), ("8", 1, 6), ("0", 0, 0), ("6", 0, 6), ("-1", 0, 6)],
)
def test_a_link_asks_until_the_visitor_chooses(link: str, base: int, found: int) -> None:
    assert chosen("ladder", "layer", 7, link=link, base=base, otherwise=6) == found


@pytest.mark.parametrize("reported", [7, -1, True, "2", 2.0, None, [2]])
def test_a_browser_may_report_anything(session: dict[str, object], reported: object) -> None:
    session["ladder"] = {"layer": reported}
    assert chosen("ladder", "layer", 7, otherwise=6) == 6


def test_a_choice_outlives_the_picture(session: dict[str, object]) -> None:
    session["ladder"] = {"layer": 2}
    assert chosen("ladder", "layer", 7, link="5") == 2
    del session["ladder"]  # as Streamlit does with what a run did not show
    assert chosen("ladder", "layer", 7, link="5") == 2
    assert chosen("ladder", "layer", 2, link="1") == 0, "a smaller model has no such layer"
    assert chosen("steps", "layer", 7, link="5") == 4, "each picture has its own"
