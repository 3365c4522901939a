"""Neighbours of a word: whose vectors point the same way."""

from __future__ import annotations

import streamlit as st

import models
from components.pictures import Bar, Group, Svg, bar_chart
from components.takeaway import Column, Table, origin, panel_bar
from components.verbatim import verbatim
from components.words import fixed, msg, number, t
from models.trace import Neighbours
from pages.filling.linked import follow
from pages.probing.asking import Probing

TITLE = msg("Neighbours of a word")
WORD = "probing_word"
LONGEST = 60


def show(probing: Probing) -> None:
    """The word, its neighbours, the bar."""
    word = _choose(probing)
    found = probing.once("words", word, lambda _: models.neighbours(probing.name, word))
    if found is None:
        if not word.strip():
            st.info(t("Type a word."))
        return
    told = t(
        "Cosine of the input vectors. With all entries it is {mean} on the mean.",
        mean=fixed(found.mean, 3),
    )
    if len(found.pieces) > 1:
        pieces = t(", ").join(found.pieces)
        told += " " + t("The word has several pieces, {pieces}: their mean is used.", pieces=pieces)
    st.caption(verbatim(told))
    st.dataframe(
        {
            t("Word"): [each.text for each in found.nearest],
            t("Cosine"): [each.cosine for each in found.nearest],
            t("Number of the entry"): [each.id for each in found.nearest],
        },
        hide_index=True,
        column_config={
            t("Cosine"): st.column_config.ProgressColumn(
                t("Cosine"), format="%.3f", min_value=0.0, max_value=1.0
            )
        },
    )
    panel_bar(
        key="probing_words",
        title=t("Neighbours of “{word}”", word=found.word),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(found, probing.colour.mark),
        link=probing.link(section="words", word=word),
        about=found.provenance,
        how=t(
            "Every entry of the vocabulary but special and unused ones, by the cosine of its "
            "input vector with the word’s. Vectors that all lie in a narrow cone have large "
            "cosines with everything: hence the mean beside it."
        ),
    )


def _choose(probing: Probing) -> str:
    if linked := follow("word", WORD):
        st.session_state[WORD] = linked
    longest = max(probing.text.split(), key=len, default="").strip(".,!?;:。，「」")
    st.session_state.setdefault(WORD, longest[:LONGEST])
    typed: str = st.text_input(
        t("Word"), key=WORD, max_chars=LONGEST, width=320, persist_state="session"
    )
    return typed[:LONGEST]


def numbers(found: Neighbours) -> Table:
    """One row for each neighbour."""
    return Table(
        [Column("rank", t("Rank"), number), Column("word", t("Word")),
         Column("id", t("Number of the entry"), str),
         Column("cosine", t("Cosine"), lambda value: f"{value:.4f}")],
        [(i, each.text, each.id, each.cosine) for i, each in enumerate(found.nearest, 1)],
        note=t("Mean cosine with all entries: {mean}.", mean=fixed(found.mean, 4)),
    )  # fmt: skip


def picture(found: Neighbours, colour: str) -> Svg:
    """Bars for paper."""
    bars = [Bar(each.text, max(0.0, each.cosine), fixed(each.cosine, 3)) for each in found.nearest]
    title = t("Neighbours of “{word}”", word=found.word)
    return bar_chart(title, [Group(t("Cosine"), bars)], full=1.0, axis="1", colour=colour,
                     footnote=origin(found.provenance))  # fmt: skip
