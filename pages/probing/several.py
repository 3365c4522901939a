"""Heads at a glance: every head's measures over the text, or over a file of sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import models
from components.plots import Grid, plot
from components.plots.exports import picture
from components.takeaway import Column, Table, origin, panel_bar
from components.verbatim import verbatim
from components.words import fixed, msg, number, t, tn
from models.trace import AttentionKind, Glance
from pages.filling.asking import Check
from pages.looking.controls import KINDS, one_of
from pages.probing.asking import Probing

TITLE = msg("Heads at a glance")
ASKED, FILE = "probing/heads_asked", "probing_file"
MEASURE, KIND = "probing_measure", "probing_kind"
MOST_BYTES, MOST = 200_000, 200
NORMAL = 1.96
MEASURES = {
    "entropy": msg("Entropy (bits)"), "distance": msg("Mean distance (tokens)"),
    "previous": msg("On the token before"), "next": msg("On the token after"),
    "diagonal": msg("On itself"), "sink": msg("On one key that gets most"),
    "same_word": msg("On the same word elsewhere"),
    "induction": msg("On what followed the same word"),
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """What a visitor wants looked at."""

    model: str
    kind: AttentionKind
    sentences: tuple[str, ...]


def show(probing: Probing) -> None:
    """Which sentences, the button, and the map once it is there."""
    kinds = probing.once("kinds", None, lambda _: models.attention_kinds(probing.name))
    if not kinds:
        st.info(t("This model has no attention: it reads with recurrent layers."))
        return
    kind: AttentionKind = kinds[0]
    if len(kinds) > 1:
        possible = {name: KINDS[name] for name in kinds}
        kind = one_of(t("Kind of attention"), "attention", KIND, possible)
    asked = Asked(probing.name, kind, sentences_of(probing.text))
    if not asked.sentences:
        st.info(t("Type some words to try it on."))
        return
    _buttons(asked)
    if st.session_state.get(ASKED) != asked:
        return
    line = st.empty()

    def question(check: Check) -> Glance:
        return models.glance(asked.model, asked.sentences, kind, _progress(line), check)

    found = probing.once("glance", asked, question)
    line.empty()
    if found is not None:
        _map(probing, found)


def sentences_of(text: str) -> tuple[str, ...]:
    """The lines of a file that the visitor gave, else of the text."""
    given = st.file_uploader(
        t("A file of sentences, one on each line (optional)"), type="txt", key=FILE
    )
    if given is not None:
        text = given.read(MOST_BYTES).decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > MOST:
        st.caption(t("The first {count} lines are read.", count=number(MOST)))
    return tuple(lines[:MOST])


def _buttons(asked: Asked) -> None:
    """Begin, and stop: pressing any button ends a run that is under way."""

    def begin() -> None:
        st.session_state[ASKED] = asked

    def stop() -> None:
        st.session_state.pop(ASKED, None)

    count = len(asked.sentences)
    label = tn("Look at {count} sentence", "Look at {count} sentences", count)
    with st.container(horizontal=True):
        st.button(label, key="probing_look", type="primary", on_click=begin)
        if st.session_state.get(ASKED) == asked:
            st.button(t("Stop"), key="probing_stop", on_click=stop)


def _progress(line: DeltaGenerator) -> Callable[[int, int], None]:
    def tell(done: int, count: int) -> None:
        told = t("Sentence {place} of {count}", place=number(done + 1), count=number(count))
        line.progress(done / count, text=told)

    return tell


def _map(probing: Probing, found: Glance) -> None:
    known = {
        name: MEASURES[name]
        for i, name in enumerate(found.names)
        if np.isfinite(found.means[i]).all()
    }
    measure = one_of(t("Measure"), "measure", MEASURE, known)
    drawn = grid(found, measure)
    plot(drawn, key="probing_heads", alt=told(found, measure), height=80 + 28 * len(drawn.y))
    st.markdown(verbatim(told(found, measure)))
    panel_bar(
        key="probing_several",
        title=t("Heads at a glance: {measure}", measure=t(MEASURES[measure])),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(t(MEASURES[measure]), [drawn], origin(found.provenance)),
        link=probing.link(section="heads", measure=measure),
        about=found.provenance,
        how=t(
            "The measures of the page Attention on each sentence, then the mean over sentences "
            "with its standard error; an interval is the mean ± 1.96 errors. Up to 200 sentences, "
            "of each 128 tokens. The table has every measure."
        ),
    )


def grid(found: Glance, measure: str) -> Grid:
    """The means, a row for each layer."""
    at = found.names.index(measure)
    layers, heads = found.means[at].shape
    names = [t("Layer {layer}", layer=number(i + 1)) for i in range(layers)]
    return Grid("", t("Head"), t("Layer"), found.means[at], np.arange(1, heads + 1), names,
                value_title="", signed=False)  # fmt: skip


def told(found: Glance, measure: str) -> str:
    """The largest and the smallest, with intervals where there are any."""
    at = found.names.index(measure)
    values, errors = found.means[at], found.errors[at]
    ends = (np.unravel_index(find(values), values.shape) for find in (np.argmax, np.argmin))
    most, least = (_head(values, errors, (int(layer), int(head))) for layer, head in ends)
    count = tn("Over {count} sentence.", "Over {count} sentences.", found.sentences)
    return t("{measure}: most {most}, least {least}. {count}", measure=t(MEASURES[measure]),
             most=most, least=least, count=count)  # fmt: skip


def _head(values: np.ndarray, errors: np.ndarray, at: tuple[int, int]) -> str:
    where = f"{at[0] + 1}.{at[1] + 1}"
    if not np.isfinite(errors[at]):
        return t("in head {head} ({value})", head=where, value=fixed(float(values[at]), 2))
    return t("in head {head} ({value} ± {error})", head=where, value=fixed(float(values[at]), 2),
             error=fixed(NORMAL * float(errors[at]), 2))  # fmt: skip


def numbers(found: Glance) -> Table:
    """One row for each measure of each head, with its interval."""
    rows: list[Sequence[object]] = []
    for i, name in enumerate(found.names):
        for (layer, head), mean in np.ndenumerate(found.means[i]):
            error = float(found.errors[i, layer, head])
            known, wide = np.isfinite(mean), NORMAL * error
            low, high = (mean - wide, mean + wide) if np.isfinite(error) else (None, None)
            rows.append((name, layer, head, float(mean) if known else None, low, high,
                         int(found.counts[i, layer, head])))  # fmt: skip

    def four(value: float) -> str:
        return f"{value:.4f}"

    return Table(
        [Column("measure", t("Measure"), lambda name: t(MEASURES[name])),
         Column("layer", t("Layer"), number), Column("head", t("Head"), number),
         Column("mean", t("Mean"), four), Column("low", t("From"), four),
         Column("high", t("To"), four), Column("sentences", t("Sentences"), number)],
        rows,
    )  # fmt: skip
