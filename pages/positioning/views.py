"""Five ways to look at a table of positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from components.plots import NEUTRAL, Grid, Line, Lines, Plot, Trail
from components.words import msg, number, percent, t
from models.measures import positions as of

DIMENSION, SPACE = "positions_dimension", "positions_space"


@dataclass(frozen=True)
class Source:
    """One table, with its name and colour."""

    name: str
    table: np.ndarray
    colour: str


@dataclass(frozen=True)
class Options:
    """What a view lets a visitor choose."""

    dimension: int = 0
    axes: int = 2


def options(view: str, width: int) -> Options:
    """The widgets of a view, if it has any."""
    if view == "waves":
        st.session_state[DIMENSION] = min(max(1, st.session_state.get(DIMENSION, 9)), width - 1)
        dimension = st.slider(
            t("First dimension"), 1, width - 1, key=DIMENSION, persist_state="session",
            help=t("This dimension and the next: in sinusoids a sine and the cosine beside it."),
        )  # fmt: skip
        return Options(dimension=int(dimension) - 1)
    if view == "path":
        deep = st.toggle(t("In space"), key=SPACE, persist_state="session")
        return Options(axes=3 if deep else 2)
    return Options()


def maps(sources: Sequence[Source], _: Options) -> list[Plot]:
    """Every number of the tables."""
    return [
        Grid(each.name, t("Dimension"), t("Position"), each.table,
             np.arange(1, each.table.shape[1] + 1), np.arange(len(each.table)))
        for each in sources
    ]  # fmt: skip


def waves(sources: Sequence[Source], chosen: Options) -> list[Plot]:
    """Two dimensions along the positions."""
    found: list[Plot] = []
    for each in sources:
        lines = [
            Line(t("dimension {n}", n=number(at + 1)), np.arange(len(each.table)),
                 each.table[:, at], each.colour, dash)
            for at, dash in ((chosen.dimension, "solid"), (chosen.dimension + 1, "dash"))
            if at < each.table.shape[1]
        ]  # fmt: skip
        found.append(Lines(each.name, t("Position"), t("Value"), lines))
    return found


def paths(sources: Sequence[Source], chosen: Options) -> list[Plot]:
    """The positions as a way through their own first directions."""
    found: list[Plot] = []
    for each in sources:
        points, shares = of.principal(each.table, chosen.axes)
        names = [
            t("direction {n} ({share})", n=number(i), share=percent(share))
            for i, share in enumerate(shares.tolist(), start=1)
        ]
        found.append(Trail(each.name, names, points, t("Position")))
    return found


def distances(sources: Sequence[Source], _: Options) -> list[Plot]:
    """Mean cosine by distance; with the learned table's own positions shuffled as a control."""
    lines = [
        Line(each.name, np.arange(len(each.table)), by_distance(each.table), each.colour)
        for each in sources
    ]
    last = sources[-1]
    order = np.random.default_rng(0).permutation(len(last.table))
    shuffled = by_distance(last.table[order])
    lines.append(Line(t("{name}, positions shuffled", name=last.name),
                      np.arange(len(shuffled)), shuffled, NEUTRAL, "dash"))  # fmt: skip
    return [Lines("", t("Distance between two positions"), t("Mean cosine"), lines)]


def spectra(sources: Sequence[Source], _: Options) -> list[Plot]:
    """Where along the frequencies each dimension has its power."""
    found: list[Plot] = []
    for each in sources:
        power = of.spectrum(each.table)
        share = power / np.maximum(power.sum(0), 1e-30)
        order = np.argsort(-share.argmax(0), kind="stable")
        rates = np.arange(len(share)) / len(each.table)
        found.append(
            Grid(each.name, t("Dimensions, the fastest first"), t("Turns for a position"),
                 share[:, order], np.arange(1, share.shape[1] + 1), rates, signed=False)
        )  # fmt: skip
    return found


def by_distance(table: np.ndarray) -> np.ndarray:
    """The mean cosine at each distance from 0."""
    cosines = of.cosines(table)
    return np.array([np.diagonal(cosines, k).mean() for k in range(len(table))])


Draw = Callable[[Sequence[Source], Options], list[Plot]]
VIEWS: Mapping[str, tuple[str, Draw]] = {
    "map": (msg("Map"), maps),
    "waves": (msg("Waves"), waves),
    "path": (msg("Path"), paths),
    "distance": (msg("By distance"), distances),
    "spectrum": (msg("Spectrum"), spectra),
}


def alt(view: str, source: Source) -> str:
    """A picture in words."""
    return t("{view} of {name}. {said}", view=t(VIEWS[view][0]), name=source.name,
             said=said(source))  # fmt: skip


def said(source: Source) -> str:
    """What the numbers of a table come to."""
    table = source.table
    power = of.spectrum(table).sum(1)
    return t(
        "{name}: {distance} of how alike two positions are depends on their distance alone; "
        "{waves} of the power lies in one frequency of each dimension; the strongest period is "
        "{period} positions.",
        name=source.name,
        distance=percent(of.explained_by_offset(of.cosines(table))),
        waves=percent(of.periodicity(table)),
        period=number(of.strongest_period(power, len(table)), 1),
    )
