"""One layer with every weight: all of its heads in one window, however long the text."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

import models
from components.layer import layer
from components.layer.exports import numbers, picture
from components.takeaway import panel_bar
from components.words import msg, t
from pages.filling.linked import follow
from pages.looking.asking import KEY, Looking
from pages.looking.opened import chosen

TITLE = msg("One layer, every weight")
LAYER = "attention_layer"


def show(looking: Looking) -> None:
    """The layer that is asked for, first that of the open head, and its bar."""
    found, head = looking.found, chosen(looking).heads[-1]
    at = _asked(found.depth, head[0])
    seen = looking.once(
        "layer",
        at,
        lambda check: models.one_layer(looking.model, found.reads, found.kind, at, check),
        st.empty(),
    )
    layer(
        seen, key=LAYER, follows=KEY, colour=looking.colour, depth=found.depth, head=head[1]
    )  # fmt: skip
    panel_bar(
        key="layer",
        title=t("Layer {layer}, every weight", layer=str(at + 1)),
        numbers=lambda: numbers(seen),
        code=seen.snippet,
        picture=lambda: picture(seen, looking.colour),
        link=looking.link(section="layer", layer=str(at + 1)),
        about=seen.provenance,
        how=t(
            "One byte for each weight and one scale for each row, of all heads of one layer. Drawn "
            "small, a dot shows the largest of the weights that share it, so that no peak is "
            "lost, or their mean."
        ),
    )


def _asked(depth: int, otherwise: int) -> int:
    """What the browser asks for, else a link, else the layer of the open head."""
    linked = follow("layer", "layer") or ""
    if linked.isascii() and linked.isdecimal() and 1 <= int(linked) <= depth:
        st.session_state["attention/layer"] = int(linked) - 1
    state = st.session_state.get(LAYER)
    asked = state.get("layer") if isinstance(state, Mapping) else None
    if type(asked) is not int:
        asked = st.session_state.get("attention/layer", otherwise)
    return asked if 0 <= asked < depth else otherwise
