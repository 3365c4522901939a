"""Positions: the loaded tensors that tell places apart, drawn."""

from __future__ import annotations

import numpy as np
import streamlit as st
from jaxtyping import Float

import models
from components.plots import Grid, Plot, plot
from components.plots.exports import numbers, picture
from components.takeaway import origin, panel_bar
from components.words import msg, number, t
from models.measures.positions import cosines
from models.trace import Places
from pages.probing.asking import Probing
from pages.probing.said import SCHEMES

TITLE = msg("Positions")
MOST = 128
"""Rows and columns of a map at most: the first ones."""


def show(probing: Probing) -> None:
    """One pair of maps for each tensor, and a bar."""
    found = probing.once("places", None, lambda _: models.places(probing.name))
    if found is None:
        return
    if not found:
        st.info(
            t(
                "No tensor of this checkpoint tells places apart: order comes from reading word by "
                "word, from the mask, or is computed on the way."
            )
        )
        return
    for i, each in enumerate(found):
        _one(probing, each, i)


def _one(probing: Probing, found: Places, i: int) -> None:
    st.markdown(f"**{t(SCHEMES[found.scheme])}** · `{found.name}`")
    rows, columns = found.values.shape
    if rows > MOST or columns > MOST:
        st.caption(
            t(
                "{rows} × {columns} numbers; the first {most} of each side are drawn.",
                rows=number(rows), columns=number(columns), most=number(MOST),
            )
        )  # fmt: skip
    drawn = plots(found)
    for column, each in zip(st.columns(len(drawn)), drawn, strict=True):
        with column:
            plot(each, key=f"probing_places_{i}_{each.title}", alt=_alt(found))
    panel_bar(
        key=f"probing_places_{i}",
        title=found.name,
        numbers=lambda: numbers(drawn),
        code=found.snippet,
        picture=lambda: picture(found.name, drawn, origin(found.provenance)),
        link=probing.link(section="places"),
        about=found.provenance,
        how=t(
            "The numbers as they were loaded. Vectors of places are compared by their cosine; of "
            "rotations the cosine of the angle is drawn, for each distance and pair of dimensions."
        ),
    )


def plots(found: Places) -> list[Plot]:
    """The tensor, and for vectors how alike they are."""
    values = found.values[:MOST, :MOST]
    x, y = np.arange(values.shape[1]), np.arange(values.shape[0])
    if found.scheme == "rotary":
        return [Grid(t("Cosine of the rotation"), t("Pair of dimensions"), t("Distance"),
                     values, x, y)]  # fmt: skip
    if found.scheme == "bias":
        return [Grid(t("Bias"), t("Head"), t("Bucket of distances"), values, x, y)]
    row = t("Distance") if found.scheme == "relative" else t("Position")
    shown: list[Plot] = [Grid(t("Vectors"), t("Dimension"), row, values, x, y)]
    vectors: Float[np.ndarray, "row column"] = found.values[:MOST]
    if (np.linalg.norm(vectors, axis=1) > 0).all():
        shown.append(Grid(t("Cosine of every two"), row, row, cosines(vectors), y, y))
    return shown


def _alt(found: Places) -> str:
    return t(
        "{rows} rows of {columns} numbers between {low} and {high}.",
        rows=number(found.values.shape[0]),
        columns=number(found.values.shape[1]),
        low=number(float(found.values.min()), 2),
        high=number(float(found.values.max()), 2),
    )
