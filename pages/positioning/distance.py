"""p_t · p_(t+k) against k: as it is, after each head's projections, and through a hand-made W."""

from __future__ import annotations

import numpy as np
import streamlit as st

import models
from components.plots import NEUTRAL, Grid, Line, Lines, Plot, plot
from components.plots.exports import numbers, picture
from components.takeaway import origin, panel_bar
from components.verdicts import verdicts
from components.words import fixed, msg, number, t
from models.measures import positions as of
from models.placed import LEAST, offset_verdicts
from models.trace import HeadOffsets
from pages.choosing.model import Chosen
from pages.filling.linked import follow
from pages.positioning.asking import chosen_model, colour_of, judged, once

TITLE = msg("Distance without direction")
KEY, HEAD = "positions_offsets", "positions_head"
SHOWN = 4
"""Heads with random weights that the map shows; the numbers use all."""
CLAIMS = {
    "symmetric": (
        msg("p · p of two positions tells their distance, not which comes first: of the curve’s "
            "variation less than 5% is odd."),
        msg("Yan et al. 2019 (TENER)"),
    ),
    "blurred": (
        msg("Projections with random weights blur that pattern."),
        msg("Yan et al. 2019 (TENER)"),
    ),
    "kept": (
        msg("The trained heads keep more of it than heads with random weights."),
        msg("control: random weights"),
    ),
    "directed": (
        msg("The trained heads tell direction, which p · p does not."),
        msg("p(t+k) = M p(t): a projection can turn distance into direction"),
    ),
    "more directed": (
        msg("They tell it more than heads with random weights do."),
        msg("control: random weights"),
    ),
}  # fmt: skip


def show() -> None:
    """The map of all heads, one head as a line, the verdicts and the bar."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        chosen = chosen_model()
        slot = st.container()
    name = chosen.name
    found = once(
        f"offsets/{name}", name, lambda _: models.head_offsets(name), t("Loading the model …")
    )
    if found is None:
        return
    if found.kind == "none":
        st.info(t("All position vectors of this model are 0. Choose another model."))
        return
    with slot:
        head = _head(len(found.heads))
    plots: list[Plot] = [_map(found), _line(chosen, found, head)]
    columns = st.columns([6, 5], gap="medium")
    with columns[0]:
        plot(plots[0], key="positions_offset_map", alt=_alt(found), height=380)
    with columns[1]:
        plot(plots[1], key="positions_offset_line", alt=said(found, head), height=380)
    st.caption(said(found, head))
    counted = t("{heads} heads, {draws} random ones", heads=number(len(found.heads)),
                draws=number(len(found.random)))  # fmt: skip
    verdicts(judged(offset_verdicts(found), CLAIMS, "", counted), key="positions_offset_verdicts")
    _bar(chosen, found, head, plots)


def _head(count: int) -> int:
    """Which head is drawn as a line, from 0."""
    if (linked := follow("head", KEY)) and linked.isascii() and linked.isdecimal():
        st.session_state[HEAD] = int(linked)
    if st.session_state.get(HEAD) not in range(1, count + 1):
        st.session_state[HEAD] = 1
    return int(
        st.selectbox(t("Head of layer 1"), range(1, count + 1), key=HEAD, width=160,
                     format_func=number, persist_state="session")
    ) - 1  # fmt: skip


def shape(curve: of.Curve) -> of.Curve:
    """A curve around 0, its farthest value 1: shapes are compared, not sizes."""
    moved = curve - curve.mean()
    most = float(np.abs(moved).max())
    return moved / most if most > 1e-12 else moved


def _offsets(found: HeadOffsets) -> np.ndarray:
    return np.arange(-found.reach, found.reach + 1)


def _map(found: HeadOffsets) -> Grid:
    """No projection on top, then every trained head, then some random ones."""
    curves = [found.pattern, *found.heads, *found.random[:SHOWN]]
    names = [
        t("no projection"),
        *(t("head {n}", n=number(i + 1)) for i in range(len(found.heads))),
        *(t("random {n}", n=number(i + 1)) for i in range(SHOWN)),
    ]
    return Grid(
        t("Score of a query at t and a key at t + k"), "k", t("Head"),
        np.stack([shape(curve) for curve in curves]), _offsets(found), names,
    )  # fmt: skip


def _line(chosen: Chosen, found: HeadOffsets, head: int) -> Lines:
    k = _offsets(found)
    spread = np.stack([shape(curve) for curve in found.random])
    return Lines(
        t("The same as lines"), "k", t("Score, scaled"),
        [
            Line(t("no projection"), k, shape(found.pattern), NEUTRAL, "dash"),
            Line(t("head {n}", n=number(head + 1)), k, shape(found.heads[head]),
                 colour_of(chosen).mark),
            Line(t("random weights: mean, and the middle 90%"), k, spread.mean(0), NEUTRAL, "dot",
                 np.percentile(spread, 5, axis=0), np.percentile(spread, 95, axis=0)),
        ],
    )  # fmt: skip


def said(found: HeadOffsets, head: int) -> str:
    """The chosen head in numbers, beside no projection."""
    curve = found.heads[head]
    return t(
        "Head {n}: correlation with the plain product {r}; share of its variation that tells "
        "direction {share}. Without a projection that share is {plain}, and the symmetry error "
        "max |g(k) − g(−k)| / max |g| is {error}.",
        n=number(head + 1),
        r=fixed(of.likeness(curve, found.pattern), 2),
        share=fixed(of.asymmetry(curve), 2),
        plain=fixed(of.asymmetry(found.pattern), 3),
        error=f"{of.symmetry_error(found.pattern):.2g}",
    )


def _alt(found: HeadOffsets) -> str:
    kept = [abs(of.likeness(curve, found.pattern)) for curve in found.heads]
    return t(
        "One row for each head, k from {low} to {high}. Correlation with the plain product: "
        "{values}.",
        low=number(-found.reach),
        high=number(found.reach),
        values=t(", ").join(fixed(each, 2) for each in kept),
    )


def _bar(chosen: Chosen, found: HeadOffsets, head: int, plots: list[Plot]) -> None:
    exact = Lines(
        t("Scores, not scaled"), "k", t("Score"),
        [
            Line(name, _offsets(found), curve, NEUTRAL)
            for name, curve in zip(
                [t("no projection"), *(t("head {n}", n=number(i + 1))
                                       for i in range(len(found.heads)))],
                [found.pattern, *found.heads],
                strict=True,
            )
        ],
    )  # fmt: skip
    panel_bar(
        key="positions_offsets_bar",
        title=t(TITLE),
        numbers=lambda: numbers([exact, *plots]),
        code=found.snippet,
        picture=lambda: picture(t(TITLE), plots, origin(found.provenance)),
        link={"section": "distance", "model": chosen.name, "head": str(head + 1)},
        about=found.provenance,
        how=t(
            "The mean of (W_q p_t) · (W_k p_(t+k)) over all t of the first {count} positions for "
            "which every k is there; biases and words are left out. Where a LayerNorm follows the "
            "sum, its centring and factors are applied, its division is not. Direction: the odd "
            "part’s share of the curve’s variation. Random weights: normal, seed 0. The map scales "
            "each row around its mean; odd parts below {least} count as none.",
            count=number(found.count),
            least=number(LEAST, 2),
        ),
    )
