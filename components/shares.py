"""How answers are shown everywhere: a word, its share, and what a full bar stands for."""

from __future__ import annotations

from collections.abc import Iterable

from components.words import number, percent, t
from models.trace import Candidate

FULL_BARS = (0.1, 0.25, 0.5, 1.0)
"""What a full bar may stand for."""

RAREST = 1_000_000_000
"""Odds beyond which nobody needs the number; tables to take away have it."""


def joined(answer: Candidate) -> str:
    """An answer's word; "…" in front says that it continues the word before it."""
    return f"…{answer.text}" if answer.continuation else answer.text


def share(probability: float) -> str:
    """A probability for a reader, one decimal; neither "0.0%" nor "100.0%", which it never is."""
    if probability < 0.001:
        return f"< {percent(0.001, 1)}"
    if probability > 0.999:
        return f"> {percent(0.999, 1)}"
    return percent(probability, 1)


def full_bar(shares: Iterable[float]) -> float:
    """The probability of a full bar, the same for all bars of a picture: the least that holds them.

    Args:
        shares: The longest bars.
    """
    largest = max(shares, default=0)
    return next(full for full in FULL_BARS if largest <= full or full == 1)


def rare(probability: float) -> str:
    """As `share`, and a small one as odds: "1 in 25,000", rounded to two digits."""
    if probability >= 0.001:
        return share(probability)
    if probability < 1 / RAREST:
        return t("less than 1 in {count}", count=number(RAREST))
    return t("1 in {count}", count=number(float(f"{1 / probability:.1e}")))


def spelled(pieces: Iterable[str]) -> str:
    """The pieces of a word as a reader sees them: "walk + …ing"."""
    return " + ".join(piece.replace("##", "…") for piece in pieces)
