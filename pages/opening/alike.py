"""Positions grow alike: without feed-forward networks, and without skip connections."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

import models
from components.plots import Line, Lines, plot
from components.plots import exports as plotted
from components.rows import Row, Rows, rows
from components.shares import joined, rare
from components.takeaway import origin, panel_bar
from components.theme import BERT
from components.words import fixed, msg, number, percent, t
from models.trace import Alike, BlockTests, BlockWay
from pages.filling.asking import Check
from pages.opening import stored
from pages.opening.asking import Opening

TITLE = msg("Positions grow alike")
WAYS: Mapping[BlockWay, tuple[str, str, str]] = {
    "trained": (msg("As trained"), "", "solid"),
    "no ffn": (msg("No feed-forward"), "#B06500", "dash"),
    "no skip ffn": (msg("No skip around feed-forward"), "#6B4FA3", "dot"),
    "no skip attention": (msg("No skip around attention"), "#2C8A57", "dashdot"),
    "no skips": (msg("No skips at all"), "#B3261E", "longdash"),
}
"""Name, colour ("" for the architecture's), dash; in the order of the measurement."""
COMPARED = ("bert-v", "bert-v-seed1", "bert-v-seed2", "bert-v-no-ffn", "bert-v-attention")
TRAINED = ("bert-v", "bert-v-no-ffn", "bert-v-attention")


def show(opening: Opening) -> None:
    """Both measures by layer, the answers, and the trained variants."""

    def question(check: Check) -> Alike:
        return models.block_alike(opening.model, opening.sentence, opening.blank, check)

    found = opening.once("alike", None, question)
    st.markdown(headline(found))
    drawn = [
        by_layer(found, found.residual, t("What is left without the mean of all positions"),
                 opening),
        by_layer(found, found.cosine, t("Mean cosine of two positions"), opening),
    ]  # fmt: skip
    for column, each, name in zip(
        st.columns(2, gap="large"), drawn, ("left", "cosine"), strict=True
    ):
        with column:
            plot(each, key=f"block_alike_{name}", alt=alt(each))
    table = answers(found)
    rows([table], key="block_alike_answers", colour=opening.colour)
    panel_bar(
        key="block_alike",
        title=t(TITLE),
        numbers=lambda: plotted.numbers(drawn),
        code=found.snippet,
        picture=lambda: plotted.picture(t(TITLE), drawn, origin(found.provenance)),
        link=opening.link("alike"),
        about=found.provenance,
        how=t(
            "Left: the mean over positions of ‖x − mean‖ / ‖x‖; 0 if all positions are the same "
            "(Dong et al. 2021). Right: the mean cosine of two different positions; a direction "
            "that all states share inflates it (Ethayarajh 2019). Switched off in every layer of "
            "the trained model, which never learned to do without; norms stay."
        ),
    )
    found_tests = models.block_tests()
    if found_tests is not None:
        _trained(found_tests)
    stored.show("alike", opening, COMPARED)


def by_layer(found: Alike, values: np.ndarray, title: str, opening: Opening) -> Lines:
    """One line for each way."""
    lines = [
        Line(t(name), stored.steps(values.shape[1]), row, colour or opening.colour.mark, dash)
        for (name, colour, dash), row in zip(WAYS.values(), values, strict=True)
    ]
    return Lines(title, t("Layer"), t("Share") if values is found.residual else t("Cosine"), lines)


def alt(drawn: Lines) -> str:
    """Where each line begins and ends."""
    return " ".join(
        t(
            "{name}: from {first} to {last}.",
            name=line.name,
            first=fixed(float(line.y[0]), 2),
            last=fixed(float(line.y[-1]), 2),
        )
        for line in drawn.lines
    )


def headline(found: Alike) -> str:
    """What is left at the top, as trained and without each part."""
    trained, ffn, *_, skips = found.residual[:, -1].tolist()
    return t(
        "At the top, what a state does not share with all others is {trained} of its length. "
        "Without feed-forward networks it is {ffn}, without skip connections {skips}.",
        trained=percent(trained),
        ffn=percent(ffn),
        skips=percent(skips),
    )


def answers(found: Alike) -> Rows:
    """What becomes of the answer under each way."""
    word = joined(found.followed.word)
    listed = [
        Row(
            t(name),
            float(np.exp(log_p)),
            rare(float(np.exp(log_p))),
            note=t("{word} {share}", word=joined(best), share=rare(best.probability)),
            strong=way == "trained",
        )
        for (way, (name, _, _)), log_p, best in zip(
            WAYS.items(), found.log_p, found.best, strict=True
        )
    ]
    title = t("What becomes of the answer")
    return Rows(title, listed, (t("Way"), t("“{word}”", word=word), t("Best answer")))


def _trained(found: BlockTests) -> None:
    """Of the trained variants, by layer, each to its own depth."""
    lines = []
    names = [name for name in TRAINED if name in found.residual]
    if len(names) < 2:
        return
    for name, dash in zip(names, ("solid", "dash", "dot"), strict=False):
        draws = found.by_layer(name)
        low, high = np.percentile(draws[1:], [2.5, 97.5], axis=0)
        x = np.linspace(0, 1, draws.shape[1])
        lines.append(Line(stored.named(name), x, draws[0], BERT.mark, dash, low, high))
    count = number(len(found.residual[names[0]]))
    drawn = Lines(
        t("Trained so: what is left without the mean (n = {count} passages)", count=count),
        t("Depth: from the embeddings (0) to the top (1)"),
        t("Share"),
        lines,
    )
    plot(drawn, key="block_alike_trained", alt=alt(drawn))
