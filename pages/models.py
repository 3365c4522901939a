"""Models: all that came with the app, how well each does, how it learned, what it has read."""

from __future__ import annotations

import streamlit as st

import models
from components.present import station
from components.words import t
from models.report import Report
from pages.inspecting.curves import curves
from pages.inspecting.one import one
from pages.inspecting.overview import overview

KEY = "models_table"


def linked(reports: tuple[Report, ...]) -> list[Report]:
    """The models that a link names, with commas between them; else the first."""
    names = (st.query_params.get("model") or "").split(",")
    return [each for each in reports if each.facts.name in names] or list(reports[:1])


station("table", t("Models"))
st.title(t("Models"))
st.markdown(t("We trained them all. Mark some rows to see how they learned and what they can do."))
reports = models.reports()
if not reports:
    st.info(t("No model came with this app."))
    st.stop()
shown = overview(reports, KEY) or linked(reports)
link = {"model": ",".join(each.facts.name for each in shown)}
station("curves", t("How it learned"))
curves(shown, link)
station("one", t("In full"))
for each in shown:
    one(each, link)
