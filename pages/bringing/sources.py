"""Where the model comes from: this app, a folder of the server, the hub, an installed package."""

from __future__ import annotations

import streamlit as st

import models
from components.words import msg, t, tn
from models.settings import settings
from pages.bringing import repositories
from pages.filling.linked import follow

SOURCE, SEARCH, PICKED = "checkpoint_source", "checkpoint_search", "checkpoint_picked"
SOURCES = {
    "bundled": msg("Models of this app"),
    "dir": msg("Folders of this server"),
    "hub": msg("Hugging Face hub"),
    "package": msg("Installed packages"),
}
LINKED = "checkpoint/linked"


def choose() -> str:
    """The name of the model that the visitor points at; "" while there is none."""
    if asked := follow("model", "checkpoint"):
        st.session_state[LINKED] = asked
        kind = asked.partition(":")[0] if ":" in asked else "bundled"
        if kind in SOURCES:
            st.session_state[SOURCE] = kind
    # Whoever opened folders wants them looked at; else there is something to see in any case.
    st.session_state.setdefault(SOURCE, "dir" if settings().model_roots else "bundled")
    source = st.radio(
        t("Where it comes from"),
        list(SOURCES),
        format_func=lambda kind: t(SOURCES[kind]),
        key=SOURCE,
        horizontal=True,
        persist_state="session",
        on_change=_forget_link,
    )
    if source == "hub":
        return repositories.choose(linked())
    return {"bundled": _bundled, "package": _package, "dir": _folder}[source]()


def linked() -> str:
    """What a link has asked for, until the visitor points at something else."""
    return str(st.session_state.get(LINKED, ""))


def _forget_link() -> None:
    st.session_state.pop(LINKED, None)


def _folder() -> str:
    """A folder or GGUF file under the operator's roots."""
    if not settings().model_roots:
        st.info(
            t(
                "No folder is open to models here. Whoever runs the server names some in "
                "UNMASK_MODEL_ROOTS."
            )
        )
        return ""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input(
            t("Search"),
            key=SEARCH,
            width=260,
            type="search",
            placeholder=t("a part of the name"),
            persist_state="session",
            live="300ms",
        )
        found = models.folders(search[:200])
        label = tn("{count} folder or GGUF file", "{count} folders and GGUF files", len(found))
        return _one_of(found, label, f"{PICKED}_dir")


def _bundled() -> str:
    """A model that came with the app; the first one until another is chosen."""
    names = tuple(each.name for each in models.bundled())
    key = f"{PICKED}_bundled"
    if st.session_state.get(key) not in names:
        st.session_state[key] = names[0] if names else None
    return _one_of(names, t("Model"), key)


def _package() -> str:
    """A package that carries a model."""
    found = tuple(f"package:{each.package}" for each in models.packages())
    if not found:
        st.info(
            t(
                "No package that carries a model is installed on this server. The README names "
                "two, and how to install them."
            )
        )
        return ""
    return _one_of(found, t("Package"), f"{PICKED}_package")


def _one_of(names: tuple[str, ...], label: str, key: str) -> str:
    """One of some names; a link's own one is chosen if it is among them."""
    asked = linked()
    if not names:
        return asked
    if asked in names and st.session_state.get(f"{key}/followed") != asked:
        st.session_state[key] = st.session_state[f"{key}/followed"] = asked
    if st.session_state.get(key) not in names:
        st.session_state.pop(key, None)
    picked = st.selectbox(
        label,
        names,
        index=None,
        key=key,
        width=420,
        format_func=lambda name: name.partition(":")[2] or name,
        placeholder=t("Choose one"),
        persist_state="session",
        on_change=_forget_link,
    )
    return picked or asked
