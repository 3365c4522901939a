"""Taiwan's characters: variants, simplified text, and what must stay as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.chinese import is_simplified, to_taiwan

HAN = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("牀前看月光，爲裏峯羣衆却", "床前看月光，為裡峰群眾卻"),
        ("客来何所有，秋风起白雲間", "客來何所有，秋風起白雲間"),  # stray simplified characters
        ("顔髪隠浄", "顏髮隱淨"),  # Japanese ones
        ("疎鬰慙鈎鴈盃", "疏鬱慚鉤雁杯"),  # variants that OpenCC does not know
    ],
)
def test_variants_become_the_standard_form(text: str, expected: str) -> None:
    assert to_taiwan(text) == (expected, True)
    assert not is_simplified(text)


def test_simplified_text_is_converted_by_phrases() -> None:
    text = "举头望明月，白发三千丈。春发几枝，一个在后里"
    assert is_simplified(text)
    assert to_taiwan(text) == ("舉頭望明月，白髮三千丈。春發幾枝，一個在後裡", True)


def test_old_words_that_look_simplified_stay_in_traditional_text() -> None:
    text = "后宮佳麗三千人，千里江陵。于今余征斗，云誰之思"
    assert to_taiwan(text) == (text, False)
    assert not is_simplified(text)


@pytest.mark.parametrize("text", ["", "白日依山", "[MASK]年[UNK] 😀\nabc，。"])
def test_what_is_written_alike_stays(text: str) -> None:
    assert to_taiwan(text) == (text, False)


@given(st.text(st.one_of(HAN, st.characters(exclude_categories=["Cs"]))))
def test_the_number_of_code_points_stays(text: str) -> None:
    converted, changed = to_taiwan(text)
    assert len(converted) == len(text)
    assert changed == (converted != text)
