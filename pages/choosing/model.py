"""Which model a page is about: the visitor chooses among those that suit it, or a link does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import streamlit as st

import models
from components.words import t
from models.catalog import ModelFacts
from models.settings import settings
from pages.filling.linked import follow

Why = Literal["absent", "unsuited"]
"""A model in a link cannot be had: it is not here, or is nothing for this page."""


@dataclass(frozen=True)
class Chosen:
    """A model, and what became of the one that a link has asked for."""

    name: str
    facts: ModelFacts | None
    """None if it is not ready on this server."""
    notice: str = ""
    """Why it is not the one in the link; translated."""


def choose_model(
    key: str, suits: Callable[[ModelFacts], bool], first: str = "", unsuited: str = ""
) -> Chosen:
    """The model that the visitor has chosen, before or just now; with one alone there is no menu.

    A link says ``model``: a bundled one, or any that `models.load` allows. Such a one joins the
    menu. If it cannot be had, the page goes on with the first one and says so until the visitor
    chooses.

    Args:
        key: Of the menu, of its own on each page.
        suits: Whether a page can do something with a model.
        first: The model that has the first place, ready or not; "" for the catalogue's own order.
        unsuited: What to say where a link asks for a model that does not suit, with ``{other}`` for
            what is there instead; not translated yet.

    Raises:
        Refusal: There is none.
    """
    facts = {each.name: each for each in models.bundled() if suits(each)}
    _follow_link(key, suits)
    names = list(dict.fromkeys([*filter(None, [first]), *facts, *_brought(key)]))
    if not names:
        raise models.Refusal(settings().default_model)
    if st.session_state.get(key) not in names:
        st.session_state[key] = names[0]
    if len(names) > 1:
        st.selectbox(
            t("Model"),
            names,
            key=key,
            width=220,
            persist_state="session",
            on_change=_forget_refused,
            args=(key,),
        )
    name = str(st.session_state[key])
    return Chosen(name, facts.get(name) or _described(name), _notice(key, name, unsuited))


def _follow_link(key: str, suits: Callable[[ModelFacts], bool]) -> None:
    """Choose what a new link asks for, or note why that cannot be."""
    if not (linked := follow("model", key)):
        return
    _forget_refused(key)
    # The name of a folder that is there goes into the page; a way back up could name anything.
    facts = None if ".." in linked else _described(linked)
    if facts is not None and suits(facts):
        st.session_state[key] = linked
        _brought(key)[linked] = None
    else:
        st.session_state.pop(key, None)
        why: Why = "absent" if facts is None else "unsuited"
        st.session_state[f"{key}/refused"] = why


def _brought(key: str) -> dict[str, None]:
    """The models that links have brought to this menu, in their order."""
    brought: dict[str, None] = st.session_state.setdefault(f"{key}/brought", {})
    return brought


def _described(name: str) -> ModelFacts | None:
    """The facts about a model, which is loaded for them if it did not come with the app."""
    if bundled := next((each for each in models.bundled() if each.name == name), None):
        return bundled
    try:
        with st.spinner(t("Loading the model …")):
            return models.describe(name)
    except models.Refusal:
        return None


def _notice(key: str, name: str, unsuited: str) -> str:
    """Without the name that the link has: it is a stranger's text."""
    why: Why | None = st.session_state.get(f"{key}/refused")
    if why == "unsuited":
        return t(unsuited, other=name)
    if why == "absent":
        return t("The model in the link cannot be had on this server: here is {other}.", other=name)
    return ""


def _forget_refused(key: str) -> None:
    st.session_state.pop(f"{key}/refused", None)
