"""Encoder, decoder and cross attention of the text that was written, as linked maps."""

from __future__ import annotations

from typing import cast

import streamlit as st

import models
from components.flow import caution, flow
from components.flow.exports import numbers, picture
from components.takeaway import panel_bar
from components.theme import ENCODER_DECODER
from components.words import msg, t
from models.trace import AttentionKind, Reads, Writing
from pages.filling.linked import follow
from pages.looking.controls import KINDS
from pages.writing.asking import Page

TITLE = msg("Encoder, decoder, cross")
KIND = "write_kind"


def show(page: Page, found: Writing) -> None:
    """The choice, the maps and their bar."""
    st.subheader(t(TITLE), anchor=False)
    kind = _kind()
    reads = Reads(page.sentence, None, found.text)
    maps = page.once(
        "maps",
        (kind, found.text),
        lambda check: models.flow(page.model, reads, kind, check),
    )
    flow(maps, key="write_maps", colour=ENCODER_DECODER, link=st.query_params.to_dict())
    st.caption(caution(maps))
    panel_bar(
        key="maps",
        title=f"{t(TITLE)} · {t(KINDS[kind])}",
        numbers=lambda: numbers(maps),
        code=maps.snippet,
        picture=lambda: picture(maps, ENCODER_DECODER),
        link=page.link(attention=kind),
        about=maps.provenance,
        how=t(
            "Three kinds of attention: the encoder’s tokens look at each other, the decoder’s at "
            "those before them, and through cross attention the decoder looks at the encoder’s. "
            "Shown is the mean of a layer’s heads; each head by itself, the page Attention shows."
        ),
    )


def _kind() -> AttentionKind:
    if (linked := follow("attention", "write")) in KINDS:
        st.session_state[KIND] = linked
    if st.session_state.get(KIND) not in KINDS:
        st.session_state[KIND] = "cross"
    chosen = st.segmented_control(
        t("Kind of attention"),
        list(KINDS),
        format_func=lambda kind: t(KINDS[kind]),
        key=KIND,
        required=True,
        persist_state="session",
    )
    return cast(AttentionKind, chosen)
