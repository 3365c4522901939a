"""Forms of verse, and copies of known lines."""

from __future__ import annotations

import pytest

from models.verse import FORMS, Form, form_of, lines_of, shares_lines, written

QUATRAIN = "床前明月光，疑是地上霜。舉頭望明月，低頭思故鄉。"


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_form_is_known_by_its_lines_and_characters(form: Form) -> None:
    lines = tuple("春" * form.characters for _ in range(form.lines))
    poem = written(lines)
    assert form_of(poem) == form.name
    assert form_of(FORMS[0].token + poem) == form.name, "the token asks, the lines answer"
    assert lines_of(form.token + poem) == lines
    assert form_of(written(lines[:-1])) is None
    assert form_of(written((*lines[:-1], "春" * (form.characters - 1)))) is None


@pytest.mark.parametrize("broken", ["□", "a", "[UNK]", "（", "〇", "\ue000"])
def test_a_line_holds_nothing_but_characters(broken: str) -> None:
    assert form_of(QUATRAIN.replace("霜", broken)) is None
    assert form_of("") is None


def test_any_mark_ends_a_line() -> None:
    assert form_of("床前明月光？疑是地上霜！舉頭望明月,低頭思故鄉") == "五絕"
    assert form_of("床前明月光 疑是地上霜\n舉頭望明月\n低頭思故鄉") == "五絕"


def test_rare_characters_outside_the_first_plane_count_as_one() -> None:
    assert form_of(QUATRAIN.replace("霜", "𩃱").replace("光", "㶁")) == "五絕"


def test_two_known_lines_in_a_row_are_a_copy() -> None:
    known = {"疑是地上霜", "舉頭望明月"}
    assert shares_lines("[五絕]" + QUATRAIN, known)
    assert not shares_lines(QUATRAIN, known, consecutive=3)
    assert not shares_lines(QUATRAIN, {"床前明月光", "舉頭望明月"})
    assert not shares_lines(QUATRAIN.replace("疑是地上霜", "不是地上霜"), known)
