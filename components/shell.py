"""The Streamlit script behind every page: its look, its language, and the way to the others."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from components.page_language import page_language, settle_language
from components.words import t

PAGES = Path(__file__).parents[1] / "pages"
BRAND = Path(__file__).parent / "brand"

settle_language()

fill = st.Page(PAGES / "fill.py", title=t("Fill the mask"), url_path="fill")


def open_first_page() -> None:
    """Send a visitor of `/` on: Streamlit gives its default page no other address than that."""
    st.switch_page(fill)


home = st.Page(open_first_page, title="Unmask", url_path="home", default=True, visibility="hidden")
page = st.navigation({t("Explore"): [home, fill]})

st.set_page_config(
    page_title=f"{page.title} · Unmask",
    page_icon=str(BRAND / "icon.svg"),
    layout="wide",
)
st.logo(str(BRAND / "wordmark.svg"))
page_language()
page.run()
