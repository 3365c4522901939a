"""What is drawn of each model, as plain data, and how its parts are found again in the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from components.theme import Colour
from components.words import msg
from models.trace import Pane, PaneName, Replaced, Sight, Token

PANES: dict[PaneName, str] = {
    "whole": "",
    "forward": msg("forward LSTM · sees the left"),
    "backward": msg("backward LSTM · sees the right"),
    "encoder": msg("encoder · source × source"),
    "decoder": msg("decoder · target × target"),
    "cross": msg("cross-attention · target × source"),
}
"""What each matrix is about; that of a whole model says what the model sees."""


@dataclass(frozen=True)
class Seen:
    """One model's way to see a text."""

    name: str
    """The architecture, such as ``BERT``."""
    sees: str
    """In one line, what it is and what it may look at; translated."""
    model: str
    """The catalogue's name."""
    colour: Colour
    sight: Sight | None = None
    """None if there is none; `note` then says why."""
    note: str = ""
    """Shown in its place; translated."""


def panes(shown: Sequence[Seen]) -> Iterator[tuple[Seen, Pane]]:
    """All matrices, from the first model's to the last's."""
    for seen in shown:
        for pane in seen.sight.panes if seen.sight else ():
            yield seen, pane


def column_names(pane: Pane) -> list[str]:
    """A name for each replaced unit, the same in every model that reads the text."""
    met: Counter[str] = Counter()
    return [_word(unit) or _other(unit.text, met) for unit in pane.columns]


def row_names(pane: Pane) -> list[str]:
    """A name for each position: that of the unit it belongs to."""
    met: Counter[str] = Counter()
    words = [unit for unit in pane.columns if unit.kind == "word"]
    return [_of_word(token, words) or _other(token.text, met) for token in pane.rows]


def _word(unit: Replaced) -> str:
    return f"w{unit.span[0]}" if unit.kind == "word" else ""


def _of_word(token: Token, words: Sequence[Replaced]) -> str:
    if token.kind in ("special", "space"):
        return ""
    holding = (u for u in words if u.span[0] <= token.start and token.end <= u.span[1])
    return next(map(_word, holding), "")


def _other(text: str, met: Counter[str]) -> str:
    """Of a token that is no word: its text, and which one of several it is."""
    met[text] += 1
    return f"{text}#{met[text]}"
