"""The bar under every panel: its files, its link, and nothing computed before it is asked for."""

from __future__ import annotations

import io
import json
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from components.answers.exports import numbers
from components.takeaway import Column, Table
from components.takeaway.parts import (
    FORMULA,
    counting,
    csv_text,
    link_query,
    numeric,
    origin,
    shown,
)
from components.words import use_language
from models.trace import Blank, Candidate, Prediction, Provenance

ABOUT = Provenance("bert-en", "0123456789ab", "float32", (("torch", "2.13.0"), ("numpy", "2.4")))
HEADS = Table(
    [Column("layer", "Layer"), Column("head", "Head"), Column("weight", "Weight", "{:.2f}".format)],
    [(0, 11, np.float32(0.125)), (5, 0, None), (2, 3, float("nan"))],
)
WORDS = Column("word", "Word")


def read(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text), comment="#", keep_default_na=False)


def test_layers_and_heads_count_from_1_on_the_screen_and_from_0_in_the_file() -> None:
    assert shown(HEADS, 9) == [["1", "12", "0.12"], ["6", "1", "–"], ["3", "4", "nan"]]
    text = csv_text(HEADS, "Heads")
    assert list(read(text)["layer"]) == [0, 5, 2]
    assert list(read(text)["head"]) == [11, 0, 3]
    header = [line for line in text.splitlines() if line.startswith("#")]
    assert any("count from 0" in line for line in header)
    with use_language("zh_TW"):
        assert "從 0 開始編號" in csv_text(HEADS, "Heads")
    assert counting(Table([WORDS], [])) == "", "nothing is said about what is not there"


def test_the_file_says_where_its_numbers_come_from() -> None:
    text = csv_text(HEADS, "Heads", [ABOUT])
    for fact in ("bert-en", "0123456789ab", "float32", "torch 2.13.0", "numpy 2.4"):
        assert fact in text.split("layer,head")[0]
    assert origin(ABOUT) in text


def test_the_file_is_not_rounded() -> None:
    value = 0.123456789012345678
    table = Table([Column("p", "P", "{:.1f}".format)], [(value,)])
    assert float(read(csv_text(table, "P"))["p"][0]) == value


def test_a_note_cannot_leave_its_comment() -> None:
    text = csv_text(Table([WORDS], [("a",)], "one\n=two\r\nthree"), "title\nmore")
    assert text.splitlines() == ["# title more", "# one =two three", "word", '"a"']


@given(st.lists(st.text(st.characters(exclude_characters="\0", codec="utf-8")), max_size=5))
def test_any_text_comes_back_out_of_the_file(words: list[str]) -> None:
    table = Table([Column("i", "I"), WORDS], list(enumerate(words)))
    text = csv_text(table, "Words", [ABOUT])
    back = pd.read_csv(io.StringIO(text), comment="#", keep_default_na=False, dtype=str)["word"]
    # The reader makes every line break inside a text "\n" or keeps it, but loses none.
    expected = [f"'{w}" if len(w) > 1 and w.startswith(FORMULA) else w for w in words]
    assert ["".join(str(w).split()) for w in back] == ["".join(w.split()) for w in expected]


@pytest.mark.parametrize("word", ['=HYPERLINK("x")', "+1+1", "-1+2", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_spreadsheet_runs_no_text(word: str) -> None:
    last = csv_text(Table([WORDS], [(word,)]), "x").split("word\r\n")[1]
    assert last.startswith("\"'")


@pytest.mark.parametrize("word", ["=", "-", "+", "a=b"])
def test_a_lone_mark_stays_as_it_is(word: str) -> None:
    assert f'"{word}"' in csv_text(Table([WORDS], [(word,)]), "x")


def test_columns_of_numbers_are_told_from_text() -> None:
    table = Table([Column("a", "A"), Column("b", "B")], [(np.int64(1), "x"), (None, "2")])
    assert numeric(table) == [True, False]


@given(st.text(max_size=60))
def test_a_link_holds_any_text(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    query = link_query({"text": text})
    assert query is not None and query.isascii() and " " not in query
    assert parse_qs(query, keep_blank_values=True)["text"] == [text]
    assert query.endswith("lang=en"), "a full stop at the end would be lost"


def test_a_link_keeps_the_language() -> None:
    with use_language("zh_TW"):
        assert link_query({}) == "lang=zh_TW"


def test_what_is_too_long_for_a_link_gets_none() -> None:
    assert link_query({"text": "字" * 3_000}) is None
    assert link_query({"text": "a" * 3_000}) is not None


def app() -> None:
    import streamlit as st

    from components.pictures import Svg
    from components.takeaway import Column, Table, panel_bar

    made = st.session_state.setdefault("made", [])

    def numbers() -> Table:
        made.append("numbers")
        rows = [(i, 0.5) for i in range(st.session_state.get("rows", 3))]
        return Table([Column("layer", st.session_state["title"]), Column("p", "")], rows)

    def picture() -> Svg:
        made.append("picture")
        return Svg("<svg/>", 3, 2, "bars")

    @st.fragment
    def panel() -> None:
        panel_bar(key="one_two", title="", numbers=numbers, picture=picture, link={"text": "a b"})

    panel()


def run(**state: Any) -> AppTest:
    test = AppTest.from_function(app, default_timeout=30)
    for name, value in {"title": "L", **state}.items():
        test.session_state[name] = value
    test.run()
    assert not test.exception
    return test


def data(test: AppTest) -> dict[str, Any]:
    (element,) = test.get("bidi_component")
    found: dict[str, Any] = json.loads(element.proto.json)
    return found


def test_nothing_is_made_before_it_is_asked_for() -> None:
    test = run()
    assert test.session_state["made"] == []
    assert [button["kind"] for button in data(test)["buttons"]] == ["numbers", "picture", "link"]
    assert data(test)["content"] == {}
    test.session_state["one_two"] = {"open": "picture"}
    test.run()
    assert test.session_state["made"] == ["picture"]
    content = data(test)["content"]
    assert (content["markup"], content["width"], content["height"]) == ("<svg/>", 3, 2)


@pytest.mark.parametrize("sent", ["code", "no such", 7, None, ["numbers"], {"a": 1}])
def test_whatever_a_browser_sends_opens_only_what_is_there(sent: object) -> None:
    test = run(one_two={"open": sent})
    assert data(test)["open"] == ""
    assert test.session_state["made"] == []


def test_a_long_table_is_cut_on_the_screen_and_whole_in_the_file() -> None:
    content = data(run(rows=1_234, one_two={"open": "numbers"}))["content"]
    assert len(content["rows"]) == 200
    assert content["more"] == "1,034 more rows in the CSV"
    assert len(read(content["csv"])) == 1_234


def test_downloads_are_named_after_the_panel() -> None:
    assert data(run())["name"] == "unmask-one-two"


def test_the_visitors_own_word_is_among_the_numbers() -> None:
    candidates = (Candidate("money", 7, 0.4, False), Candidate("ing", 9, 0.2, True))
    listed = Blank((0, 3), "money", ("money",), candidates, 1, 0.4, 3.0)
    lower = Blank((4, 8), "food", ("food",), candidates, 77, 0.001, 3.0)
    typed = Blank((9, 15), None, (), candidates, None, None, 3.0)
    table = numbers(Prediction((listed, lower, typed), 15, "", (), (), 99, ABOUT))
    assert [row[:3] for row in table.rows] == [
        (1, 1, "money"), (1, 2, "ing"),
        (2, 1, "money"), (2, 2, "ing"), (2, 77, "food"),
        (3, 1, "money"), (3, 2, "ing"),
    ]  # fmt: skip
    assert shown(table, 2)[1] == ["1", "2", "ing", "0.2", "9", "yes"]
