"""Layer by layer: which words are followed, where their ranks stand, and what is said of them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components import ladder as component
from components.ladder import ladder
from components.ladder.exports import numbers, picture
from components.ladder.followed import followed, headline, layer_name
from components.ladder.ranks import place, ticks
from components.takeaway.parts import csv_text, shown
from components.words import use_language
from models.trace import Lens, Standing
from tests.unit.inside_by_hand import LENS, WORDS, answer

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    monkeypatch.setattr(component, "_ladder", lambda **mount: found.append(mount["data"]))
    return found


def following(*ranks: int, original: bool = False) -> Lens:
    """A lens whose answer, or the visitor's word, has these ranks."""
    standings = tuple(Standing(rank, 1 / rank / 2) for rank in ranks)
    rows = tuple(
        replace(answer(0.5, 0.3, 0.2), original_rank=s.rank, original_probability=s.probability)
        for s in standings
    )
    if original:
        return replace(LENS, layers=rows, final=tuple(Standing(1, 0.5) for _ in ranks))
    untyped = tuple(answer(0.5, 0.3, 0.2, original=None) for _ in ranks)
    return replace(LENS, original=None, layers=untyped, final=standings)


@given(st.integers(2, 300_000), st.data())
def test_a_better_rank_stands_further_right(words: int, data: st.DataObject) -> None:
    one, other = sorted(data.draw(st.tuples(*[st.integers(1, words)] * 2)))
    assert place(1, words) == 1 and place(words, words) == pytest.approx(0)
    assert 0 <= place(other, words) <= place(one, words) <= 1 or other == words
    assert all(tick <= words for tick in ticks(words)) and ticks(words)[-1] * 10 > words


def test_the_visitors_word_and_the_answer_are_followed() -> None:
    own, final = followed(LENS)
    assert (own.word, own.final) == ("tea", False)
    assert [standing.rank for standing in own.standings] == [8, 3, 2]
    assert (final.word, final.final, final.standings) == ("milk", True, LENS.final)


def test_one_word_where_the_visitor_has_none_or_it_is_the_answer() -> None:
    (only,) = followed(following(3, 1))
    assert only.final
    same = replace(LENS, final=followed(LENS)[0].standings)
    assert [line.word for line in followed(same)] == ["tea"]
    several = replace(answer(0.5, 0.3, 0.2), original_rank=None, original_probability=0.1)
    (only,) = followed(replace(LENS, layers=(several,) * 3))
    assert only.final, "a word of several pieces has no rank"


@pytest.mark.parametrize(
    ("ranks", "told"),
    [
        ((1, 1, 1), "“milk” is the best answer from the embeddings on."),
        ((1, 2, 1), "Only the last layer makes “milk” the best answer."),
        ((5, 1, 1), "“milk” is the best answer from layer 1 on."),
    ],
)
def test_since_when_the_answer_stands_is_computed(ranks: tuple[int, ...], told: str) -> None:
    assert headline(following(*ranks)) == told


@pytest.mark.parametrize(
    ("ranks", "told"),
    [
        ((3_111, 40, 5), "Your word “tea” climbs from rank 3,111 to rank 5."),
        ((2, 1, 6), "Your word “tea” falls from rank 2 to rank 6."),
        ((7, 1, 7), "Your word “tea” ends at the rank where it began, 7."),
    ],
)
def test_how_the_visitors_word_fared_is_computed(ranks: tuple[int, ...], told: str) -> None:
    assert headline(following(*ranks, original=True)).endswith(told)


def test_layers_count_from_one_on_the_screen() -> None:
    assert [layer_name(i) for i in range(3)] == ["Embeddings", "Layer 1", "Layer 2"]


def test_the_rows_are_the_layers(sent: list[dict[str, Any]]) -> None:
    ladder(LENS, key="x", colour="#0072B2", words=WORDS, layer=2)
    (data,) = sent
    assert [row["name"] for row in data["layers"]] == ["Embeddings", "Layer 1", "Layer 2"]
    assert [row["answers"][0]["word"] for row in data["layers"]] == ["…ing", "gold", "milk"]
    assert [row["rank"] for row in data["layers"]] == ["8", "3", "2"]
    assert data["layers"][2]["answers"][1] == {
        "word": "tea", "value": 0.2, "shown": "20.0%", "strong": True,
    }  # fmt: skip
    assert data["lines"][0]["places"] == [place(rank, WORDS) for rank in (8, 3, 2)]
    assert "rank 1 of 8" in data["layers"][2]["standings"][1]
    assert "Belrose" in data["words"]["bias"]
    json.dumps(data)


def test_the_table_has_every_answer_and_every_word_that_is_followed() -> None:
    table = numbers(LENS)
    rows = [row for row in table.rows if row[0] == 0]
    assert [row[1] for row in rows] == [1, 2, 3, 8, 4]
    assert [row[2] for row in rows] == ["…ing", "gold", "the", "tea", "milk"]
    last = [row for row in table.rows if row[0] == 2]
    assert [row[2] for row in last] == ["milk", "tea", "gold"], "each once"
    assert shown(table, 1)[0][:4] == ["Embeddings", "1", "…ing", "0.28"]
    assert "hidden_state,rank,word,probability,entropy_bits" in csv_text(table, "title")


def test_the_picture_draws_the_ranks_where_they_are() -> None:
    drawn = picture(LENS, "#0072B2", WORDS)
    root = Xml.fromstring(drawn.markup.encode())  # noqa: S314 - our own
    final, own = root.iter(f"{SVG}polyline")
    x = [float(point.split(",")[0]) for point in own.attrib["points"].split()]
    assert x == sorted(x), "the word climbs, so its line runs to the right"
    ends = [float(line.attrib["points"].split()[-1].split(",")[0]) for line in (own, final)]
    assert ends[1] > ends[0], "rank 1 is further right than rank 2"
    assert drawn.alt == headline(LENS)
    texts = [str(node.text) for node in root.iter(f"{SVG}text")]
    assert "Layer 2" in texts and "70.0%" in texts and drawn.width > x[-1]


def test_hostile_words_stay_text(sent: list[dict[str, Any]]) -> None:
    nasty = replace(LENS, original="</script><b>&\x00")
    ladder(nasty, key="x", colour="red", words=WORDS, layer=0)
    assert "</script><b>&\x00" in sent[0]["words"]["rank"]
    Xml.fromstring(picture(nasty, "red", WORDS).markup.encode())  # noqa: S314 - our own


def test_chinese() -> None:
    with use_language("zh_TW"):
        assert (
            headline(LENS)
            == "到了最後一層，「milk」才成為最佳答案。你的單字「tea」從第 8 名升到第 2 名。"
        )
        assert layer_name(2) == "第 2 層"
