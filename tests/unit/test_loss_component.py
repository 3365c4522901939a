"""The loss: only selected positions count, and their numbers add up."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components import loss as component
from components.loss import blind, full_bar, headline, loss, total
from components.loss.exports import numbers, picture
from components.words import use_language
from tests.unit.inside_by_hand import CORRUPTION, EMPTY, WORDS

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    monkeypatch.setattr(component, "_loss", lambda **mount: found.append(mount["data"]))
    return found


def test_the_draw_and_the_loss_in_words() -> None:
    assert headline(CORRUPTION) == (
        "3 of 5 tokens are selected (masked: 1, replaced: 1, kept: 1). Only they count."
    )
    assert total(CORRUPTION) == "Loss: 1.85 nats, the mean of 3 (5.55 nats in total)."
    one = replace(CORRUPTION, selected=CORRUPTION.selected[:1])
    assert headline(one).startswith("1 of 5 tokens is selected")


def test_without_a_word_it_says_so() -> None:
    assert "no word here" in headline(EMPTY)
    assert total(EMPTY) == ""


def test_only_selected_tokens_carry_a_loss(sent: list[dict[str, Any]]) -> None:
    loss(CORRUPTION, key="x", colour="#0072B2", words=WORDS)
    (data,) = sent
    assert [token["row"] for token in data["tokens"]] == [None, 0, None, 1, 2, None, None]
    assert [row["nats"] for row in data["rows"]] == [0.05, 1.6, 3.9]
    assert [row["fate"] for row in data["rows"]] == ["kept", "masked", "random"]
    assert data["rows"][2]["told"] == "replaced, read as “gold”"
    assert data["rows"][1]["rank"] == "rank 2"
    assert data["rows"][1]["answers"].startswith("milk 70.0%, tea 20.0%")
    json.dumps(data)


def test_a_long_text_has_no_bars_over_its_words(sent: list[dict[str, Any]]) -> None:
    many = replace(CORRUPTION, tokens=CORRUPTION.tokens * 20)
    for corruption in (CORRUPTION, many):
        loss(corruption, key="x", colour="red", words=WORDS)
    assert [data["long"] for data in sent] == [False, True]


@given(st.lists(st.floats(0, 60), max_size=5), st.integers(1, 300_000))
def test_every_bar_and_the_blind_guess_fit(nats: list[float], words: int) -> None:
    selected = tuple(replace(CORRUPTION.selected[0], nats=each) for each in nats)
    full = full_bar(replace(CORRUPTION, selected=selected), words)
    assert full >= max([blind(words), *nats])
    assert full == 1 or full - 1 <= max([blind(words), *nats])


def test_a_blind_guess_costs_the_logarithm_of_the_vocabulary() -> None:
    assert blind(20_475) == pytest.approx(math.log(20_475))
    assert blind(0) == 0


def test_the_table_sums_to_the_loss() -> None:
    table = numbers(CORRUPTION)
    nats = [row[4] for row in table.rows]
    assert len(nats) == len(CORRUPTION.tokens)
    counted = [each for each in nats if each is not None]
    assert sum(counted) == pytest.approx(CORRUPTION.total)
    assert sum(counted) / len(counted) == pytest.approx(CORRUPTION.loss)
    assert "seed 7" in table.note and "1.8500" in table.note


def test_the_picture_has_a_bar_for_each_selected_position() -> None:
    root = Xml.fromstring(picture(CORRUPTION, "#123456", WORDS).markup.encode())  # noqa: S314
    bars = [r for r in root.iter(f"{SVG}rect") if r.attrib["fill"] == "#123456"]
    widths = [float(bar.attrib["width"]) for bar in bars]
    assert len(bars) == 3 and widths == sorted(widths)
    assert widths[2] / widths[1] == pytest.approx(3.9 / 1.6)


def test_chinese() -> None:
    with use_language("zh_TW"):
        assert headline(CORRUPTION) == (
            "5 個詞元中選出 3 個（遮住：1、替換：1、保持原樣：1）。只有這些算進損失。"
        )
