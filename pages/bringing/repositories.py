"""Models of the Hugging Face hub: a short list, or any where the operator allows it."""

from __future__ import annotations

import streamlit as st

import models
from components.verbatim import verbatim
from components.words import msg, number, percent, t
from models.checkpoints.fetching import Fetch
from models.checkpoints.hub import Repository, State
from models.settings import settings
from pages.choosing.refused import megabytes, why

PICKED, TYPED, FETCH = "checkpoint_hub", "checkpoint_id", "checkpoint/fetch"
STATES: dict[State, str] = {
    "cached": msg("here"),
    "to fetch": msg("to be fetched"),
    "out of reach": msg("out of reach"),
}


def choose(asked: str) -> str:
    """The name of a model of the hub that is here; "" while there is none.

    Args:
        asked: What a link has asked for; it stands until the visitor chooses.
    """
    policy = settings().hub_policy
    if policy == "off":
        st.info(t("Whoever runs this server has switched the hub off. Folders and packages work."))
        return ""
    with st.spinner(t("Asking the hub …")):
        states = models.repositories()
    if not any(state == "to fetch" for _, state in states):
        st.info(
            t(
                "The hub does not answer from here, so only models that were fetched before can be "
                "used. That is no fault: nothing else on this server needs the hub."
            )
        )
    name = _listed(states)
    if policy == "any":
        name = _typed() or name
    name = name or (asked if asked.startswith("hub:") else "")
    return _here(name) if name else ""


def _listed(states: tuple[tuple[Repository, State], ...]) -> str:
    """One of the short list, with its size, licence and state."""
    told = {
        each.name: t(
            "{id} · {size} MB · {licence} · {state}",
            id=each.id,
            size=number(each.megabytes),
            licence=each.licence,
            state=t(STATES[state]),
        )
        for each, state in states
    }
    picked = st.selectbox(
        t("Well-known models"),
        list(told),
        index=None,
        key=PICKED,
        width=620,
        format_func=lambda name: told[name],
        placeholder=t("Choose one"),
        persist_state="session",
    )
    return picked or ""


def _typed() -> str:
    """Any repository, where the operator allows it."""
    typed = st.text_input(
        t("Any other: organisation/name, and @commit for a version of its own"),
        key=TYPED,
        width=420,
        max_chars=200,
        persist_state="session",
    ).strip()
    return f"hub:{typed[:200]}" if typed else ""


def _here(name: str) -> str:
    """The name once its files are here; until then a way to fetch them, and "" is returned."""
    fetch: Fetch | None = st.session_state.get(FETCH)
    if fetch is not None and str(fetch.name) == name and fetch.fetched:
        return fetch.fetched
    try:
        models.size_of(name)
    except models.NotFetched:
        _fetching(name)
        return ""
    except models.Refusal:
        return name  # the next step says what is wrong with it
    return name


def _fetching(name: str) -> None:
    """A button to fetch it, or how far that is."""
    fetch: Fetch | None = st.session_state.get(FETCH)
    mine = fetch is not None and str(fetch.name) == name
    if fetch is not None and mine and fetch.running:
        _progress()
        return
    if fetch is not None and mine and fetch.refusal is not None:
        st.info(verbatim(why(fetch.refusal)))
    if fetch is not None and mine and fetch.stopped:
        st.caption(t("Stopped. What has come is kept: the next try goes on from there."))
    st.button(t("Fetch it"), key="checkpoint_fetch", on_click=_begin, args=(name,), type="primary")


def _begin(name: str) -> None:
    st.session_state[FETCH] = models.fetch(name)


def _stop(fetch: Fetch) -> None:
    """This visitor does not want it any more; where others do, it goes on without them."""
    if not fetch.stop():
        st.session_state.pop(FETCH, None)


@st.fragment(run_every=0.5)
def _progress() -> None:
    """How far it is; the page goes on by itself as soon as all is here."""
    fetch: Fetch | None = st.session_state.get(FETCH)
    if fetch is None or not fetch.running:
        st.rerun()
    share = fetch.done / fetch.total if fetch.total else 0.0
    told = t(
        "{done} of {total} ({share})",
        done=megabytes(fetch.done),
        total=megabytes(fetch.total),
        share=percent(min(share, 1.0)),
    )
    st.progress(min(share, 1.0), text=told if fetch.total else t("Asking the hub …"))
    st.button(t("Stop"), key="checkpoint_stop", on_click=_stop, args=(fetch,))
