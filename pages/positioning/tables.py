"""Sinusoids by formula beside the table of a model: five views of the same numbers."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

import models
from components.plots import Plot, plot
from components.plots.exports import numbers, picture
from components.takeaway import origin, panel_bar
from components.theme import ENCODER_DECODER
from components.verdicts import verdicts
from components.words import msg, number, t
from models.measures import positions as of
from models.placed import SHUFFLES, table_verdicts
from models.trace import PositionTable
from pages.choosing.model import Chosen
from pages.filling.linked import follow
from pages.positioning import views
from pages.positioning.asking import KINDS, chosen_model, colour_of, judged, table_of
from pages.positioning.views import VIEWS, Source

TITLE = msg("Learned or computed")
KEY = "positions_table"
WIDTHS, LENGTHS = (16, 32, 64, 96, 128, 256, 384, 512), (16, 32, 64, 128, 256, 512)
BASES = (10, 100, 1_000, 10_000, 100_000)
CLAIMS = {
    "distance": (
        msg("This table tells how far two positions are apart: their cosine depends on the "
            "distance more than it would if the positions were shuffled."),
        msg("Wang & Chen 2020"),
    ),
    "waves": (
        msg("Its dimensions are waves along the sentence: each keeps its power in one frequency "
            "more than it would if the positions were shuffled."),
        msg("Wang & Chen 2020; sinusoids: Vaswani et al. 2017, §3.5"),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Controls:
    """What the visitor has set."""

    view: str
    width: int
    length: int
    base: int


def show() -> None:
    """The controls, both pictures, the verdicts and the bar."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        chosen = chosen_model()
        view = _view()
    set_ = _controls(view)
    found = table_of(chosen)
    if found is None:
        return
    plots = _pictures(chosen, found, set_)
    table = found.vectors[: set_.length]
    counted = t("{count} positions, {draws} shuffles", count=number(len(table)),
                draws=number(SHUFFLES))  # fmt: skip
    verdicts(judged(table_verdicts(table), CLAIMS, "%", counted), key="positions_table_verdicts")
    _bar(chosen, found, set_, plots)


def _view() -> str:
    """Which of the views is shown."""
    names = {name: t(title) for name, (title, _) in VIEWS.items()}
    if (linked := follow("view", KEY)) in names:
        st.session_state[KEY] = linked
    st.session_state.setdefault(KEY, "map")
    view = st.radio(
        t("Shown as"), list(names), key=KEY, format_func=names.__getitem__, horizontal=True,
        persist_state="session",
    )  # fmt: skip
    return str(view or "map")


def _controls(view: str) -> Controls:
    """The formula's own numbers; the length is that of both tables."""
    asked = (
        ("width", t("Sinusoids: width (d_model)"), WIDTHS, 128),
        ("base", t("Sinusoids: base"), BASES, 10_000),
        ("length", t("Positions"), LENGTHS, 64),
    )
    found = []
    for (name, title, offered, first), column in zip(asked, st.columns(3), strict=True):
        key = f"positions_{name}"
        linked = follow(name, KEY)
        if linked and linked.isascii() and linked.isdecimal() and int(linked) in offered:
            st.session_state[key] = int(linked)
        st.session_state.setdefault(key, first)
        with column:
            value = st.select_slider(
                title, offered, key=key, format_func=number, persist_state="session"
            )
        found.append(int(value))
    width, base, length = found
    return Controls(view, width, length, base)


def _pictures(chosen: Chosen, found: PositionTable, set_: Controls) -> list[Plot]:
    """Both tables in the chosen view; the formula is made as long as the model's table."""
    length = min(set_.length, len(found.vectors))
    sources = (
        Source(t("Sinusoids, by formula"), of.sinusoids(length, set_.width, set_.base),
               ENCODER_DECODER.mark),
        Source(f"{chosen.name}: {t(KINDS[found.kind])}", found.vectors[:length],
               colour_of(chosen).mark),
    )  # fmt: skip
    options = views.options(set_.view, min(set_.width, found.vectors.shape[1]))
    plots = VIEWS[set_.view][1](sources, options)
    columns = st.columns(len(plots), gap="medium")
    for i, (drawn, column) in enumerate(zip(plots, columns, strict=True)):
        with column:
            alt = views.alt(set_.view, sources[i] if len(plots) > 1 else sources[1])
            plot(drawn, key=f"positions_{set_.view}_{i}", alt=alt, height=360)
    st.caption(" ".join(views.said(source) for source in sources))
    return plots


def _bar(chosen: Chosen, found: PositionTable, set_: Controls, plots: list[Plot]) -> None:
    length = min(set_.length, len(found.vectors))
    panel_bar(
        key="positions_tables",
        title=t(TITLE),
        numbers=lambda: numbers(plots),
        code=lambda: "\n\n".join(
            (
                "# " + t("Sinusoids, by formula"),
                models.table_program(None, length, set_.width, set_.base),
                f"# {chosen.name}",
                models.table_program(found, length),
            )
        ),
        picture=lambda: picture(t(TITLE), plots, origin(found.provenance)),
        link={
            "section": "tables", "model": chosen.name, "view": set_.view,
            "width": str(set_.width), "length": str(set_.length), "base": str(set_.base),
        },
        about=found.provenance,
        how=t(
            "Sinusoids: PE(t, 2i) = sin(t / base^(2i/d)), PE(t, 2i+1) = cos of the same. Spectrum: "
            "mean and trend are taken from each dimension, its ends faded out (Hann), and its "
            "power shared out over the frequencies. The controls of both claims are the same table "
            "with its positions shuffled {draws} times (seed 0); a claim is supported beyond two "
            "standard deviations of these.",
            draws=number(SHUFFLES),
        ),
    )  # fmt: skip
