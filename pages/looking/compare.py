"""Compare: the open head on another sentence, or beside the heads of another model."""

from __future__ import annotations

import streamlit as st

import models
from components.alike import alike
from components.alike.exports import numbers, picture
from components.takeaway import panel_bar
from components.words import msg, t
from models.catalog import ModelFacts
from models.settings import settings
from models.trace import Likeness, Sentence
from pages.comparing.links import RECURRENT
from pages.filling.asking import Check
from pages.filling.linked import follow
from pages.looking.asking import KEY, Looking
from pages.looking.controls import WRITING, one_of
from pages.looking.opened import chosen

TITLE = msg("Compare")
AGAINST, OTHER, SENTENCE, WHICH = (
    f"attention_{name}" for name in ("against", "other", "other_sentence", "which")
)
WAYS = {"model": msg("Another model"), "sentence": msg("Another sentence")}
HEADS = {"match": msg("The most like it"), "same": msg("In the same place")}


def show(looking: Looking) -> None:
    """What to compare with, both heads, and their bar."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        others = _others(looking)
        way = one_of(t("Against"), "against", AGAINST, WAYS) if others else "sentence"
        model = _model(others) if way == "model" else looking.model
        text = _sentence() if way == "sentence" else None
        which = one_of(t("Which head of it"), "which", WHICH, HEADS)
    if text is not None and not text.strip():
        st.info(t("Type another sentence, and see whether the open head does the same there."))
        return
    sentence = looking.sentence if text is None else Sentence(text)
    found = _ask(looking, model, sentence, which == "match")
    if found is None:
        st.info(t("The two have no word in common: there is nothing to compare."))
        return
    layer, head = found.heads[0]
    link = {
        "section": "compare",
        "head": f"{layer + 1}.{head + 1}",
        "against": way,
        "which": which,
        **({"other": model} if text is None else {"versus": text}),
    }
    alike(
        found,
        key="attention_alike",
        follows=KEY,
        colour=looking.colour,
        link=st.query_params.to_dict(),
    )
    panel_bar(
        key="alike",
        title=t(TITLE),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(found, looking.colour),
        link=looking.link(**link),
        about=list(dict.fromkeys(found.about)),
        how=t(
            "Both are compared by whole words: weights to the pieces of a word are summed, those "
            "from them averaged. Equal words stand side by side, and between them what differs, in "
            "pairs. The distance of two heads is the mean Jensen–Shannon divergence of the rows "
            "that both have, in bits; all weight on words without a counterpart counts as one "
            "share."
        ),
    )


def _ask(looking: Looking, model: str, sentence: Sentence, match: bool) -> Likeness | None:
    at, found = chosen(looking).heads[-1], looking.found

    def question(check: Check) -> Likeness | None:
        return models.likeness(
            looking.model, found.reads, found.kind, at, model, sentence, match, check
        )

    return looking.once("alike", (at, model, sentence, match), question, st.empty())


def _others(looking: Looking) -> dict[str, ModelFacts]:
    """Models with attention of the kind that is shown; cross attention has an encoder-decoder."""
    cross = looking.found.kind == "cross"
    return {
        each.name: each
        for each in models.bundled()
        if each.name != looking.model
        and each.family not in RECURRENT
        and (each.objective in WRITING or not cross)
    }


def _model(others: dict[str, ModelFacts]) -> str:
    if (linked := follow("other")) in others:
        st.session_state[OTHER] = linked
    if st.session_state.get(OTHER) not in others:
        st.session_state[OTHER] = next(iter(others))
    return str(
        st.selectbox(t("Other model"), list(others), key=OTHER, width=220, persist_state="session")
    )


def _sentence() -> str:
    if (linked := follow("versus")) is not None:
        st.session_state[SENTENCE] = linked
    st.session_state.setdefault(SENTENCE, "")
    label = t("Another sentence")
    typed = st.text_input(
        label,
        key=SENTENCE,
        placeholder=t("Type another sentence; [MASK] hides a word"),
        width=420,
        max_chars=settings().max_characters,
        persist_state="session",
    )
    return typed[: settings().max_characters]
