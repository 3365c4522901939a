"""What else can be asked about a sentence: sections in a row, of which only the open one computes.

Each is a module with a `TITLE` and a function `show`, which draws it; a new one needs a line below.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import streamlit as st

import models
from components.answers.notices import not_ready, too_busy
from components.words import t
from models.trace import Prediction, Sentence
from pages.filling import together, whole, words
from pages.filling.asking import Asking
from pages.filling.linked import follow

SECTIONS: Mapping[str, ModuleType] = {
    "words": words,
    "together": together,
    "sentence": whole,
}
"""By the name that a link has for them, as it stands in every language."""

KEY = "fill_section"


def sections(model: str, sentence: Sentence, prediction: Prediction) -> None:
    """Draw the row and below it the open section, about a sentence and its answer."""
    follow("section", KEY, lambda name: name if name in SECTIONS else None)
    st.session_state.setdefault(KEY, next(iter(SECTIONS)))
    opened = st.segmented_control(
        t("Look closer"),
        list(SECTIONS),
        format_func=lambda name: t(SECTIONS[name].TITLE),
        key=KEY,
        required=True,
        persist_state="session",
    )
    section = SECTIONS[opened or next(iter(SECTIONS))]
    try:
        section.show(Asking(model, sentence, prediction, st.empty()))
    except models.TooBusy:
        st.info(too_busy())
    except models.Refusal as error:
        st.info(not_ready(error.name))
