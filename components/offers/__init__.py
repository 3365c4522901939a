"""Sentences to try with one click: what is chosen becomes the sentence of the strip."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

import streamlit as st

from components.register import register
from components.words import t
from models.trace import Sentence

_offers = register("offers", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


def offers(
    sentences: Sequence[Sentence],
    labels: Sequence[str] = (),
    *,
    key: str,
    strip: str,
    on_taken: Callable[[int], None] | None = None,
) -> None:
    """Draw one button for each sentence.

    Args:
        sentences: What the strip gets.
        labels: What the buttons say; by default the sentence with its blanks.
        key: A name of its own in the session.
        strip: The key of the sentence strip.
        on_taken: Called with the number of the sentence that was chosen, before the page runs.
    """

    def taken() -> None:
        number = st.session_state[key].taken
        if on_taken and type(number) is int and 0 <= number < len(sentences):  # browsers send all
            on_taken(number)

    _offers(
        key=key,
        data={
            "serial": next(_serial),
            "label": t("Try:"),
            "strip": strip,
            "tells": on_taken is not None,
            "offers": [_offer(each, label) for each, label in zip(sentences, labels, strict=True)]
            if labels
            else [_offer(each) for each in sentences],
        },
        on_taken_change=taken,
    )


def _offer(sentence: Sentence, label: str = "") -> dict[str, object]:
    hidden = [list(span) for span in sentence.hidden]
    return {"label": label, "sentence": {"text": sentence.text, "hidden": hidden}}
