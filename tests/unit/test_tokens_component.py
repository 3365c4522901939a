"""The strip in Python: nothing a browser sends can hurt, and a link keeps its sentence."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.tokens import MAX_TEXT, parse
from components.tokens.marks import from_marks, to_marks
from models.trace import Sentence

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
OFFSETS = st.integers(-3, 30) | st.booleans() | st.floats(0, 30) | st.none()


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    """Any text with any words of it hidden."""
    text = draw(st.text(min_size=1))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    return Sentence(text, tuple(zip(cuts[::2], cuts[1::2], strict=False)))


@given(sentences())
def test_a_sentence_arrives_as_it_was_sent(sentence: Sentence) -> None:
    pairs = [list(span) for span in sentence.hidden]
    assert parse({"text": sentence.text, "hidden": pairs, "revision": 0}) == sentence


@given(JSON)
def test_any_value_is_a_sentence_or_nothing(value: object) -> None:
    assert parse(value) is None or isinstance(parse(value), Sentence)


@given(st.text(), st.lists(st.lists(OFFSETS, max_size=3), max_size=6))
def test_only_spans_inside_the_text_and_apart_are_kept(text: str, hidden: list[Any]) -> None:
    sentence = parse({"text": text, "hidden": hidden})
    assert sentence is not None and sentence.text == text
    end = 0
    for start, stop in sentence.hidden:
        assert [start, stop] in hidden
        assert type(start) is int and end <= start < stop <= len(text)
        end = stop


@pytest.mark.parametrize(
    "value",
    [
        None,
        "text",
        {"text": 1, "hidden": []},
        {"text": "a"},
        {"hidden": []},
        {"text": "a", "hidden": "01"},
        {"text": "a", "hidden": [], "revision": 1},
    ],
)
def test_what_is_no_sentence_is_refused(value: object) -> None:
    assert parse(value) is None


def test_half_a_character_is_replaced_without_moving_the_rest() -> None:
    assert parse({"text": "\ud83d cat", "hidden": [[2, 5]]}) == Sentence("? cat", ((2, 5),))


def test_a_book_is_cut_before_it_reaches_the_model() -> None:
    sentence = parse({"text": "a" * (MAX_TEXT + 9), "hidden": [[0, 1], [MAX_TEXT, MAX_TEXT + 1]]})
    assert sentence == Sentence("a" * MAX_TEXT, ((0, 1),))


@given(sentences().filter(lambda s: not set("[]") & set(s.text)))
def test_a_link_gives_its_sentence_back(sentence: Sentence) -> None:
    assert from_marks(to_marks(sentence)) == sentence


@given(st.text(alphabet="ab[] \n"))
def test_any_link_gives_a_sentence(marked: str) -> None:
    sentence = from_marks(marked)
    assert sentence.text.replace("[", "").replace("]", "") == marked.replace("[", "").replace(
        "]", ""
    )


def test_marks_that_do_not_close_are_text() -> None:
    assert from_marks("a [[b] c").hidden == ()
    assert from_marks("[[]] a [MASK]") == Sentence("[[]] a [MASK]")
