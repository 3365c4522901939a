"""Beam search as tables: the texts it found with their scores, and what it looked at on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

import streamlit as st

from components.register import register
from components.words import fixed, msg, number, sentences, t
from models.trace import Beam, BeamSearch, Fate

_beams = register("beams", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()

FATES: Mapping[Fate, str] = {
    "kept": msg("goes on"),
    "finished": msg("has ended"),
    "dropped": msg("dropped"),
}
CLEAR = 0.01
"""Nats from which on one text is more probable than another."""


def beams(found: BeamSearch, *, key: str, colour: str, on_take: Callable[[int], None]) -> None:
    """Draw both tables; the browser leads through the steps by itself.

    Args:
        found: The search.
        key: A name of its own in the session.
        colour: CSS colour of the marks.
        on_take: Called with the number of a text that is to become a branch.
    """

    def taken() -> None:
        state = st.session_state.get(key)
        value = state.get("take") if isinstance(state, Mapping) else None
        if type(value) is int and 0 <= value < len(found.beams):
            on_take(value)

    _beams(
        key=key,
        data={
            "serial": next(_serial),
            "colour": colour,
            "headline": headline(found),
            "rows": [_row(beam, number(i)) for i, beam in enumerate(found.beams, start=1)],
            "greedy": _row(found.greedy, t("greedy")),
            "steps": [
                [
                    {
                        "text": each.text.removesuffix(each.token),
                        "token": each.token,
                        "log_p": fixed(each.log_p, 2),
                        "fate": each.fate,
                        "told": t(FATES[each.fate]),
                    }
                    for each in step
                ]
                for step in found.steps
            ],
            "words": _words(found),
        },
        on_take_change=taken,
    )


def _row(beam: Beam, name: str) -> dict[str, object]:
    return {
        "name": name,
        "text": beam.text.strip() or "·",
        "log_p": fixed(beam.log_p, 2),
        "tokens": number(len(beam.tokens)),
        "score": fixed(beam.score, 3),
        "ended": beam.ended,
    }


def headline(found: BeamSearch) -> str:
    """Whether the search beats the most probable token at every step."""
    best, greedy = found.beams[0], found.greedy
    scores = t(
        "Scores per token: {beam} against {greedy} nats.",
        beam=fixed(best.score, 3),
        greedy=fixed(greedy.score, 3),
    )
    if best.text == greedy.text:
        said = t("The best beam is the greedy text.")
    elif best.score > greedy.score + CLEAR:
        said = t("The best beam beats the greedy text: a weaker token first can pay off later.")
    elif best.score < greedy.score - CLEAR:
        said = t("The greedy text beats all beams: the search dropped its beginning too early.")
    else:
        said = t("The best beam and the greedy text are equally good.")
    return sentences(said, scores)


def _words(found: BeamSearch) -> dict[str, str]:
    """The words in view.js, in the visitor's language."""
    return {
        "found": t("What the search found"),
        "rank": t("Beam"),
        "text": t("Text"),
        "log_p": t("Sum of ln p"),
        "tokens": t("Tokens"),
        "score": t("Score"),
        "take": t("Take as a branch"),
        "ended": t("ends here"),
        "steps": t("What it looked at"),
        "step": t("Token {step} of {steps}"),
        "fate": t("What became of it"),
        "extension": t("Text so far, one token longer"),
        "width": t("{count} texts go on side by side.", count=number(found.width)),
    }
