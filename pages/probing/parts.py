"""Parameters by part: as areas and as a table, each counted once."""

from __future__ import annotations

import streamlit as st

import models
from components.part_tree import KINDS, by_kind, numbers, part_tree, picture
from components.takeaway import panel_bar
from components.verbatim import verbatim
from components.words import msg, number, percent, t, tn
from models.trace import Sizes
from pages.probing.asking import Probing

TITLE = msg("Parameters")


def show(probing: Probing) -> None:
    """The areas, the shares and the bar."""
    found = probing.once("sizes", None, lambda _: models.part_sizes(probing.name))
    if found is None:
        return
    part_tree(found, key="probing_tree")
    st.table(
        [
            {t("Part"): t(KINDS[kind]), t("Parameters"): number(count),
             t("Share"): percent(count / found.total, 1)}
            for kind, count in by_kind(found)
        ],
        hide_index=True,
    )  # fmt: skip
    _tied(found)
    panel_bar(
        key="probing_parts",
        title=t("Parameters by part: {model}", model=probing.name),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(found, probing.colour.mark),
        link=probing.link(section="parts"),
        about=found.provenance,
        how=t(
            "Every tensor of the network is sorted by where it stands. A tensor that is used "
            "twice counts once, where it stands first; so the parts sum up to the whole."
        ),
    )


def _tied(found: Sizes) -> None:
    if not found.tied:
        return
    told = tn("{count} tensor is used twice", "{count} tensors are used twice", len(found.tied))
    with st.expander(told):
        for one, other in found.tied:
            st.markdown(f"- `{verbatim(one)}` = `{verbatim(other)}`".replace("\\", ""))
