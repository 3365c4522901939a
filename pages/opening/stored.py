"""The stored tests below each section: losses on held-out text, and what they say about claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

import models
from components.block_claims import judged
from components.plots import Lines
from components.plots import exports as plotted
from components.rows import Row, Rows, rows
from components.rows import exports as tabled
from components.takeaway import Table, panel_bar
from components.theme import BERT
from components.verdicts import verdicts
from components.words import fixed, msg, number, sentences, t
from models.block_claims import Section
from models.block_tests import Draws, score
from models.trace import BlockTests
from pages.opening.asking import Opening

COMMAND = """\
# Run in the project's folder, with the corpora built (python -m models.training corpora). It
# measures every variant that is trained, on held-out passages, prints what it did and writes
# models/zoo/block.json, from which all means, intervals and verdicts here are computed.
python -m models.training.inside
"""
NAMES: Mapping[str, str] = {
    "bert-v": msg("bert-v: 4x wide, GELU, 4 heads"),
    "bert-v-ffn-1x": msg("Feed-forward 1x wide"),
    "bert-v-identity": msg("No activation"),
    "bert-v-relu": "ReLU",
    "bert-v-no-ffn": msg("No feed-forward network"),
    "bert-v-attention": msg("Attention alone, 12 layers"),
    "bert-v-1-head": msg("1 head"),
    "bert-v-2-heads": msg("2 heads"),
    "bert-v-8-heads": msg("8 heads"),
    "bert-v-seed1": msg("bert-v, another seed"),
    "bert-v-seed2": msg("bert-v, a third seed"),
    "bert-v-dropout-10": msg("Dropout 0.1"),
    "bert-v-dropout-30": msg("Dropout 0.3"),
}


def show(
    section: Section, opening: Opening, compared: Sequence[str], more: Sequence[Lines] = ()
) -> None:
    """Losses, verdicts and their bar; or a calm word where nobody has run the tests.

    Args:
        section: Whose claims.
        opening: For the link.
        compared: Models whose losses stand beside each other.
        more: Plots to take away with them.
    """
    st.subheader(t("Trained with one thing changed"), anchor=False)
    found = models.block_tests()
    if found is None:
        st.info(t("These tests have not been run on this server: python -m models.training.inside"))
        return
    if missing := models.block_untested(section):
        st.caption(
            t("Not tested here yet: {models}.", models=t(", ").join(missing)),
            help=t("The bar’s code names the command that measures all that is trained."),
        )
    table = losses(found, [name for name in compared if name in found.losses])
    if table.rows:
        rows([table], key=f"block_losses_{section}", colour=BERT, note=_note(found))
    if said := models.block_verdicts(found, section):
        verdicts(judged(said), key=f"block_verdicts_{section}")
    bar(section, opening, found, [table], more)


def bar(
    section: Section,
    opening: Opening,
    found: BlockTests,
    tables: Sequence[Rows],
    more: Sequence[Lines],
) -> None:
    """All that can be taken away of stored tests."""
    title = t("Trained with one thing changed")
    panel_bar(
        key=f"block_stored_{section}",
        title=title,
        numbers=lambda: _numbers(tables, more),
        code=COMMAND,
        picture=lambda: tabled.picture(title, tables, BERT.mark, _note(found)),
        link=opening.link(section),
        about=found.provenance(list(found.weights)),
        how=t(
            "Small BERTs of width 96 with 4 layers, trained alike on 3 million tokens; each "
            "differs from bert-v in one thing. Loss in nats on the same held-out passages with the "
            "same words hidden, so that differences are paired. A claim is supported if its effect "
            "exceeds twice the larger of its standard error (2,000 bootstrap resamples of the "
            "passages, seed 0) and the standard deviation between three seeds of bert-v."
        ),
    )


def _numbers(tables: Sequence[Rows], more: Sequence[Lines]) -> Table:
    return plotted.numbers(more) if more and not tables else tabled.numbers(tables)


def losses(found: BlockTests, names: Sequence[str]) -> Rows:
    """The loss of each model with its interval."""
    count = len(found.losses[names[0]].nats) if names else 0
    return Rows(
        t("Loss on held-out text (n = {count} passages)", count=number(count)),
        [row(named(name), found.loss(name), count, strong=name == "bert-v") for name in names],
        (t("Model"), t("Nats per word"), ""),
        "dots",
    )


def named(name: str) -> str:
    """A model as a reader knows it."""
    return t(NAMES.get(name, name))


def row(name: str, draws: Draws, count: int, *, strong: bool = False, digits: int = 3) -> Row:
    """A figure with its interval."""
    one = score(draws, count)
    shown = t(
        "{value} ({low} to {high})",
        value=fixed(one.mean, digits),
        low=fixed(one.low, digits),
        high=fixed(one.high, digits),
    )
    return Row(name, one.mean, shown, one.low, one.high, strong=strong)


def _note(found: BlockTests) -> str:
    spread = found.seeds
    between = spread and t(
        "Between three seeds of bert-v: ± {spread} nats.", spread=fixed(spread, 3)
    )
    earlier = found.changed and t(
        "Tested with earlier weights of {models}.", models=t(", ").join(found.changed)
    )
    small = t("They are small and have read little: what is said of large models need not show.")
    lines = t("Lines: 95% of bootstrap resamples.")
    return sentences(lines, between or "", small, earlier or "")


def steps(count: int) -> np.ndarray:
    """The horizontal axis of a plot by layer: 0 is what the first block reads."""
    return np.arange(count)
