"""Which model a page is about: the visitor chooses among those that suit it, or a link does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

import models
from components.verbatim import verbatim
from components.words import msg, sentences, t
from models.catalog import ModelFacts, Objective
from models.settings import settings
from pages.choosing.refused import why
from pages.filling.linked import follow

OWN = "choosing/own"
"""Facts about the models that this visitor brought, by a link or on the page Your checkpoint."""
UNSUITED = "unsuited"
"""Said of a model in a link that is here, and is nothing for this page."""

DOES: dict[Objective, str] = {
    "masked": msg("it fills hidden words, and writes nothing"),
    "causal": msg("it says the next word, and sees nothing to the right"),
    "two-way": msg("it says the next word and the one before"),
    "denoising": msg("it reads one text and writes it whole again"),
    "translation": msg("it reads one text and writes another"),
    "states": msg("it came without a head, so it gives no answers"),
}


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
    menus of all pages that it suits, as do those of the page Your checkpoint; a page that it does
    not suit says why. If it cannot be had, the page goes on with the first one and says so until
    the visitor chooses.

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
    facts |= {name: each for name, each in own().items() if suits(each)}
    names = list(dict.fromkeys([*filter(None, [first]), *facts]))
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
    if st.session_state.get(f"{key}/refused") is None:  # else that is said instead
        _tell_unsuited(name, suits)
    return Chosen(name, facts.get(name) or _described(name), _notice(key, name, unsuited))


def own() -> dict[str, ModelFacts]:
    """The models that this visitor brought, the newest last."""
    brought: dict[str, ModelFacts] = st.session_state.setdefault(OWN, {})
    return brought


def bring(name: str) -> ModelFacts:
    """Load a model for this visitor, and offer it on every page that it suits.

    Raises:
        Refusal: It cannot be had; what was there stays.
    """
    found = models.describe(name)
    own().pop(name, None)
    own()[name] = found
    return found


def _follow_link(key: str, suits: Callable[[ModelFacts], bool]) -> None:
    """Choose what a new link asks for, or note why that cannot be."""
    if not (linked := follow("model", key)):
        return
    _forget_refused(key)
    # The name of a folder that is there goes into the page; a way back up could name anything.
    facts = None if ".." in linked else _described(linked, key)
    if facts is not None and suits(facts):
        st.session_state[key] = linked
    else:
        st.session_state.pop(key, None)
        if facts is not None:
            st.session_state[f"{key}/refused"] = UNSUITED
        else:
            st.session_state.setdefault(f"{key}/refused", "")


def _described(name: str, key: str = "") -> ModelFacts | None:
    """The facts about a model, which is loaded for them if it did not come with the app."""
    if bundled := next((each for each in models.bundled() if each.name == name), None):
        return bundled
    try:
        with st.spinner(t("Loading the model …")):
            return bring(name)
    except models.Refusal as refusal:
        if key:
            st.session_state[f"{key}/refused"] = why(refusal)
        return None


def _notice(key: str, name: str, unsuited: str) -> str:
    """Without the name that the link has: it is a stranger's text."""
    refused: str | None = st.session_state.get(f"{key}/refused")
    if refused is None:
        return ""
    if refused == UNSUITED:
        return t(unsuited, other=name)
    told = t("The model in the link cannot be had on this server: here is {other}.", other=name)
    return sentences(told, refused)


def _tell_unsuited(shown: str, suits: Callable[[ModelFacts], bool]) -> None:
    """Why the newest model of the visitor's own is not offered here, and which one is."""
    newest = next(reversed(own().values()), None)
    if newest is None or suits(newest):
        return
    told = t(
        "Your checkpoint {name} is not offered on this page: {does}. {other} can be shown here.",
        name=newest.name,
        does=t(DOES[newest.objective]),
        other=shown,
    )
    st.caption(verbatim(told))


def _forget_refused(key: str) -> None:
    st.session_state.pop(f"{key}/refused", None)
