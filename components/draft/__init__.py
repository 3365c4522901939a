"""A text that a model writes: each token with its surprisal, repetitions, and all branches.

    drawn = draft(shown, key="generate_draft", …)
    for …:
        more(tokens, key="generate_draft", since=drawn)    # while the model still writes

What comes while it writes arrives in mounts of its own, so that the text above stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import streamlit as st

from components.draft.told import summary, told
from components.register import register
from components.words import t
from models.trace import WrittenToken

__all__ = ["Draft", "Row", "draft", "more"]

_draft = register("draft", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()

TALLEST = 8.0
"""Bits of a full bar, at least: a text without surprises is not to look full of them."""


@dataclass(frozen=True)
class Row:
    """One branch in the list of all."""

    leaf: int
    """Its name."""
    depth: int
    """How many forks lead to it."""
    text: str
    """From its fork on."""
    shown: bool
    """It is the one above."""


@dataclass(frozen=True)
class Draft:
    """Everything there is to see of a text."""

    prompt: Sequence[WrittenToken]
    tokens: Sequence[WrittenToken]
    """What was written."""
    by_hand: Sequence[bool]
    """Which of them the visitor chose."""
    repeated: Sequence[bool]
    """Of prompt and tokens, those that belong to a run that stood before."""
    place: int
    """So many of the tokens are read before the bars."""
    rows: Sequence[Row]
    verse: bool
    """A line of verse ends with its mark."""
    ends: frozenset[int] = frozenset()
    """Ids that end a text."""
    notes: Sequence[str] = ()


def draft(
    shown: Draft,
    *,
    key: str,
    colour: str,
    writing: bool,
    on_place: Callable[[int], None],
    on_branch: Callable[[int], None],
    on_over: Callable[[], None],
) -> int:
    """Draw the text and its branches.

    Args:
        shown: See there.
        key: A name of its own in the session.
        colour: CSS colour of the bars, the architecture's own.
        writing: More is about to come.
        on_place: Called with the number of tokens to read before the bars.
        on_branch: Called with the branch to show.
        on_over: Called to begin anew.

    Returns:
        What `more` needs to know.
    """
    serial = next(_serial)
    every = [*shown.prompt, *shown.tokens]
    full = max([TALLEST, *(token.bits for token in every if token.bits is not None)])
    hands = [*[False] * len(shown.prompt), *shown.by_hand]
    drawn = [
        _token(token, full, again, hand) | ({"text": t("end")} if token.id in shown.ends else {})
        for token, again, hand in zip(every, shown.repeated, hands, strict=True)
    ]
    _draft(
        key=key,
        data={
            "serial": serial,
            "key": key,
            "colour": colour,
            "prompt": drawn[: len(shown.prompt)],
            "tokens": drawn[len(shown.prompt) :],
            "place": shown.place,
            "rows": [vars(row) for row in shown.rows],
            "verse": shown.verse,
            "writing": writing,
            "headline": summary(shown.tokens, shown.repeated[len(shown.prompt) :]),
            "notes": list(shown.notes),
            "words": _words(),
        },
        on_place_change=_checked(key, "place", on_place, len(shown.tokens)),
        on_branch_change=_checked(key, "branch", on_branch, None),
        on_over_change=on_over,
    )
    return serial


def more(tokens: Sequence[WrittenToken], *, key: str, since: int) -> None:
    """All that has come since the draft of this key was drawn; call it as often as you like."""
    new = [_token(token, TALLEST, again=False, hand=False) for token in tokens]
    serial = next(_serial)
    data = {"serial": serial, "key": key, "since": since, "more": new}
    _draft(key=f"{key}_more{serial}", data=data)


def _token(token: WrittenToken, full: float, again: bool, hand: bool) -> dict[str, object]:
    return {
        "text": token.piece if token.special else token.text,
        "special": token.special,
        "height": None if token.bits is None else min(1.0, token.bits / full),
        "told": told(token, again, hand),
        "again": again,
        "hand": hand,
    }


def _checked(
    key: str, name: str, call: Callable[[int], None], most: int | None
) -> Callable[[], None]:
    """What a browser reports reaches the page only if it is a number that can be."""

    def changed() -> None:
        state = st.session_state.get(key)
        value = state.get(name) if isinstance(state, Mapping) else None
        if type(value) is int and value >= 0 and (most is None or value <= most):
            call(value)

    return changed


def _words() -> dict[str, str]:
    """The words in view.js, in the visitor's language."""
    return {
        "text": t("The text, token by token"),
        "hint": t("Choose a token to see what else could have stood there."),
        "end": t("What comes next"),
        "branches": t("Branches"),
        "branchHint": t("Nothing is lost: choose a branch to go on with it."),
        "over": t("Start over"),
        "nothing": t("Nothing is written yet."),
        "writing": t("Writing …"),
        "bar": t("Bars: surprisal"),
        "again": t("Underlined: three tokens in a row that stood before"),
        "hand": t("Framed: chosen by you"),
    }
