"""How a masked model learns: words are hidden by chance, and only there it is told its loss."""

from __future__ import annotations

import streamlit as st

import models
from components.loss import loss
from components.loss.exports import numbers, picture
from components.takeaway import panel_bar
from components.theme import BERT
from components.words import msg, percent, t
from models.trace import Corruption
from pages.filling.asking import Asking
from pages.filling.seed import seed_of_draw, set_by_link

TITLE = msg("How it learned")
SEED, RATE = "fill_seed", "fill_rate"
RATES = range(5, 65, 5)
"""Per cent of the tokens."""
USUAL = 15


def show(asking: Asking) -> None:
    """Draw the section."""
    st.markdown(
        t(
            "While BERT learns, it meets sentences like this: some positions are selected by "
            "chance, and the loss counts only those. Of them 80% are masked, 10% replaced by a "
            "random word and 10% kept, since no text in use has masks: the model must not learn "
            "that only masks need an answer (Devlin et al. 2018)."
        )
    )
    seed, rate = _controls()
    text = asking.sentence.text
    found = asking.once(
        "loss",
        (text, seed, rate),
        lambda check: models.corrupt(asking.model, text, seed, rate / 100, check=check),
    )
    words = asking.prediction.words
    loss(found, key="fill_loss", colour=BERT.mark, words=words)
    if found.selected:
        _take_away(asking, found, {"seed": str(seed), "rate": str(rate)})


def _controls() -> tuple[int, int]:
    """The seed and the rate, in per cent, as a link or the visitor sets them."""
    set_by_link("rate", RATE, RATES, USUAL)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        seed = seed_of_draw(SEED)
        rate = st.select_slider(
            t("Selected on average"),
            RATES,
            format_func=lambda each: t("{share} of the tokens", share=percent(each / 100)),
            key=RATE,
            width=280,
            persist_state="session",
        )
    return seed, rate


def _take_away(asking: Asking, found: Corruption, at: dict[str, str]) -> None:
    panel_bar(
        key="loss",
        title=t(TITLE),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(found, BERT.mark, asking.prediction.words),
        link=asking.link("loss", **at),
        about=found.provenance,
        how=t(
            "Each token is selected by itself with this probability, and at least one always. The "
            "loss is the mean of −ln p of the selected tokens, as in training; a softmax over the "
            "full vocabulary."
        ),
    )
