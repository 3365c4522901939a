"""What a checkpoint is: panels under the page that loads it, for any model that `models` loads."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import streamlit as st

import models
from components.answers.notices import not_ready
from components.present import station
from components.verbatim import verbatim
from components.words import t
from pages.filling.tabs import open_section
from pages.probing import demands, identity, parts, places, several, tensors, tokens, words
from pages.probing.asking import Probing, text_of

__all__ = ["panels"]

SECTIONS: Mapping[str, ModuleType] = {
    "parts": parts,
    "demands": demands,
    "tokens": tokens,
    "heads": several,
    "weight": tensors,
    "words": words,
    "places": places,
}
"""By the name that a link has for them, as it stands in every language."""


def panels(name: str) -> None:
    """Try a checkpoint on a text, and say what it is; below, what else can be asked about it.

    Args:
        name: As for `models.load`.
    """
    try:
        facts = models.describe(name)
    except models.Refusal as error:
        st.info(verbatim(not_ready(error.name)))
        return
    station("identity", t(identity.TITLE))
    probing = Probing(name, facts, text_of(facts))
    try:
        identity.show(probing)
        _closer(probing)
    except models.Cancelled:
        st.stop()  # a newer run of this page asks something newer


@st.fragment
def _closer(probing: Probing) -> None:
    """The row of sections; only the open one computes."""
    station("details", t("In detail"))
    st.subheader(t("In detail"), anchor=False)
    titles = {name: t(section.TITLE) for name, section in SECTIONS.items()}
    for name, tab in open_section(titles, "probing_sections"):
        with tab:
            try:
                SECTIONS[name].show(probing)
            except models.Cancelled:
                st.stop()
