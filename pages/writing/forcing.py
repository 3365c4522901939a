"""A given target: what the decoder makes of it token by token, beside what it writes by itself."""

from __future__ import annotations

import streamlit as st

import models
from components.draft.exports import picture
from components.forced import forced
from components.forced.exports import numbers
from components.takeaway import panel_bar
from components.theme import ENCODER_DECODER
from components.words import msg, t
from models.settings import settings
from models.trace import Writing
from pages.filling.linked import follow
from pages.writing.asking import Page
from pages.writing.tasks import TASKS

TITLE = msg("Free, and along a given target")
TARGET, SUGGESTED = "write_target", "write/suggested"


def show(page: Page, free: Writing) -> None:
    """The target, the table and its bar."""
    st.subheader(t(TITLE), anchor=False)
    st.markdown(
        t(
            "In training the decoder is given the true tokens, whatever it would have written "
            "(teacher forcing). Left alone, it reads its own: one wrong token, and all that "
            "follows is read after it."
        )
    )
    target = _target(page, free)
    if not target.strip():
        st.info(t("Type what should be written."))
        return
    given = page.once(
        "forced", target, lambda check: models.force(page.model, page.sentence, target, check)
    )
    forced(given, free, key="write_forced", colour=ENCODER_DECODER.mark)
    tokens = [step.token for step in given.steps]
    panel_bar(
        key="forced",
        title=t(TITLE),
        numbers=lambda: numbers(given, free),
        code=given.snippet,
        picture=lambda: picture(
            [], tokens, [False] * len(tokens), ENCODER_DECODER.mark, given.provenance
        ),
        link=page.link(target=target),
        about=given.provenance,
        how=t(
            "One pass of the decoder over the whole target: at each place it knows the source and "
            "the true tokens before. p is the probability of the given token there; beside it "
            "stands the most probable one. ln p of a text is the sum over its tokens, its end "
            "among them."
        ),
    )


def _target(page: Page, free: Writing) -> str:
    """What should be written: the visitor's own, else what suits the task."""
    suggestion = suggested(page, free)
    if (linked := follow("target", "write")) is not None:
        st.session_state[TARGET] = linked
    elif st.session_state.get(TARGET, "") == st.session_state.get(SUGGESTED, ""):
        # The visitor has not touched the field: it keeps up with the sentence.
        st.session_state[TARGET] = suggestion
    st.session_state[SUGGESTED] = suggestion
    typed = st.text_input(
        t(TASKS[page.task].target),
        key=TARGET,
        live="300ms",
        max_chars=settings().max_characters,
        persist_state="session",
    )
    return typed[: settings().max_characters]


def suggested(page: Page, free: Writing) -> str:
    """The whole sentence where words are hidden; of a date its reading; else the model's own."""
    if page.task in ("gaps", "verse"):
        return page.sentence.text.replace("[MASK]", "").strip()
    if page.task == "dates" and (readings := models.date_readings(page.sentence.text)):
        other = (each.iso for each in readings if each.iso != free.text)
        return next(other, readings[0].iso)
    return free.text
