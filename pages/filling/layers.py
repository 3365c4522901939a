"""One hidden word, layer by layer: what the model would answer if it stopped there."""

from __future__ import annotations

import streamlit as st

import models
from components.chosen import chosen
from components.ladder import ladder
from components.ladder.exports import numbers, picture
from components.takeaway import panel_bar
from components.theme import BERT
from components.words import msg, t
from models.trace import Lens
from pages.filling.asking import Asking
from pages.filling.blanks import chosen_blank

TITLE = msg("Layer by layer")
LADDER = "fill_ladder"


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
    sentence = asking.sentence
    found = asking.once(
        "lens",
        (sentence, blank),
        lambda check: models.lens(asking.model, sentence, blank, check=check),
    )
    last = len(found.layers) - 1
    asked = st.query_params.get("layer", "")
    layer = chosen(LADDER, "layer", len(found.layers), link=asked, base=0, otherwise=last)
    words = asking.prediction.words
    ladder(found, key=LADDER, colour=BERT.mark, words=words, layer=layer)
    _take_away(asking, found, blank, layer)


def _take_away(asking: Asking, found: Lens, blank: int, layer: int) -> None:
    panel_bar(
        key="layers",
        title=t(TITLE),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(found, BERT.mark, asking.prediction.words),
        link=asking.link("layers", blank=str(blank + 1), layer=str(layer)),
        about=found.provenance,
        how=t(
            "The state at the mask after each layer goes through the model’s own output head, and "
            "a softmax over the full vocabulary follows (logit lens)."
        ),
    )
