"""`?present=1`: a page before a class, in large type, one key from each station to the next.

A page names its stations where they begin, and is the same page otherwise:

    station("answers", t("The answers"))
    answers(…)

The browser knows where they stand, counts them, steps through them and keeps the address at the one
that is shown, so that the address restores it; Python only says which there are.
"""

from __future__ import annotations

import re
from pathlib import Path

import streamlit as st

from components.register import register
from components.words import language, t

_mount = register("present", Path(__file__).parent)

_STATE = "presenting"


def settle_presenting() -> None:
    """Present from the start if the link says so.

    Read once and kept in the session: once Streamlit has changed the address itself, its runs no
    longer hear what a component writes there.
    """
    st.session_state.setdefault(_STATE, st.query_params.get("present") == "1")


def presenting() -> bool:
    """Whether this visitor presents; a page may leave out then what only its reader needs."""
    return bool(st.session_state.get(_STATE, False))


def carried() -> dict[str, str]:
    """What a link to another page needs, so that presenting goes on there."""
    return {"present": "1"} if presenting() else {}


def station(name: str, title: str) -> None:
    """From here to the next one the page is station `name`.

    Args:
        name: As it stands in a link, in every language: small letters, digits and hyphens.
        title: What is read out on arriving there, in the visitor's language.

    Raises:
        ValueError: `name` would need escaping in an address.
    """
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise ValueError(f"{name!r} is no name for a station")
    if presenting():
        _mount(key=f"station_{name}", data={"station": name, "title": title})


def way_in() -> None:
    """The way to present this page; a link, for another tab or window, and in place if clicked."""
    _mount(
        key="present_enter",
        data={"enter": t("Present"), "hint": _hint(), "language": language()},
        on_enter_change=_enter,
    )


def counter(page: str) -> None:
    """Where one stands, "2 / 5", with the ways on, back and out; it also makes the type large.

    Args:
        page: Which page it is, so that its address is put right after a way between pages.
    """
    words = {
        "label": t("Presentation"),
        "back": t("Previous part"),
        "on": t("Next part"),
        "leave": t("End the presentation"),
        "hint": _hint(),
        "said": t("{number} of {count}: {title}"),
    }
    _mount(
        key="present_counter",
        data={"words": words, "language": language(), "page": page},
        on_leave_change=_leave,
        on_arrived_change=lambda: None,
    )


def _hint() -> str:
    return t("PageDown and PageUp step through the page, Escape ends it.")


def _enter() -> None:
    st.session_state[_STATE] = True


def _leave() -> None:
    st.session_state[_STATE] = False
