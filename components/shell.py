"""The Streamlit script behind every page: its look, its language, and the way to the others."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from components.page_language import page_language, settle_language
from components.present import counter, presenting, settle_presenting, way_in
from components.routes import settle_routes
from components.words import t

PAGES = Path(__file__).parents[1] / "pages"
BRAND = Path(__file__).parent / "brand"

settle_language()
settle_presenting()

home = st.Page(PAGES / "home.py", title=t("One sentence, four ways"), default=True)
architecture = st.Page(PAGES / "architecture.py", title=t("Architecture"), url_path="architecture")
sees = st.Page(PAGES / "sees.py", title=t("Who sees what"), url_path="sees")
positions = st.Page(PAGES / "positions.py", title=t("Positions"), url_path="positions")
block = st.Page(PAGES / "block.py", title=t("Inside a block"), url_path="block")
fill = st.Page(PAGES / "fill.py", title=t("Fill the mask"), url_path="fill")
attention = st.Page(PAGES / "attention.py", title=t("Attention"), url_path="attention")
checkpoint = st.Page(PAGES / "checkpoint.py", title=t("Your checkpoint"), url_path="checkpoint")
about_models = st.Page(PAGES / "models.py", title=t("Models"), url_path="models")
generate = st.Page(PAGES / "generate.py", title=t("Generate"), url_path="generate")
write = st.Page(PAGES / "write.py", title=t("Read, then write"), url_path="write")
sections = {
    t("Learn"): [home, architecture, sees, positions, block],
    t("Explore"): [fill, attention, generate, write],
    t("Inspect"): [about_models, checkpoint],
}
settle_routes(sections)
page = st.navigation(sections, position="hidden" if presenting() else "sidebar")

st.set_page_config(
    page_title=f"{page.title} · Unmask",
    page_icon=str(BRAND / "icon.svg"),
    layout="wide",
)
st.logo(str(BRAND / "wordmark.svg"))
with st.container(gap=None):  # both lie in the header's band and take no room on the page
    page_language()
    if presenting():
        counter(page.url_path)
    else:
        way_in()
page.run()
