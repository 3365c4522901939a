"""Which model, which second sentence, which kind of attention."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st

import models
from components.verbatim import verbatim
from components.words import msg, t
from models.catalog import ModelFacts
from models.settings import settings
from models.trace import AttentionKind
from pages.choosing import model as choosing
from pages.filling.linked import follow

MODEL, PAIR = "attention_model", "attention_pair"
KIND, TARGET = "attention_kind", "attention_target"
Name = TypeVar("Name", bound=str)
WRITING = ("denoising", "translation")
"""Models that read one text and write another: an encoder and a decoder."""
KINDS: dict[AttentionKind, str] = {
    "encoder": msg("Encoder: source to source"),
    "decoder": msg("Decoder: target to target"),
    "cross": msg("Cross: target to source"),
}


def choose_model() -> ModelFacts:
    """The model to look into; with one alone there is nothing to choose.

    Raises:
        Refusal: There is none.
    """
    chosen = choosing.choose_model(MODEL, suits=lambda _: True)
    if chosen.notice:
        st.info(verbatim(chosen.notice))
    if chosen.facts is None:
        raise models.Refusal(chosen.name)
    return chosen.facts


def choose_pair(model: ModelFacts) -> str | None:
    """A second sentence, for models that read two."""
    if model.objective != "masked":
        return None
    return _optional("pair", PAIR, t("Second sentence (optional)"))


def choose_target(model: ModelFacts, kind: AttentionKind | None) -> str | None:
    """What the decoder reads, where the visitor says so; the encoder does not see it."""
    if kind not in ("decoder", "cross") or model.objective not in WRITING:
        return None
    by_default = {
        "denoising": t("What the decoder reads (empty: the sentence itself)"),
        "translation": t("What the decoder reads (empty: what it writes by itself)"),
    }
    return _optional("target", TARGET, by_default[model.objective])


def _optional(parameter: str, key: str, label: str) -> str | None:
    """A line of text that may be left empty; a link says it by its parameter."""
    if (linked := follow(parameter)) is not None:
        st.session_state[key] = linked
    st.session_state.setdefault(key, "")
    typed = st.text_input(
        label,
        key=key,
        placeholder=label,
        label_visibility="collapsed",
        width=420,
        max_chars=settings().max_characters,
        persist_state="session",
    )
    # A browser may send anything: the limit above is only its own.
    return typed[: settings().max_characters] if typed.strip() else None


def choose_kind(model: ModelFacts) -> AttentionKind | None:
    """The kind of attention, where a model has several; None for its only one."""
    if model.objective not in WRITING:
        return None
    return one_of(t("Kind of attention"), "attention", KIND, KINDS)


def one_of(label: str, parameter: str, key: str, possible: Mapping[Name, str]) -> Name:
    """One of a few, the first if nobody says which; a link says it by its name.

    Args:
        label: Of the choice, in the visitor's language.
        parameter: Of the link.
        key: Of the widget.
        possible: What each name stands for, not translated yet.
    """
    linked = follow(parameter)
    kept = linked if linked in possible else st.session_state.get(key)
    st.session_state[key] = kept if kept in possible else next(iter(possible))
    chosen: Name | None = st.radio(  # other choices of one have too little contrast
        label,
        list(possible),
        format_func=lambda name: t(possible[name]),
        key=key,
        horizontal=True,
        persist_state="session",
    )
    return chosen or next(iter(possible))
