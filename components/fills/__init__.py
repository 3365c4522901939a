"""Several blanks filled twice: each by itself, and all of them together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from components.fills.said import difference, in_nats, other_order
from components.register import register
from components.shares import joined, rare
from components.words import number, t
from models.trace import Blank, Candidate, Fill, JointFill

_fills = register("fills", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()

Write = Callable[[str, Sequence[Blank], Sequence[Candidate | None]], str]
"""A text with a word in every blank for which one is given: `models.filled`."""


def fills(
    text: str, blanks: Sequence[Blank], found: JointFill, *, key: str, colour: str, write: Write
) -> None:
    """Draw both fills side by side, in the sentence and in the order in which they were made.

    Args:
        text: The visitor's.
        blanks: Its blanks.
        found: Both fills, of these blanks or of the first of them.
        key: A name of its own in the session.
        colour: CSS colour of the filled words, the architecture's own.
        write: How an answer is written into the text.
    """
    blanks = blanks[: len(found.spans)]
    changed = found.difference.changed
    both = ((t("Each by itself"), found.independent), (t("Together"), found.joint))
    _fills(
        key=key,
        data={
            "serial": next(_serial),
            "colour": colour,
            "headline": difference(found),
            "panels": [
                {
                    "title": title,
                    "parts": parts(text, blanks, fill, changed, write),
                    "steps": _steps(fill, changed),
                    "score": in_nats(fill.score),
                    "other": other_order(fill),
                }
                for title, fill in both
            ],
            "words": _words(),
        },
    )


def parts(
    text: str, blanks: Sequence[Blank], fill: Fill, changed: Sequence[int], write: Write
) -> list[dict[str, object]]:
    """The filled text in pieces: what the visitor wrote, and between it the words filled in."""
    found: list[dict[str, object]] = []
    at = 0
    for i, word in enumerate(fill.words):
        choices = [*fill.words[: i + 1], *[None] * (len(blanks) - i - 1)]
        done = write(text, blanks, choices)[: blanks[i].span[1] - len(text) or None]
        begins = len(done) - len(word.text)
        found.append({"text": done[at:begins]})
        step = fill.order.index(i) + 1
        found.append({"text": done[begins:], "step": number(step), "changed": i in changed})
        at = len(done)
    last = blanks[-1].span[1] if blanks else 0
    return [*found, {"text": text[last:]}]


def _steps(fill: Fill, changed: Sequence[int]) -> list[dict[str, object]]:
    return [
        {
            "step": number(step),
            "blank": number(blank + 1),
            "word": joined(fill.words[blank]),
            "changed": blank in changed,
            "probability": rare(fill.words[blank].probability),
        }
        for step, blank in enumerate(fill.order, start=1)
    ]


def _words() -> dict[str, str]:
    """The words in view.js, in the visitor's language."""
    return {
        "step": t("Step"),
        "blank": t("Blank"),
        "word": t("Word"),
        "probability": t("Probability, those before filled in"),
        "score": t("Sum of the log-probabilities"),
        "changed": t("differs"),
    }
