"""Your checkpoint: bring a model from a folder, the hub or a GGUF file, and see what it is."""

from __future__ import annotations

import streamlit as st

import models
from components.present import station
from components.verbatim import verbatim
from components.words import t
from models.catalog import ModelFacts
from models.names import parse
from pages.bringing import before, onward, sources
from pages.choosing.model import bring, own
from pages.choosing.refused import why
from pages.probing import panels

REFUSED, ASKED = "checkpoint/refused", "checkpoint/asked"


def ask(name: str) -> None:
    """Load it in this run, below."""
    st.session_state[ASKED] = name


def is_bundled(name: str) -> bool:
    """Whether it came with the app: there is nothing to bring."""
    return any(each.name == name for each in models.bundled())


def offer(name: str) -> None:
    """How large it is, and how it should run."""
    try:
        found = models.size_of(name)
        before.show(found)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            wanted = before.run_as(found)
            models.check_size(models.resized(found, wanted))
            there = next(reversed(own()), "") == wanted
            key = "checkpoint_load"
            st.button(
                t("Load it"), key, type="primary", disabled=there, on_click=ask, args=(wanted,)
            )
    except models.Refusal as refusal:
        st.warning(verbatim(why(refusal)))
        return
    if sources.linked() == name and name not in own():
        ask(name)


def load() -> None:
    """Carry out what was asked; a refusal leaves the model that was there."""
    if not (name := st.session_state.pop(ASKED, "")):
        return
    gguf = parse(name).place.endswith(".gguf") or name.startswith("package:llm")
    waiting = t("Converting the GGUF file, once: this takes minutes …")
    st.session_state.pop(REFUSED, None)
    try:
        with st.spinner(waiting if gguf else t("Loading the model …")):
            bring(name)
    except models.Refusal as refusal:
        st.session_state[REFUSED] = why(refusal)


def show(found: ModelFacts) -> None:
    """What it is, and where else it can be looked at."""
    st.subheader(verbatim(found.name), anchor=False)
    onward.show(found)
    panels(found.name)


station("choose", t("Choose"))
st.title(t("Your checkpoint"), anchor=False)
st.markdown(
    t(
        "Bring a model of your own: its figures are read before it is loaded, and what is wrong "
        "with it is said."
    )
)
name = sources.choose()
if is_bundled(name):
    station("model", t("Model"))
    show(models.describe(name))
    st.stop()
if name:
    offer(name)
load()
if refused := st.session_state.get(REFUSED):
    st.warning(verbatim(refused))
if mine := list(own().values()):
    station("model", t("Your model"))
    show(mine[-1])
