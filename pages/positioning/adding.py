"""Why added: adding is concatenating with tied halves, and what untied halves could do more."""

from __future__ import annotations

import numpy as np
import streamlit as st

import models
from components.plots import NEUTRAL, Grid, Line, Lines, Plot, plot
from components.plots.exports import numbers, picture
from components.takeaway import origin, panel_bar
from components.tokens.marks import to_marks
from components.verdicts import verdicts
from components.words import msg, number, percent, t
from models.placed import added_verdicts
from models.trace import Added, Sentence
from pages.choosing.model import Chosen
from pages.choosing.reading import foreign
from pages.positioning.asking import chosen_model, colour_of, judged, once

TITLE = msg("Why added, not concatenated")
COLUMNS = 64
"""Of the outputs, as many as the map shows."""
CLAIMS = {
    "tied": (
        msg("Adding is concatenating with tied halves: W(x + p) = [W W][x; p]."),
        msg("an identity; both computed in float32"),
    ),
    "room": (
        msg("Words keep out of the positions’ directions, so that adding loses little: less of "
            "their variance lies there than in as many random directions."),
        msg("control: random directions"),
    ),
}  # fmt: skip


def show(sentence: Sentence) -> None:
    """Both forms on the sentence, then what they leave to each other."""
    chosen = chosen_model()
    text = sentence.text.strip()
    if not text:
        st.info(t("Type an English sentence, or choose an example."))
        return
    if told := foreign(chosen.facts, text):
        st.info(told)
    name = chosen.name
    found = once(
        "added", (name, text), lambda _: models.added(name, text), t("Loading the model …")
    )
    if found is None:
        return
    if found.kind == "none" or not found.tokens:
        st.info(t("All position vectors of this model are 0. Choose another model."))
        return
    plots = _plots(chosen, found)
    columns = st.columns(2, gap="medium")
    for i, (drawn, column) in enumerate(zip(plots[:2], columns, strict=True)):
        with column:
            plot(drawn, key=f"positions_added_{i}", alt=_same(found), height=280)
    st.markdown(_same(found))
    plot(plots[2], key="positions_added_room", alt=_room(found), height=300)
    st.markdown(_room(found))
    draws = t("{draws} random sets of directions", draws=number(len(found.chance)))
    verdicts(judged(added_verdicts(found), CLAIMS, "%", draws), key="positions_added_verdicts")
    panel_bar(
        key="positions_added",
        title=t(TITLE),
        numbers=lambda: numbers(plots),
        code=found.snippet,
        picture=lambda: picture(t(TITLE), plots, origin(found.provenance)),
        link={"section": "adding", "model": name, "text": to_marks(sentence)},
        about=found.provenance,
        how=t(
            "W is the query matrix of layer 1, x the word’s vector, p the position’s. Directions: "
            "the positions’ principal ones. Word vectors: up to 4,000 of the vocabulary, seed 0. "
            "Random directions: orthonormal, seed 0; their spread is one standard deviation."
        ),
    )
    _more()


def _plots(chosen: Chosen, found: Added) -> list[Plot]:
    rows = [f"{i} {token}" for i, token in enumerate(found.tokens)]
    outputs = np.arange(1, min(COLUMNS, found.added.shape[1]) + 1)
    maps: list[Plot] = [
        Grid(title, t("Output"), t("Token"), values[:, : len(outputs)].astype(float), outputs, rows)
        for title, values in (("W(x + p)", found.added), ("[W W][x; p]", found.concatenated))
    ]
    at = np.arange(1, len(found.words_held) + 1)
    mean, spread = found.chance.mean(0), found.chance.std(0, ddof=1)
    lines = [
        Line(t("positions"), at, found.positions_held, colour_of(chosen).mark),
        Line(t("words"), at, found.words_held, colour_of(chosen).mark, "dash"),
        Line(t("words, in random directions"), at, mean, NEUTRAL, "dot", mean - 2 * spread,
             mean + 2 * spread),
    ]  # fmt: skip
    room = Lines(t("How much of the variance lies in the positions’ first directions"),
                 t("Directions"), t("Share of the variance"), lines, shares=True)  # fmt: skip
    return [*maps, room]


def _same(found: Added) -> str:
    return t(
        "Largest difference of the two: {difference}, of numbers up to {largest}.",
        difference=f"{found.difference:.2g}",
        largest=number(float(np.abs(found.added).max()), 1),
    )


def _room(found: Added) -> str:
    at = found.dimensions
    return t(
        "{count} of {width} directions hold nine tenths of what positions are. There lie {words} "
        "of what words are; in as many random directions {chance}. Concatenated, each would have "
        "directions of its own, and the first matrix twice as many weights.",
        count=number(at),
        width=number(len(found.words_held)),
        words=percent(float(found.words_held[at - 1])),
        chance=percent(float(found.chance[:, at - 1].mean())),
    )


def _more() -> None:
    """What the literature adds; folded away."""
    with st.expander(t("What concatenation could do more")):
        st.markdown(
            t(
                "Concatenated, a layer computes W₁x + W₂p with two matrices: it can weigh word and "
                "position each in its own way, even drop one of them. Added, W₁ = W₂ = W: it can "
                "do so only as far as words and positions lie in different directions, as the "
                "curves show. Positions were learned and added before BERT (Gehring et al. 2017); "
                "what different ways of making them learn is compared by Wang & Chen (2020). In "
                "BERT a LayerNorm follows the sum, which scales word and position together; in the "
                "Transformer of 2017 the word’s vector is multiplied by √d first, so that the "
                "position does not drown it."
            )
        )
