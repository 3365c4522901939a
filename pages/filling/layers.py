"""One hidden word, layer by layer: what the model would answer if it stopped there."""

from __future__ import annotations

import streamlit as st

import models
from components.chosen import chosen
from components.head_steps import STAGES, head_steps
from components.head_steps import exports as head_files
from components.ladder import exports as ladder_files
from components.ladder import ladder
from components.ladder.followed import layer_name
from components.takeaway import panel_bar
from components.theme import BERT
from components.words import msg, t
from pages.filling.asking import Asking
from pages.filling.blanks import chosen_blank

TITLE = msg("Layer by layer")
LADDER, STEPS = "fill_ladder", "fill_head"


def show(asking: Asking) -> None:
    """Draw the section."""
    st.markdown(
        t(
            "BERT answers after its last layer. But its output head can read the state after any "
            "layer: so you can watch the answer take shape."
        )
    )
    blank = chosen_blank(asking)
    if blank is None:
        return
    try:
        layer = _ladder(asking, blank)
        _head(asking, blank, layer)
    except models.CannotTrace:
        st.info(
            t("The output head of this model is built in a way that cannot be taken apart here.")
        )


def _ladder(asking: Asking, blank: int) -> int:
    """The answer after each layer; returns the layer that is chosen, 0 = the embeddings."""
    found = asking.once(
        "lens",
        (asking.sentence, blank),
        lambda check: models.lens(asking.model, asking.sentence, blank, check=check),
    )
    last, asked = len(found.layers) - 1, st.query_params.get("layer", "")
    layer = chosen(LADDER, "layer", last + 1, link=asked, base=0, otherwise=last)
    words = asking.prediction.words
    ladder(found, key=LADDER, colour=BERT.mark, words=words, layer=layer)
    panel_bar(
        key="layers",
        title=t(TITLE),
        numbers=lambda: ladder_files.numbers(found),
        code=found.snippet,
        picture=lambda: ladder_files.picture(found, BERT.mark, words),
        link=asking.link("layers", blank=str(blank + 1), layer=str(layer)),
        about=found.provenance,
        how=t(
            "The state at the mask after each layer goes through the model’s own output head, and "
            "a softmax over the full vocabulary follows (logit lens)."
        ),
    )
    return layer


def _head(asking: Asking, blank: int, layer: int) -> None:
    """From the state after a layer to the answer, step by step, with and without the transform."""
    st.subheader(t("Through the output head, step by step"), anchor=False)
    st.markdown(
        t(
            "BERT’s output head is no part of its blocks: dense, activation and LayerNorm stand "
            "between the last layer and the softmax, and are used for guessing words only. Here "
            "goes the state after {layer}; choose another one above.",
            layer=layer_name(layer, inside=True),
        )
    )
    found = asking.once(
        "head",
        (asking.sentence, blank, layer),
        lambda check: models.head_steps(asking.model, asking.sentence, blank, layer, check=check),
    )
    step = chosen(STEPS, "step", STAGES, link=st.query_params.get("step", ""))
    head_steps(found, key=STEPS, colour=BERT.mark, words=asking.prediction.words, step=step)
    at = {"blank": str(blank + 1), "layer": str(layer), "step": str(step + 1)}
    panel_bar(
        key="head",
        title=t("Through the output head"),
        numbers=lambda: head_files.numbers(found),
        code=found.snippet,
        picture=lambda: head_files.picture(found, BERT.mark),
        link=asking.link("layers", **at),
        about=found.provenance,
        how=t(
            "The model’s own modules, one after the other. Without the transform, the state goes "
            "straight into the vocabulary matrix and its bias."
        ),
    )
