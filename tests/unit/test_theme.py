"""Colours can be told apart and read, in both themes."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from components.theme import ARCHITECTURES

ROOT = Path(__file__).parents[2]
THEME: dict[str, Any] = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio, as WCAG 2 defines it: 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def surfaces(mode: str) -> list[str]:
    return [
        colours[key]
        for colours in (THEME[mode], THEME[mode]["sidebar"])
        for key in ("backgroundColor", "secondaryBackgroundColor")
    ]


def blend(front: str, back: str, share: float) -> str:
    pairs = [(int(front[i : i + 2], 16), int(back[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in pairs)


def test_contrast_of_known_pairs() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_can_be_read(mode: str) -> None:
    colours = THEME[mode]
    for surface in surfaces(mode):
        assert contrast(colours["textColor"], surface) >= 7
        assert contrast(colours["linkColor"], surface) >= 4.5
        # Streamlit writes captions in the text colour at 60 %.
        assert contrast(blend(colours["textColor"], surface, 0.6), surface) >= 4.5, surface
    assert contrast(colours["primaryColor"], "#FFFFFF") >= 3


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", ARCHITECTURES)
def test_architectures_can_be_seen_and_read(mode: str, name: str) -> None:
    colour = ARCHITECTURES[name]
    for surface in surfaces(mode):
        assert contrast(colour.mark, surface) >= 3
        text = colour.text_on_light if mode == "light" else colour.text_on_dark
        assert contrast(text, surface) >= 4.5


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_charts_use_the_architectures_colours(mode: str) -> None:
    marks = [colour.mark for colour in ARCHITECTURES.values()]
    assert THEME[mode]["chartCategoricalColors"][:4] == marks


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_sequential_colours_step_evenly_away_from_the_background(mode: str) -> None:
    colours = THEME[mode]["chartSequentialColors"]
    assert len(colours) == 10
    steps = [contrast(colour, THEME[mode]["backgroundColor"]) for colour in colours]
    assert steps[0] < 1.3
    assert all(later > earlier * 1.05 for earlier, later in pairwise(steps))


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_diverging_colours_are_faintest_around_zero(mode: str) -> None:
    colours = THEME[mode]["chartDivergingColors"]
    assert len(colours) == 10
    steps = [contrast(colour, THEME[mode]["backgroundColor"]) for colour in colours]
    assert all(later > earlier for earlier, later in pairwise(steps[5:]))
    assert all(earlier > later for earlier, later in pairwise(steps[:5]))


def test_fonts_are_local() -> None:
    assert "fontFaces" not in THEME
    assert ":" not in THEME["font"], "a colon would make Streamlit fetch the font"
