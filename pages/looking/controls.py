"""Which model, which second sentence, which kind of attention."""

from __future__ import annotations

import streamlit as st

import models
from components.words import msg, t
from models.catalog import ModelFacts
from models.settings import settings
from models.trace import AttentionKind
from pages.filling.linked import follow

MODEL, PAIR, KIND = "attention_model", "attention_pair", "attention_kind"
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
    facts = {each.name: each for each in models.bundled()}
    if not facts:
        raise models.Refusal(settings().default_model)
    _follow("model", MODEL, tuple(facts))
    if st.session_state.get(MODEL) not in facts:
        st.session_state[MODEL] = next(iter(facts))
    if len(facts) > 1:
        st.selectbox(t("Model"), list(facts), key=MODEL, width=220, persist_state="session")
    return facts[st.session_state[MODEL]]


def choose_pair(model: ModelFacts) -> str | None:
    """A second sentence, for models that read two."""
    if model.objective != "masked":
        return None
    if (linked := follow("pair")) is not None:
        st.session_state[PAIR] = linked
    st.session_state.setdefault(PAIR, "")
    typed = st.text_input(
        t("Second sentence (optional)"),
        key=PAIR,
        placeholder=t("Second sentence (optional)"),
        label_visibility="collapsed",
        width=420,
        max_chars=settings().max_characters,
        persist_state="session",
    )
    # A browser may send anything: the limit above is only its own.
    return typed[: settings().max_characters] if typed.strip() else None


def choose_kind(model: ModelFacts) -> AttentionKind | None:
    """The kind of attention, where a model has several; None for its only one."""
    if model.objective != "denoising":
        return None
    _follow("attention", KIND, tuple(KINDS))
    if st.session_state.get(KIND) not in KINDS:
        st.session_state[KIND] = "encoder"
    chosen: AttentionKind | None = st.segmented_control(
        t("Kind of attention"),
        list(KINDS),
        format_func=lambda kind: t(KINDS[kind]),
        key=KIND,
        required=True,
        persist_state="session",
    )
    return chosen


def _follow(parameter: str, key: str, possible: tuple[str, ...]) -> None:
    linked = follow(parameter)
    if linked in possible:
        st.session_state[key] = linked
