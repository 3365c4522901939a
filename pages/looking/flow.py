"""Flow: what attention carries from token to token, through all layers."""

from __future__ import annotations

import streamlit as st

import models
from components.flow import caution, flow
from components.flow.exports import numbers, picture
from components.takeaway import panel_bar
from components.words import msg, t
from pages.looking.asking import Looking

TITLE = msg("Flow through the layers")


def show(looking: Looking) -> None:
    """The maps and their bar; the browser leads through the layers by itself."""
    found = looking.once(
        "flow",
        None,
        lambda check: models.flow(looking.model, looking.found.reads, looking.found.kind, check),
        st.empty(),
    )
    flow(found, key="attention_flow", colour=looking.colour, link=st.query_params.to_dict())
    st.caption(caution(found))
    panel_bar(
        key="flow",
        title=t(TITLE),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(found, looking.colour),
        link=looking.link(section="flow"),
        about=found.provenance,
        how=t(
            "Attention: mean of the heads. What is carried: the length of the vectors that a token "
            "adds to another, ‖Σ α f(x)‖ with f(x) = (x W_V + b_V) W_O (Kobayashi et al. 2020), "
            "each row scaled to sum to 1. Rollout: rows of 0.5 · A + 0.5 · I multiplied through "
            "the layers (Abnar & Zuidema 2020)."
        ),
    )
