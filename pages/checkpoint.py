"""Your checkpoint: bring a model from a folder, the hub or a GGUF file, and see what it is."""

from __future__ import annotations

from importlib.util import find_spec

import streamlit as st

import models
from components.answers.notices import not_ready
from components.present import station
from components.verbatim import verbatim
from components.words import t
from pages.choosing.model import choose_model

station("choose", t("Choose"))
st.title(t("Your checkpoint"), anchor=False)
try:
    chosen = choose_model("checkpoint_model", suits=lambda _: True)
    if find_spec("pages.probing"):
        from pages.probing import panels

        panels(chosen.name)
except models.Refusal as error:
    st.info(verbatim(not_ready(error.name)))
