"""Many heads: silenced one after another on this sentence; 1, 2, 4 and 8 of them trained."""

from __future__ import annotations

import numpy as np
import streamlit as st

import models
from components.heads.kinds import head_name
from components.plots import NEUTRAL, Line, Lines, plot
from components.plots import exports as plotted
from components.shares import joined
from components.takeaway import Column, Table, origin, panel_bar
from components.theme import ARCHITECTURES, BERT
from components.words import fixed, msg, number, t
from models.trace import BlockTests, Silenced
from pages.filling.asking import Check
from pages.opening import stored
from pages.opening.alike import alt
from pages.opening.asking import Opening

TITLE = msg("Many heads")
COMPARED = (
    "bert-v-1-head", "bert-v-2-heads", "bert-v", "bert-v-8-heads", "bert-v-seed1", "bert-v-seed2",
)  # fmt: skip
TESTED = ("bert-s-en", "gpt-s-en")


def show(opening: Opening) -> None:
    """Both orders on this sentence, then on held-out text, then trained head counts."""

    def question(check: Check) -> Silenced:
        return models.block_heads(opening.model, opening.sentence, opening.blank, check)

    found = opening.once("heads", None, question)
    st.markdown(headline(found))
    drawn = curves(found, opening)
    plot(drawn, key="block_heads_live", alt=alt(drawn))
    panel_bar(
        key="block_heads",
        title=t(TITLE),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: plotted.picture(headline(found), [drawn], origin(found.provenance)),
        link=opening.link("heads"),
        about=found.provenance,
        how=t(
            "Every head is silenced by itself first (its output is 0); that gives the order. Then "
            "more and more are silent together. The order is chosen on the very answer that is "
            "measured, so the upper curve flatters: on held-out text, below, order and loss come "
            "from different passages (Michel et al. 2019)."
        ),
    )
    tests = models.block_tests()
    if tests is not None:
        _stored_curves(tests)
    stored.show("heads", opening, COMPARED)


def headline(found: Silenced) -> str:
    """How far one can go before the answer is half as probable."""
    plain = float(found.least_first[0])
    half = plain - float(np.log(2))
    # Beyond this many heads the answer has lost half of its probability.
    fine = [c for c, value in zip(found.counts, found.least_first, strict=True) if value >= half]
    most = max(fine, default=0)
    return t(
        "Of {count} heads, {fine} can fall silent, the least useful first, and “{word}” still has "
        "half of its probability. The most useful is {head}: without it alone, {nats} nats.",
        count=number(found.counts[-1]),
        fine=number(most),
        word=joined(found.followed.word),
        head=head_name(*found.order[-1]),
        nats=fixed(float(found.alone.min()), 2),
    )


def curves(found: Silenced, opening: Opening) -> Lines:
    """Log p of the word by how many heads are silent."""
    counts, colour = np.array(found.counts), opening.colour.mark
    return Lines(
        t("log p of “{word}” on this sentence", word=joined(found.followed.word)),
        t("Heads silenced"),
        t("log p (nats)"),
        [
            Line(t("The least useful first"), counts, found.least_first, colour),
            Line(t("The most useful first"), counts, found.most_first, colour, "dash"),
        ],
    )


def numbers(found: Silenced) -> Table:
    """The effect of each head, then both curves."""
    alone = [
        ("alone", layer, head, 1, float(value))
        for (layer, head), value in np.ndenumerate(found.alone)
    ]
    rows = [
        (name, None, None, silent, float(value))
        for name, values in (("least first", found.least_first), ("most first", found.most_first))
        for silent, value in zip(found.counts, values, strict=True)
    ]
    return Table(
        columns=[
            Column("order", t("Order")),
            Column("layer", t("Layer")),
            Column("head", t("Head")),
            Column("silent", t("Heads silenced"), number),
            Column("nats", t("Nats"), lambda value: fixed(value, 3)),
        ],
        rows=[*alone, *rows],
        note=t(
            "“alone”: change of log p of “{word}” when this head is silent; then log p itself.",
            word=joined(found.followed.word),
        ),
    )


def _stored_curves(found: BlockTests) -> None:
    """Loss on held-out passages by how many heads are silent."""
    names = [name for name in TESTED if name in found.silenced]
    for column, name in zip(st.columns(max(1, len(names)), gap="large"), names, strict=False):
        kept, mark = found.silenced[name], ARCHITECTURES.get(name.partition("-")[0], BERT).mark
        lines = []
        for which, title, colour, dash in (
            ("least_first", t("The least useful first"), mark, "solid"),
            ("most_first", t("The most useful first"), NEUTRAL, "dash"),
        ):
            draws = np.stack([kept.draws(which, n, found.seed) for n in kept.counts], axis=1)
            low, high = np.percentile(draws[1:], [2.5, 97.5], axis=0)
            lines.append(Line(title, np.array(kept.counts), draws[0], colour, dash, low, high))
        count = number(len(kept.words))
        title = t("{model}: loss on held-out text (n = {count} passages)", model=name, count=count)
        drawn = Lines(title, t("Heads silenced"), t("Nats per word"), lines)
        with column:
            plot(drawn, key=f"block_heads_{name}", alt=alt(drawn))
