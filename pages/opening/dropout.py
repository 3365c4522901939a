"""Dropout: left on while the model answers; and trained with more and less of it."""

from __future__ import annotations

import numpy as np
import streamlit as st

import models
from components.rows import Row, Rows, rows
from components.rows import exports as tabled
from components.shares import joined, share
from components.takeaway import origin, panel_bar
from components.theme import BERT
from components.words import fixed, msg, number, percent, t
from models.trace import BlockTests, Passes
from pages.filling.asking import Check
from pages.filling.seed import seed_of_draw, set_by_link
from pages.opening import stored
from pages.opening.asking import Opening

TITLE = msg("Dropout")
SHARE, SEED = "block_share", "block_seed"
MOST = 50
"""Per cent; half of all units."""
COMPARED = ("bert-v", "bert-v-seed1", "bert-v-seed2", "bert-v-dropout-10", "bert-v-dropout-30")
FEW = {
    "bert-v-few": msg("No dropout"),
    "bert-v-few-dropout-10": msg("Dropout 0.1"),
    "bert-v-few-dropout-30": msg("Dropout 0.3"),
}


def show(opening: Opening) -> None:
    """The controls, the spread of the answer, and the trained variants."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        p = _share()
        seed = seed_of_draw(SEED)

    def question(check: Check) -> Passes:
        return models.block_dropout(opening.model, opening.sentence, p, seed, opening.blank, check)

    found = opening.once("dropout", (p, seed), question)
    table = spread(found)
    rows([table], key="block_passes", colour=opening.colour, headline=headline(found))
    panel_bar(
        key="block_dropout",
        title=t(TITLE),
        numbers=lambda: tabled.numbers([table], headline(found)),
        code=found.snippet,
        picture=lambda: tabled.picture(
            headline(found), [table], opening.colour.mark, origin(found.provenance)
        ),
        link=opening.link("dropout", share=str(round(100 * p)), seed=str(seed)),
        about=found.provenance,
        how=t(
            "{count} passes over the same sentence; in each, every unit after attention, after "
            "each matrix and in the embeddings falls silent with this probability, and the rest "
            "is scaled up. What the passes disagree about is the entropy of their mean answer "
            "minus the mean entropy of an answer (Gal & Ghahramani 2016; Houlsby et al. 2011). "
            "Our large models were trained without dropout, so they are not used to it.",
            count=number(len(found.drawn)),
        ),
    )
    tests = models.block_tests()
    if tests is not None:
        _few(tests)
    stored.show("dropout", opening, COMPARED)


def _share() -> float:
    set_by_link("share", SHARE, range(MOST + 1), 10)
    picked = st.slider(
        t("Units that fall silent (%)"), 0, MOST, step=5, key=SHARE, width=320,
        persist_state="session",
    )  # fmt: skip
    return int(picked) / 100


def spread(found: Passes) -> Rows:
    """Each word's mean and its middle 90 % over the passes."""
    listed = []
    for word, drawn in zip(found.words, found.drawn.T, strict=True):
        low, high = np.percentile(drawn, [5, 95])
        mean = float(drawn.mean())
        listed.append(
            Row(
                joined(word),
                mean,
                t("{mean} ({low} to {high})", mean=share(mean), low=share(low), high=share(high)),
                float(low),
                float(high),
                note=share(word.probability),
                strong=word.token_id == found.followed.word.token_id,
            )
        )
    names = (t("Word"), t("Mean (5% to 95% of passes)"), t("Without dropout"))
    title = t("The answer in {count} passes", count=number(len(found.drawn)))
    return Rows(title, listed, names, "dots")


def headline(found: Passes) -> str:
    """How much the passes disagree."""
    return t(
        "With {share} of the units silent, log p of “{word}” varies by ± {nats} nats from pass to "
        "pass. Of {total} bits of doubt, {apart} are disagreement between passes.",
        share=percent(found.p),
        word=joined(found.followed.word),
        nats=fixed(float(found.log_p.std()), 2),
        total=fixed(found.total_bits, 2),
        apart=fixed(max(0.0, found.total_bits - found.within_bits), 2),
    )


def _few(found: BlockTests) -> None:
    """Loss on what was read twenty times, and on what was not."""
    there = [name for name in FEW if name in found.read]
    if not there:
        return
    listed = []
    for name in there:
        own, held = found.read[name]
        count = len(own.nats)
        title = t(FEW[name])
        listed += [
            stored.row(t("{name}: read 20 times", name=title), own.draws(found.seed + 1), count),
            stored.row(t("{name}: held out", name=title), held.draws(found.seed), count,
                       strong=True),
        ]  # fmt: skip
    table = Rows(
        t("200,000 tokens, read twenty times: loss"), listed, (t("Text"), t("Nats per word"), ""),
        "dots",
    )  # fmt: skip
    rows([table], key="block_few", colour=BERT)
