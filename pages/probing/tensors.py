"""One weight: how its numbers lie, its singular values, dimensions that stand out."""

from __future__ import annotations

import numpy as np
import streamlit as st

import models
from components.facts import Fact, facts
from components.plots import Line, Lines, plot
from components.plots.exports import picture
from components.takeaway import Column, Table, origin, panel_bar
from components.words import fixed, msg, number, t
from models.trace import WeightFacts, WeightName
from pages.filling.linked import follow
from pages.probing.asking import Probing

TITLE = msg("One weight")
CHOICE = "probing_weight"
AXES = {"row": msg("row"), "column": msg("column")}


def show(probing: Probing) -> None:
    """The menu, the distribution, the singular values, the outliers, the bar."""
    names = probing.once("names", None, lambda _: models.weight_names(probing.name))
    if not names:
        return
    name = _choose(names)
    found = probing.once("weight", name, lambda _: models.weight(probing.name, name),
                         t("Looking at its numbers …"))  # fmt: skip
    if found is None:
        return
    drawn = plots(found, probing.colour.mark)
    for column, each in zip(st.columns(len(drawn)), drawn, strict=True):
        with column:
            plot(each, key=f"probing_weight_{each.title}", alt=_alt(found, each), height=280)
    facts(_facts(found), label=name, key="probing_weight_facts", colour=probing.colour.mark)
    _outliers(found)
    panel_bar(
        key="probing_tensor",
        title=name,
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(name, drawn, origin(found.provenance)),
        link=probing.link(section="weight", weight=name),
        about=found.provenance,
        how=t(
            "All numbers of the tensor, in 64 bins of equal width. Singular values by the "
            "eigenvalues of the smaller product WᵀW, in float64: those below about 1e-8 of the "
            "largest are noise. A dimension stands out if its length is more than 3 standard "
            "deviations above the mean of its axis (Kovaleva et al. 2021)."
        ),
    )


def _choose(names: tuple[WeightName, ...]) -> str:
    shapes = {each.name: " × ".join(map(str, each.shape)) for each in names}
    linked = follow("weight")
    kept = linked if linked in shapes else st.session_state.get(CHOICE)
    st.session_state[CHOICE] = kept if kept in shapes else names[0].name
    return str(
        st.selectbox(
            t("Weight"), list(shapes), key=CHOICE, persist_state="session",
            format_func=lambda name: f"{name}  ({shapes[name]})",
        )
    )  # fmt: skip


def plots(found: WeightFacts, colour: str) -> list[Lines]:
    """The distribution as steps; the singular values by rank."""
    x = np.repeat(found.edges, 2)[1:-1]
    y = np.repeat(found.counts, 2)
    shown = [Lines(t("How its numbers lie"), t("Value"), t("How many"),
                   [Line(t("Numbers"), x, y, colour)])]  # fmt: skip
    if found.singular.size:
        ranks = np.arange(1, len(found.singular) + 1)
        shown.append(
            Lines(
                t("Singular values"),
                t("Rank"),
                t("Singular value"),
                [Line(t("Singular values"), ranks, found.singular, colour)],
            )
        )
    return shown


def _alt(found: WeightFacts, drawn: Lines) -> str:
    if drawn.title == t("Singular values"):
        return t("{count} values from {first} to {last}.", count=number(len(found.singular)),
                 first=fixed(float(found.singular[0]), 2),
                 last=fixed(float(found.singular[-1]), 4))  # fmt: skip
    return t("{count} numbers between {low} and {high}, mean {mean}.",
             count=number(int(found.counts.sum())), low=fixed(found.low, 3),
             high=fixed(found.high, 3), mean=fixed(found.mean, 4))  # fmt: skip


def _facts(found: WeightFacts) -> list[Fact]:
    size = number(int(found.counts.sum()) + found.broken)
    shape = " × ".join(map(str, found.shape)) or "1"
    shown = [
        Fact(t("How many numbers"), size,
             t("Shape {shape}; {zeros} of them are 0, {broken} not finite.",
                                   shape=shape, zeros=number(found.zeros),
                                   broken=number(found.broken))),
        Fact(t("Length (Frobenius norm)"), number(found.norm, 2),
             t("The root of the sum of squares.")),
        Fact(t("Mean and deviation"), f"{fixed(found.mean, 4)} ± {number(found.deviation, 4)}",
             t("From {low} to {high}.", low=fixed(found.low, 3), high=fixed(found.high, 3))),
    ]  # fmt: skip
    if found.singular.size:
        squares = found.singular**2 / max(float((found.singular**2).sum()), 1e-300)
        half = int(np.searchsorted(np.cumsum(squares), 0.9)) + 1
        shown.append(Fact(t("Directions for 90%"), number(half),
                          t("So many of {count} directions hold nine tenths of the squares.",
                            count=number(len(found.singular)))))  # fmt: skip
    return shown


def _outliers(found: WeightFacts) -> None:
    if not found.found:
        st.caption(t("No row and no column stands out."))
        return
    label = t("Dimensions that stand out: {count}", count=number(found.found))
    with st.expander(label):
        st.table(
            [
                {t("Axis"): t(AXES[each.axis]), t("Index (from 0)"): str(each.index),
                 t("Length"): number(each.norm, 3),
                 t("Standard deviations"): number(each.deviations, 1)}
                for each in found.outliers
            ],
            hide_index=True,
        )  # fmt: skip


def numbers(found: WeightFacts) -> Table:
    """Bins, singular values and outliers, one below the other."""
    rows: list[tuple[object, ...]] = [
        ("bin", i, float(edge), int(count))
        for i, (edge, count) in enumerate(zip(found.edges, found.counts, strict=False))
    ]
    rows += [("singular value", i, None, value) for i, value in enumerate(found.singular.tolist())]
    rows += [(each.axis, each.index, each.deviations, each.norm) for each in found.outliers]
    return Table(
        [Column("what", t("What")), Column("index", t("Index (from 0)"), str),
         Column("at", t("From, or deviations"), lambda value: f"{value:.4g}"),
         Column("value", t("Value"), lambda value: f"{value:.6g}")],
        rows,
        note=found.name,
    )  # fmt: skip
