"""Lanes: which words they show, which arcs they refuse, what they say about the hidden word."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as Xml

import numpy as np
import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as some

from components import lanes as component
from components.lanes import Lane, Word, arcs, arcs_of, focused, in_bits, lanes, words_of
from components.lanes.drawing import picture
from components.lanes.exports import numbers
from components.lanes.told import sides, truth
from components.theme import BERT, GPT
from components.words import use_language
from models.trace import (
    Blank,
    Candidate,
    Guess,
    Measurement,
    Prediction,
    Provenance,
    Sentence,
    View,
)

SVG = "{http://www.w3.org/2000/svg}"
TEXT = "The chef was out of food."
ORIGIN = Provenance("bert-en", "0123456789ab", "float32", (("torch", "2.13.0"),))
FOOD = Blank(
    span=(20, 24),
    original="food",
    pieces=("food",),
    candidates=(Candidate("money", 7, 0.4, False), Candidate("food", 8, 0.2, False)),
    original_rank=2,
    original_probability=0.2,
    entropy_bits=3.0,
)
ANSWER = Prediction((FOOD,), len(TEXT), "", (), (), 16_379, ORIGIN)
VISIBLE = ((0, 3), (4, 8), (9, 12), (13, 16), (17, 19), (24, 25))
WORDS = words_of(TEXT, VISIBLE, ANSWER)
BITS = (0.0, 0.1, 0.2, 0.3, 0.4, None, 1.0)
LANE = Lane("BERT", "encoder", "bert-en", BERT, "fill?text=", words=WORDS, answer=ANSWER)
SENTENCE = Sentence(TEXT, ((20, 24),))


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The data of everything mounted, in order."""
    found: list[dict[str, Any]] = []
    monkeypatch.setattr(component, "_lanes", lambda **mount: found.append(mount["data"]))
    return found


def test_words_stand_in_reading_order_with_the_blanks_among_them() -> None:
    assert [word.text for word in WORDS] == ["The", "chef", "was", "out", "of", "food", "."]
    assert [word.blank for word in WORDS] == [None] * 5 + [0, None]


def test_a_lane_knows_what_its_model_may_not_look_at() -> None:
    lane = replace(LANE, unseen=(frozenset(VISIBLE[-1:]),))
    assert [word.text for word in WORDS if not lane.sees_word(word, 0)] == ["."]
    assert all(LANE.sees_word(word, 0) for word in WORDS)
    assert (lane.blank(0), lane.blank(1)) == (FOOD, None)


def test_influence_finds_its_words_wherever_it_stands() -> None:
    order = [5, 3, 0]
    measured = Measurement(
        "influence", np.array([0.5, 0.3, 0.1]), ORIGIN, "", tuple(VISIBLE[i] for i in order)
    )
    assert arcs_of(LANE, measured, 0) == (0.1, None, None, 0.3, None, None, 0.5)
    blind = replace(LANE, unseen=(frozenset(VISIBLE[3:]),))
    assert arcs_of(blind, measured, 0) == (0.1, None, None, None, None, None, None)


def test_arcs_that_fit_are_taken() -> None:
    assert replace(LANE, arcs=BITS).arcs == BITS


@pytest.mark.parametrize(
    "bits",
    [
        BITS[:-1],
        (*BITS, 0.1),
        (None, *BITS[1:]),  # a visible word without one
        (*BITS[:5], 0.5, 1.0),  # the blank itself
        (-0.1, *BITS[1:]),
        (1.01, *BITS[1:]),
        (math.nan, *BITS[1:]),
        (math.inf, *BITS[1:]),
    ],
)
def test_arcs_that_would_mislead_are_refused(bits: tuple[float | None, ...]) -> None:
    with pytest.raises(ValueError, match=r"arcs|influence"):
        replace(LANE, arcs=bits)


def test_a_word_that_is_not_seen_has_no_arc() -> None:
    words = (Word((0, 1), "a"), Word((2, 3), "b", blank=0))
    blind = replace(LANE, words=words, unseen=(frozenset({(0, 1)}),))
    assert replace(blind, arcs=(None, None)).arcs
    with pytest.raises(ValueError, match="influence"):
        replace(LANE, words=words, arcs=(None, None))


@pytest.mark.parametrize(
    ("state", "blanks", "focus"),
    [
        (None, 2, 0),
        ({"focus": 1}, 2, 1),
        ({"focus": 1}, 1, 0),
        ({"focus": -1}, 2, 0),
        ({"focus": True}, 2, 0),
        ({"focus": "1"}, 2, 0),
        ({"focus": 1.0}, 2, 0),
        ("1", 2, 0),
        ({}, 0, 0),
    ],
)
def test_the_focus_is_a_blank_that_is_there(
    monkeypatch: pytest.MonkeyPatch, state: object, blanks: int, focus: int
) -> None:
    monkeypatch.setattr(st, "session_state", {"lanes": state})
    found = focused("lanes", blanks)
    assert found == focus and type(found) is int


@pytest.mark.parametrize(
    ("first", "focus"), [("", 0), ("1", 0), ("2", 1), ("3", 0), ("0", 0), ("-1", 0), ("²", 0)]
)
def test_a_link_may_choose_the_first_focus(
    monkeypatch: pytest.MonkeyPatch, first: str, focus: int
) -> None:
    monkeypatch.setattr(st, "session_state", {})
    assert focused("lanes", 2, first) == focus
    monkeypatch.setattr(st, "session_state", {"lanes": {"focus": 1}})
    assert focused("lanes", 2, first) == 1, "the visitor's choice counts more"


def test_arcs_name_the_question_that_they_belong_to(sent: list[dict[str, Any]]) -> None:
    arcs(SENTENCE, replace(LANE, arcs=BITS), key="lanes")
    lanes(SENTENCE, [LANE, replace(LANE, model="bert-s-en")], key="lanes", strip="home")
    others = [replace(SENTENCE, hidden=((4, 8),)), Sentence(TEXT + "!", SENTENCE.hidden)]
    for other in others:
        lanes(other, [LANE], key="lanes", strip="home")
    lanes(SENTENCE, [LANE], key="lanes", strip="home", focus=1)
    followed, *drawn = sent
    asked, *moved_on = (lane["asked"] for data in drawn for lane in data["lanes"])
    assert asked == followed["asked"]
    assert len({asked, *moved_on}) == 5, "another model, sentence, or blank is another question"


def test_what_the_browser_is_given(sent: list[dict[str, Any]]) -> None:
    arcs(SENTENCE, replace(LANE, arcs=BITS), key="lanes")
    arcs(SENTENCE, replace(LANE, name="?"), key="lanes")
    assert (sent[0]["name"], sent[0]["arcs"]["values"][1]) == (
        "BERT",
        {"bits": 0.1, "shown": "0.1 bits"},
    )
    assert sent[0]["arcs"]["values"][5] is None
    assert sent[1]["arcs"] == {"values": None, "unmeasured": ""}
    lanes(SENTENCE, [LANE], ["note"], key="lanes", strip="home", prompt="do", foot=["equal"])
    (lane,) = sent[2]["lanes"]
    assert [row["own"] for row in lane["blanks"][0]["rows"]] == [False, True]
    assert [sent[2][name] for name in ("notices", "prompt", "foot")] == [["note"], "do", ["equal"]]
    assert len({data["serial"] for data in sent}) == 3


def one_way() -> Lane:
    """GPT at the second of two blanks: a guess in the first, the full stop out of sight."""
    lane = two_blanks()
    assert lane.answer
    guess = Guess(0, Candidate("boat", 5, 0.125, False))
    blanks = (lane.answer.blanks[0], replace(FOOD, guesses=(guess,)))
    unseen = frozenset(VISIBLE[2:]) | {(20, 24)}, frozenset(VISIBLE[-1:])
    return replace(
        lane, name="GPT", colour=GPT, answer=replace(lane.answer, blanks=blanks), unseen=unseen
    )


def test_each_blank_has_its_own_view_of_the_sentence(sent: list[dict[str, Any]]) -> None:
    lanes(SENTENCE, [one_way()], key="lanes", strip="home")
    first, second = sent[0]["lanes"][0]["blanks"]
    assert first["seen"] == [True, True, False, False, False, False, False]
    assert second["seen"] == [True] * 6 + [False]
    assert (first["guesses"], second["guesses"]) == (
        {},
        {"0": {"word": "boat", "share": "12.5%"}},
    )


def test_elmos_two_models_are_told_one_by_one() -> None:
    def view(way: Any, word: str, rank: int | None) -> View:
        return View(way, (Candidate(word, 9, 0.25, False),), rank, None, 1.0, ())

    both = replace(FOOD, views=(view("forward", "the", 57), view("backward", "it", None)))
    assert sides(both) == ["Left only: the 25.0% (your word: rank 57)", "Right only: it 25.0%"]
    assert sides(FOOD) == []


def test_a_full_bar_is_the_same_in_all_lanes(sent: list[dict[str, Any]]) -> None:
    sure = replace(FOOD, candidates=(Candidate("food", 8, 0.9, False),))
    surer = replace(LANE, answer=replace(ANSWER, blanks=(sure,)))
    for shown in ([LANE], [LANE, surer], [replace(LANE, answer=None, words=())]):
        lanes(SENTENCE, shown, key="lanes", strip="home")
    assert [data["full"] for data in sent] == [0.5, 1.0, 0.1]


@given(some.floats(0, 1))
def test_an_influence_is_never_rounded_to_nothing(bits: float) -> None:
    shown = in_bits(bits).removesuffix(" bits")
    if shown.startswith("<"):
        assert 0 < bits < 0.01
    else:
        assert abs(float(shown) - bits) <= 0.005 + 1e-12
        assert float(shown) > 0 or bits == 0


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ({}, ["Hidden word: food · 20.0%", "rank 2 of 16,379 · surprisal 2.3 bits"]),
        ({"original": None}, ["You typed [MASK], so there is no word of yours to compare."]),
        (
            {"original_rank": None, "pieces": ("fo", "##od"), "original_probability": 0.25},
            ["Hidden word: food · 25.0%", "no rank: it has 2 pieces · surprisal 2 bits"],
        ),
        (
            {"original_rank": None, "original_probability": None},
            ["Hidden word: food", "The model cannot rate it."],
        ),
        (
            {"original_rank": None, "original_probability": None, "pieces": ("fo", "##od")},
            ["Hidden word: food", "It has 2 pieces: no rating."],
        ),
        ({"original_probability": 0.0}, ["Hidden word: food · < 0.1%", "rank 2 of 16,379"]),
    ],
)
def test_the_hidden_word(changes: dict[str, Any], lines: list[str]) -> None:
    assert truth(replace(FOOD, **changes), 16_379) == lines


def test_the_hidden_word_in_chinese() -> None:
    with use_language("zh_TW"):
        assert truth(FOOD, 16_379) == [
            "被遮住的單字：food，20.0%",
            "16,379 個中第 2 名，驚奇度 2.3 位元",
        ]


def test_the_numbers_are_those_of_the_arcs() -> None:
    table = numbers([replace(LANE, arcs=BITS), LANE])
    shown = [bits for bits in BITS if bits is not None]
    arcs_, answers_ = table.rows[: len(shown)], table.rows[len(shown) :]
    assert [row[5] for row in arcs_] == shown
    assert arcs_[-1] == ("bert-en", "all", 1, 7, ".", 1.0, None, None)
    assert answers_ == 2 * [
        ("bert-en", "all", 1, 6, "money", None, 1, 0.4),
        ("bert-en", "all", 1, 6, "food", None, 2, 0.2),
    ]


def test_the_numbers_name_the_blank_and_the_hidden_word_that_is_not_listed() -> None:
    rare = replace(FOOD, original_rank=9, original_probability=0.01)
    lane = replace(LANE, answer=replace(ANSWER, blanks=(rare,)), arcs=BITS)
    table = numbers([lane], focus=1)
    assert table.rows[0][2] == 2
    assert table.rows[-1] == ("bert-en", "all", 1, 6, "food", None, 9, 0.01)


def test_the_numbers_have_guesses_and_each_of_elmos_answers() -> None:
    view = View("forward", (Candidate("the", 9, 0.25, False),), 57, 0.001, 1.0, ())
    answer = replace(ANSWER, blanks=(replace(FOOD, views=(view,)),))
    rows = numbers([replace(LANE, answer=answer), one_way()]).rows
    assert ("bert-en", "forward", 1, 6, "the", None, 1, 0.25) in rows
    assert ("bert-en", "forward", 1, 6, "food", None, 57, 0.001) in rows
    assert rows[-1] == ("bert-en", "guess", 2, 2, "boat", None, 1, 0.125)


def two_blanks() -> Lane:
    chef = replace(FOOD, span=(4, 8), original="chef", original_rank=None)
    answer = replace(ANSWER, blanks=(chef, FOOD))
    visible = [span for span in VISIBLE if span != chef.span]
    return replace(LANE, words=words_of(TEXT, visible, answer), answer=answer)


def test_the_picture_numbers_blanks_where_there_are_several() -> None:
    drawn = picture([two_blanks()], 1)
    texts = [node.text for node in Xml.fromstring(drawn.markup).iter(f"{SVG}text")]  # noqa: S314
    assert {"[MASK 1]", "[MASK 2]", "Blank 2"} <= set(texts)
    assert (
        "The [MASK 1] was out of [MASK 2] ." in drawn.alt and "Blank 2 · BERT: money" in drawn.alt
    )


def test_the_picture_shows_how_wide_an_arc_of_some_bits_is() -> None:
    root = Xml.fromstring(picture([replace(LANE, arcs=BITS)], 0).markup)  # noqa: S314
    arcs_ = [float(node.get("stroke-width", "")) for node in root.iter(f"{SVG}path")]
    lines = [float(node.get("stroke-width", "")) for node in root.iter(f"{SVG}line")]
    shown = sorted(bits for bits in BITS if bits)
    assert lines == pytest.approx([arcs_[-1] * bits / shown[-1] for bits in component.SAMPLES])
    assert "0.25 bits" in [node.text for node in root.iter(f"{SVG}text")]


def test_the_picture_has_every_word_arc_and_answer() -> None:
    drawn = picture([replace(LANE, arcs=BITS)], 0)
    root = Xml.fromstring(drawn.markup)  # noqa: S314
    texts = [node.text for node in root.iter(f"{SVG}text")]
    for word in [*"The chef was out of . [MASK] BERT money 40.0% 20.0%".split()]:
        assert word in texts
    assert not [text for text in texts if text == "food"][1:], "as an answer, not in the sentence"
    widths = [float(node.get("stroke-width", "")) for node in root.iter(f"{SVG}path")]
    assert widths == sorted(widths) and len(widths) == 6
    assert drawn.alt.startswith("The chef was out of [MASK] . · BERT: money 40.0%, food 20.0%")
    assert "Widest arc: “.” · 1 bits" in drawn.alt


def test_the_picture_has_lanes_below_one_another_with_words_in_the_same_places() -> None:
    drawn = picture([two_blanks(), one_way()], 1)
    root = Xml.fromstring(drawn.markup)  # noqa: S314
    bert, gpt = root.findall(f"{SVG}g")
    places = [
        {node.text: node.get("x") for node in lane if node.text in ("The", "was", "out", ".")}
        for lane in (bert, gpt)
    ]
    assert places[0] == places[1] and len(places[0]) == 4
    assert [node.text for node in gpt if node.get("font-style")] == ["boat"]
    assert [node.text for node in gpt if node.get("text-decoration")] == ["."]
    assert not [node for node in bert if node.get("text-decoration")]
    assert not list(root.iter(f"{SVG}path")), "not measured, not drawn"


def test_a_picture_escapes_what_visitors_typed() -> None:
    hostile = replace(WORDS[0], text="</svg><script>\x00")
    drawn = picture([replace(LANE, words=(hostile, *WORDS[1:]))], 0)
    root = Xml.fromstring(drawn.markup)  # noqa: S314
    assert not list(root.iter(f"{SVG}script"))
