"""What else can be asked about the heads: sections in a row, of which only the open one computes.

In a fragment of its own: opening another section leaves the bytes of all heads where they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import streamlit as st

import models
from components.answers.notices import not_ready, too_busy
from components.verbatim import verbatim
from components.words import t
from pages.filling.tabs import open_section
from pages.looking import agree, bertviz, compare, flow, layer, query
from pages.looking.asking import Looking

SECTIONS: Mapping[str, ModuleType] = {
    "query": query,
    "agree": agree,
    "flow": flow,
    "compare": compare,
    "layer": layer,
    "bertviz": bertviz,
}
"""By the name that a link has for them, as it stands in every language."""


@st.fragment
def show(looking: Looking) -> None:
    """Draw the row, and below it the open section."""
    st.subheader(t("Look closer"), anchor=False)
    titles = {name: t(section.TITLE) for name, section in SECTIONS.items()}
    for name, tab in open_section(titles, "attention_sections"):
        with tab:
            _show(SECTIONS[name], looking)


def _show(section: ModuleType, looking: Looking) -> None:
    try:
        section.show(looking)
    except models.Cancelled:
        st.stop()
    except models.TooBusy:
        st.info(too_busy())
    except models.CannotTrace:
        st.info(t("This model computes attention by code of its own and shows only the weights."))
    except models.Refusal as error:
        st.info(verbatim(not_ready(error.name)))
