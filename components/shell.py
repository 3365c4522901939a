"""The Streamlit script behind every page: its look, its language, and the way to the others."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from components.page_language import page_language, settle_language
from components.words import t

PAGES = Path(__file__).parents[1] / "pages"
BRAND = Path(__file__).parent / "brand"

settle_language()

home = st.Page(PAGES / "home.py", title=t("Where an answer comes from"), default=True)
fill = st.Page(PAGES / "fill.py", title=t("Fill the mask"), url_path="fill")
page = st.navigation({t("Learn"): [home], t("Explore"): [fill]})

st.set_page_config(
    page_title=f"{page.title} · Unmask",
    page_icon=str(BRAND / "icon.svg"),
    layout="wide",
)
st.logo(str(BRAND / "wordmark.svg"))
page_language()
page.run()
