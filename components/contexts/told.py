"""What two contexts do to a word, in words, computed: it may be what no textbook expects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from components.theme import Colour
from components.words import number, sentences, t
from models.trace import InContexts

PLACES = {"static": 0.0, "input": 0.5}
APART = 5e-4
"""Cosines that differ by less look the same on the page."""


@dataclass(frozen=True)
class Compared:
    """One model, and how alike the word's states are in it."""

    name: str
    """The architecture, such as ``BERT``."""
    model: str
    """The catalogue's name."""
    colour: Colour
    reads_left: bool = False
    """It reads from the left alone."""
    both_sides: bool = False
    """Every layer sees both sides."""
    found: InContexts | None = None
    """None if there is nothing; `note` then says why."""
    note: str = ""

    @property
    def top(self) -> float:
        """The cosine at the top layer."""
        return float(self.found.similarity[-1]) if self.found else float("nan")


def layer_name(layer: str) -> str:
    """A layer as the axis names it."""
    if layer == "static":
        return t("Word vector")
    return t("Input, with position") if layer == "input" else t("Layer {layer}", layer=layer)


def place(layer: str) -> float:
    """Where a layer stands on the axis; between the word vector and layer 1 is the input."""
    return PLACES[layer] if layer in PLACES else float(layer)


def sentence(shown: Sequence[Compared]) -> str:
    """What is seen, in a few sentences."""
    return sentences(*said(shown))


def said(shown: Sequence[Compared]) -> list[str]:
    """Who holds the two apart; who was to, and who cannot; whether layers do it one by one."""
    there = [each for each in shown if each.found]
    if not there:
        return []
    return [*_ends(there), *_expected(there), *_blind(there), *_falling(there)]


def _ends(there: Sequence[Compared]) -> list[str]:
    """The least and the most alike at the top, beside different words."""
    low, high = min(there, key=lambda each: each.top), max(there, key=lambda each: each.top)
    word = low.found.word if low.found else ""
    if high.top - low.top < APART:
        return [t("At the top layer all models hold the two “{word}” equally alike.", word=word)]
    return [
        t(
            "At the top layer the two “{word}” are least alike in {low} ({least}) and most in "
            "{high} ({most}); two different words have {others} there on average.",
            word=word,
            low=low.name,
            least=_shown(low.top),
            high=high.name,
            most=_shown(high.top),
            others=t("{least} and {most}", least=_different(low), most=_different(high)),
        )
    ]


def _expected(there: Sequence[Compared]) -> list[str]:
    """Whether the model that sees both sides in every layer moves the word most."""
    able = [each for each in there if each.both_sides]
    if not able or len(there) < 2:
        return []
    low = min(there, key=lambda each: each.top)
    if able[0].top - low.top < APART:
        return [
            t(
                "{name}, which sees both sides in every layer, moves them apart most, as it "
                "should if the two uses differ.",
                name=able[0].name,
            )
        ]
    return [
        t(
            "Against the textbook, not {name}, which sees both sides in every layer, but {other} "
            "moves them apart most.",
            name=able[0].name,
            other=low.name,
        )
    ]


def _blind(there: Sequence[Compared]) -> list[str]:
    """Who reads the same before both cannot tell them apart."""
    return [
        t("{name} has read the same before both, and so cannot tell them apart.", name=each.name)
        for each in there
        if each.reads_left and each.found and each.found.same_before
    ]


def _falling(there: Sequence[Compared]) -> list[str]:
    """Whether similarity falls from layer to layer, as textbooks let it."""
    falls = {
        each.name: bool((np.diff(each.found.similarity) < APART).all())
        for each in there
        if each.found
    }
    names = t(", ").join(name for name, falling in falls.items() if falling)
    if all(falls.values()):
        return [t("It never rises from one layer to the next, as expected.")]
    if not names:
        return [t("In no model does it fall with every layer.")]
    return [t("It never rises from one layer to the next only in: {names}.", names=names)]


def _different(each: Compared) -> str:
    return _shown(float(each.found.others[-1])) if each.found else ""


def _shown(value: float) -> str:
    return "–" if np.isnan(value) else number(value, 2, exactly=True)
