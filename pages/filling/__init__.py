"""What else can be asked about a sentence: sections in a row, of which only the open one computes.

Each is a module with a `TITLE` and a function `show`, which draws it; a new one needs a line below.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING

import streamlit as st

import models
from components.answers.notices import not_ready, too_busy
from components.verbatim import verbatim
from components.words import t
from models.trace import Prediction, Sentence
from pages.filling import layers, loss, together, whole, words
from pages.filling.asking import Asking
from pages.filling.tabs import open_section

if TYPE_CHECKING:
    from pages.choosing.model import Chosen

SECTIONS: Mapping[str, ModuleType] = {
    "words": words,
    "together": together,
    "sentence": whole,
    "layers": layers,
    "loss": loss,
}
"""By the name that a link has for them, as it stands in every language."""


def sections(chosen: Chosen, sentence: Sentence, prediction: Prediction) -> None:
    """Draw the row and below it the open section, about a sentence and its answer."""
    st.subheader(t("Look closer"), anchor=False)
    titles = {name: t(section.TITLE) for name, section in SECTIONS.items()}
    for name, tab in open_section(titles, "fill_sections"):
        with tab:
            _show(
                SECTIONS[name], Asking(chosen.name, sentence, prediction, st.empty(), chosen.facts)
            )


def _show(section: ModuleType, asking: Asking) -> None:
    try:
        section.show(asking)
    except models.TooBusy:
        st.info(too_busy())
    except models.Refusal as error:
        st.info(verbatim(not_ready(error.name)))
