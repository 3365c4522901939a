"""Charts as SVG: well formed whatever they are given, text kept as text, bars as long as values."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.pictures import Bar, Group, Svg, bar_chart, estimate, fit, wrapped

SPACE = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>alert(1)</script><image href='http://x.invalid'/> & \x00\x1b\ud800 ]]>"


def chart(title: str = "A title", labels: tuple[str, ...] = ("a", "b"), groups: int = 1) -> Svg:
    bars = [Bar(label, 0.1 * (i + 1), f"{10 * (i + 1)}%") for i, label in enumerate(labels)]
    return bar_chart(
        title, [Group("Group", bars)] * groups, full=0.5, axis="50%", colour="#0072B2",
        footnote="made of numbers",
    )  # fmt: skip


def parse(picture: Svg) -> Xml.Element:
    return Xml.fromstring(picture.markup.encode())  # noqa: S314 - our own


def texts(picture: Svg) -> list[str]:
    return [str(node.text) for node in parse(picture).iter(f"{SPACE}text")]


def rects(picture: Svg, fill: str) -> list[dict[str, float]]:
    nodes = parse(picture).iter(f"{SPACE}rect")
    sides = ("x", "y", "width", "height")
    return [{s: float(n.attrib[s]) for s in sides} for n in nodes if n.attrib["fill"] == fill]


def test_text_stays_text_in_named_fonts() -> None:
    picture = chart(labels=("tea", "茶"))
    assert {"A title", "tea", "茶", "10%", "50%", "made of numbers"} <= set(texts(picture))
    root = parse(picture)
    assert "sans-serif" in root.attrib["font-family"]
    assert "Noto Sans TC" in root.attrib["font-family"]


@given(st.text(max_size=80))
def test_markup_is_only_text(text: str) -> None:
    for nasty in (text, HOSTILE, HOSTILE + text):
        picture = chart(nasty, (nasty,))
        root = parse(picture)
        assert {node.tag.removeprefix(SPACE) for node in root.iter()} == {
            "svg", "title", "rect", "text",
        }  # fmt: skip
        assert all(
            name in "x y width height fill role viewBox font-size font-weight text-anchor"
            " font-family".split() for node in root.iter() for name in node.attrib
        )  # fmt: skip


def test_bars_are_as_long_as_their_values() -> None:
    picture = chart(labels=("a", "b", "c", "d", "e", "f"))  # the last is beyond the full bar
    lengths = [bar["width"] for bar in rects(picture, "#0072B2")]
    track = rects(picture, "#EEF0F3")[0]["width"]
    assert lengths == pytest.approx([track * min(1, 0.2 * i) for i in range(1, 7)])


@pytest.mark.parametrize("groups", [1, 2, 3, 7])
def test_everything_lies_on_the_paper_and_apart(groups: int) -> None:
    picture = chart("word " * 60, groups=groups)
    tracks = rects(picture, "#EEF0F3")
    assert len(tracks) == 2 * groups
    for box in tracks:
        assert box["x"] >= 0 and box["x"] + box["width"] <= picture.width
        assert box["y"] >= 0 and box["y"] + box["height"] <= picture.height
    places = sorted((box["x"], box["y"]) for box in tracks)
    assert all(x != u or v - y >= 20 for (x, y), (u, v) in pairwise(places))


def test_the_description_names_the_largest() -> None:
    assert chart(labels=("a", "b")).alt == "A title · Group: a 10%, b 20%"


@given(st.text(max_size=200), st.integers(40, 400))
def test_lines_fit_and_lose_nothing(text: str, room: int) -> None:
    lines = list(wrapped(text, 10, room))
    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        assert estimate(line, 10) <= room or " " not in line.strip()


@given(st.text(max_size=99), st.integers(30, 300))
def test_what_is_cut_says_so(text: str, room: int) -> None:
    cut = fit(text, 10, room)
    assert cut == text or (cut.endswith("…") and text.startswith(cut[:-1]))
    assert estimate(cut, 10) <= room + 10
