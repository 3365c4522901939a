"""Attention: every head of a model on a sentence, one of them exactly, and what silencing does."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

import models
from components.answers.notices import not_ready, too_busy
from components.heads import heads
from components.heads.exports import numbers, picture
from components.offline.heads import all_heads_page
from components.present import carried, station
from components.routes import first_route
from components.takeaway import panel_bar
from components.tokens import sentence_strip
from components.tokens.marks import from_marks, to_marks
from components.verbatim import verbatim
from components.words import t
from models.settings import settings
from models.trace import Sentence
from pages.looking import closer, effect, one
from pages.looking.asking import KEY, Looking, look
from pages.looking.controls import choose_kind, choose_model, choose_pair, choose_target
from pages.looking.length import Part, choose_part
from pages.looking.opened import chosen

# The sentence that opens the page, and others where heads have something to do: words that come
# twice, words of several pieces, a pronoun.
EXAMPLES = (
    from_marks("The chef who ran to the store was out of [[food]]."),
    from_marks("The dog chased the cat because [[it]] was hungry."),
    from_marks("The lighthouse keeper [[lives]] in the old lighthouse."),
)


def every_head(looking: Looking) -> None:
    """All heads as thumbnails; which one is open only the browser and the fragment know."""
    found = looking.found
    heads(
        found,
        key=KEY,
        colour=looking.colour,
        opened=chosen(looking).heads,
        link=st.query_params.to_dict(),
    )
    panel_bar(
        key="heads",
        title=t("All heads"),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(found, looking.colour),
        page=lambda: page_of(looking),
        link=looking.link(),
        about=found.provenance,
        how=t(
            "One pass of the model, every weight recorded. For the thumbnails each row is sent as "
            "one byte for each weight and one scale: it is off by at most 1/510 of the row’s "
            "largest weight. The open head is sent exactly."
        ),
    )


def page_of(looking: Looking) -> str:
    """All heads as a file, with the open one exactly, token by token."""
    picked = chosen(looking).heads
    shown = one.plain(looking, picked)
    return all_heads_page(looking.found, shown, looking.text, looking.colour)


def attention(sentence: Sentence) -> None:
    """The controls, then all heads beside the open one."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        model = choose_model()
        pair = choose_pair(model)
        kind = choose_kind(model)
        target = choose_target(model, kind)
    if not sentence.text.strip():
        st.info(t("Type an English sentence, or choose an example."))
        return
    part = (
        Part(sentence) if pair is not None or target is not None else choose_part(model, sentence)
    )
    looking = look(model, part, pair, kind, target, sentence)
    if looking.cut:
        words = looking.cut
        told = t("This is longer than the model reads at once. Not read: “{words}”", words=words)
        st.info(verbatim(told))
    every, opened = st.columns([5, 6], gap="medium")
    with every:
        station("heads", t("All heads"))
        every_head(looking)
    with opened:
        station("head", t("One head"))
        one.show(looking)
    with every:  # the maps are there at once, and the effects when they are measured
        effect.show(looking)
    station("closer", t("Look closer"))
    closer.show(looking)


def offer_visibility(sentence: Sentence) -> None:
    """What there is instead for a model without attention, if that page is there."""
    if first_route(["sees"]):
        label = t("Who sees what, measured in every model")
        st.page_link(
            Path(__file__).with_name("sees.py"),
            label=f":primary[{label} →]",
            query_params={"text": to_marks(sentence), **carried()},
        )


station("sentence", t("The sentence"))
st.title(t("Attention"))
st.markdown(
    t(
        "Every head shares out its attention in its own way. Where it looks is not yet what the "
        "answer rests on."
    )
)
strip = sentence_strip(
    EXAMPLES[0],
    key="attention",
    limit=settings().max_characters,
    examples=EXAMPLES,
    link=st.query_params.get("text", ""),
)
try:
    attention(strip)
except models.Cancelled:
    st.stop()  # a newer run of this page asks something newer
except models.TooBusy:
    st.info(too_busy())
except models.CannotTrace:
    st.info(
        t(
            "This model has no attention that could be shown. ELMo, for one, reads with recurrent "
            "layers (LSTMs): each word meets only what the layer has carried along from the words "
            "before it. Choose another model."
        )
    )
    offer_visibility(strip)
except models.Refusal as error:
    st.info(verbatim(not_ready(error.name)))
