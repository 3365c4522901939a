"""What else can be asked about a sentence: sections in a row, of which only the open one computes.

Each is a module with a `TITLE` and a function `show`, which draws it; a new one needs a line below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

import streamlit as st

import models
from components.answers.notices import not_ready, too_busy
from components.words import language, t
from models.trace import Prediction, Sentence
from pages.filling import layers, loss, together, whole, words
from pages.filling.asking import Asking
from pages.filling.linked import follow

if TYPE_CHECKING:
    from streamlit.elements.lib.mutable_tab_container import TabContainer

SECTIONS: Mapping[str, ModuleType] = {
    "words": words,
    "together": together,
    "sentence": whole,
    "layers": layers,
    "loss": loss,
}
"""By the name that a link has for them, as it stands in every language."""

OPEN = "filling/open"


def sections(model: str, sentence: Sentence, prediction: Prediction) -> None:
    """Draw the row and below it the open section, about a sentence and its answer."""
    st.subheader(t("Look closer"), anchor=False)
    for tab, (name, section) in zip(_tabs(), SECTIONS.items(), strict=True):
        if tab.open:
            st.session_state[OPEN] = name
            with tab:
                _show(section, Asking(model, sentence, prediction, st.empty()))


def _tabs() -> Sequence[TabContainer]:
    """The row, open at the section that a link asks for, or where the visitor left it.

    Streamlit knows tabs by their labels, and only while they are shown: so each language has a row
    of its own, and which section is open is kept beside it.
    """
    titles = {name: t(section.TITLE) for name, section in SECTIONS.items()}
    linked = follow("section")
    key = f"fill_sections_{language()}"
    if linked in titles or key not in st.session_state:
        kept = st.session_state.get(OPEN, next(iter(titles)))
        st.session_state[key] = titles[linked if linked in titles else kept]
    return st.tabs(list(titles.values()), key=key, on_change="rerun")


def _show(section: ModuleType, asking: Asking) -> None:
    try:
        section.show(asking)
    except models.TooBusy:
        st.info(too_busy())
    except models.Refusal as error:
        st.info(not_ready(error.name))
