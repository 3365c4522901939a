"""The next token: the whole vocabulary as bars, what temperature, top-k and top-p cut from it.

All probabilities are sent once; the browser cuts them while a slider moves, by the definition in
`models.generated.Cut`, and says what it was set to once the visitor rests, or presses a button.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import streamlit as st

from components.register import register
from components.words import number, t
from models.trace import Candidate, NextTokens

_next = register("next_tokens", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()

SHOWN = 12
"""Bars; a browser may want to show more of them."""


@dataclass(frozen=True)
class Place:
    """Where in a text the next token is about to stand."""

    headline: str
    """After which words."""
    chosen: int | None
    """The token that stands there, if any."""
    tried: Collection[int]
    """Tokens that begin a branch there."""
    room: int
    """How many more tokens the model can read; 0 behind the end of the text."""
    ended: bool = False
    """It is behind the end of the text."""


def next_tokens(
    found: NextTokens,
    place: Place,
    *,
    key: str,
    colour: str,
    settings: Mapping[str, object],
    writing: bool,
    on_go: Callable[[object], None],
    on_settings: Callable[[object], None],
) -> None:
    """Draw the bars, the sliders and the buttons.

    Args:
        found: The distribution.
        place: Where it stands.
        key: A name of its own in the session.
        colour: CSS colour of the bars.
        settings: ``way`` (``greedy``, ``draw``), ``temperature``, ``top_k``, ``top_p``, ``seed``
            and ``length``, as the sliders begin.
        writing: The model writes just now.
        on_go: Called with what the browser says when a button is pressed; not checked yet.
        on_settings: The same when the sliders rest.
    """
    _next(
        key=key,
        data={
            "serial": next(_serial),
            "colour": colour,
            "headline": place.headline,
            "log_p": found.log_p,
            "rows": [_row(each, found, place) for each in found.candidates],
            "shown": SHOWN,
            "settings": dict(settings),
            "writing": writing,
            "room": place.room,
            "words": _words(len(found.log_p), place),
        },
        on_go_change=_told(key, "go", on_go),
        on_settings_change=_told(key, "settings", on_settings),
    )


def _row(each: Candidate, found: NextTokens, place: Place) -> dict[str, object]:
    ends = each.token_id in found.ends
    return {
        "id": each.token_id,
        "word": t("end of the text") if ends else spoken(each),
        "ends": ends,
        "chosen": each.token_id == place.chosen,
        "tried": each.token_id in place.tried,
    }


def spoken(each: Candidate) -> str:
    """A token as it is read; "…" in front says that it continues the word before it."""
    text = each.text.replace("\n", "⏎") or "·"
    return f"…{text}" if each.continuation and text.isascii() else text


def _told(key: str, name: str, call: Callable[[object], None]) -> Callable[[], None]:
    def changed() -> None:
        state = st.session_state.get(key)
        if isinstance(state, Mapping) and (value := state.get(name)) is not None:
            call(value)

    return changed


def _words(vocabulary: int, place: Place) -> dict[str, str]:
    """The words in view.js, in the visitor's language."""
    return {
        "way": t("How the next token is chosen"),
        "greedy": t("The most probable one"),
        "draw": t("By chance"),
        "temperature": t("Temperature"),
        "top_k": t("Top-k"),
        "top_p": t("Top-p"),
        "off": t("off"),
        "all": number(vocabulary),
        "one": t("One token"),
        "run": t("Write {count}"),
        "stop": t("Stop"),
        "length": t("Tokens"),
        "seed": t("Seed"),
        "again": t("Another seed"),
        "token": t("Token"),
        "before": t("Before the cut"),
        "after": t("After the cut"),
        "force": t("Put “{word}” here and go on from it"),
        "chosen": t("here"),
        "tried": t("tried"),
        "kept": t(
            "Kept: {count} of {all} tokens. They hold {share} of the probability, {warm} at this "
            "temperature."
        ),
        "uncut": t("Nothing is cut away: all {all} tokens can come."),
        "certain": t("Nothing is left to chance: {word} comes."),
        "entropy": t("Entropy: {before} bits; after the cut {after} bits."),
        "curve": t("Probability of the first tokens together, by rank. {told}"),
        "rank": t("rank"),
        "full": t("The text ends here. Choose a token above to go on from there.")
        if place.ended
        else t("This text is as long as the model can read."),
        "more": t("Show more"),
        "less": t("Show fewer"),
        "cut": t("cut away"),
    }
