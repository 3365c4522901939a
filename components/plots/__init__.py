"""Plots that say what they are: drawn by plotly on the page, and from the same data for paper.

    plot(Lines(title, "k", "p · p", [Line("sinusoids", offsets, curve, colour)]), key="…", alt="…")

Colours of lines are given; ink, grid, font and the maps' colours come from the page's theme.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from jaxtyping import Float

from components.words import tn

NEUTRAL = "#7B8494"
"""Of what is there to compare with: 3:1 against paper in both themes."""
FEW = 20
"""So many points of a line are marked one by one."""
CONFIG = {"displaylogo": False, "displayModeBar": False}
MARGIN = {"l": 56, "r": 12, "t": 8, "b": 44}


@dataclass(frozen=True)
class Line:
    """One line; with `low` and `high` a band around it."""

    name: str
    x: Sequence[float] | np.ndarray
    y: Sequence[float] | np.ndarray
    colour: str
    dash: str = "solid"
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    steps: bool = False
    """Whether it jumps between its points, as whole numbers do."""


@dataclass(frozen=True)
class Lines:
    """Lines over one pair of axes."""

    title: str
    x_title: str
    y_title: str
    lines: Sequence[Line]
    names: Sequence[str] = ()
    """Of the places on the horizontal axis, where they are no numbers."""
    shares: bool = False
    """Whether the values are shares of one, told in per cent."""


@dataclass(frozen=True)
class Grid:
    """A map of numbers, its first row on top."""

    title: str
    x_title: str
    y_title: str
    values: Float[np.ndarray, "row column"]
    x: Sequence[float] | np.ndarray
    y: Sequence[float | str] | np.ndarray
    value_title: str = ""
    signed: bool = True
    """Whether the map's colours diverge around 0."""


@dataclass(frozen=True)
class Trail:
    """Places in a plane or in space, one after the other."""

    title: str
    axes: Sequence[str]
    """Two or three names."""
    points: Float[np.ndarray, "place axis"]
    value_title: str


Plot = Lines | Grid | Trail


def plot(drawn: Plot, *, key: str, alt: str, height: int = 320) -> None:
    """Draw one plot under its title.

    Args:
        drawn: What.
        key: A name of its own in the session.
        alt: The picture in words; translated.
        height: In CSS pixels.
    """
    if drawn.title:
        st.markdown(f"**{drawn.title}**")
    st.plotly_chart(figure(drawn, height), key=key, config=CONFIG, alt=alt)
    if isinstance(drawn, Grid) and (beyond := int((np.abs(drawn.values) > most_of(drawn)).sum())):
        end = f"{most_of(drawn):.3g}"
        st.caption(
            tn(
                "Colours end at ±{end}; {count} number lies beyond.",
                "Colours end at ±{end}; {count} numbers lie beyond.",
                beyond,
                end=end,
            )
        )


def most_of(drawn: Grid) -> float:
    """Where a map's colours end: a few numbers far out must not leave the others pale."""
    sizes = np.abs(drawn.values)
    most = float(sizes.max(initial=0.0)) or 1.0
    usual = float(np.percentile(sizes, 99.5)) if sizes.size else most
    return usual if drawn.signed and 0 < usual < most / 2 else most


def figure(drawn: Plot, height: int) -> go.Figure:
    """The plotly figure of a plot."""
    if isinstance(drawn, Lines):
        return _lines(drawn, height)
    return _grid(drawn, height) if isinstance(drawn, Grid) else _trail(drawn, height)


def _lines(drawn: Lines, height: int) -> go.Figure:
    made = go.Figure()
    for line in drawn.lines:
        if line.low is not None and line.high is not None:
            x = [*line.x, *list(line.x)[::-1]]
            made.add_trace(
                go.Scatter(
                    x=x, y=[*line.high, *line.low[::-1]], fill="toself", mode="none",
                    hoverinfo="skip",
                    fillcolor=_faint(line.colour), showlegend=False,
                )
            )  # fmt: skip
        made.add_trace(
            go.Scatter(
                x=list(line.x), y=list(line.y), name=line.name,
                mode="lines+markers" if len(line.x) <= FEW else "lines", marker={"size": 6},
                line={"color": line.colour, "dash": line.dash, "width": 2,
                      "shape": "hvh" if line.steps else "linear"},
            )
        )  # fmt: skip
    axis: dict[str, object] = {"title": drawn.x_title}
    if drawn.names:
        axis |= {"tickvals": list(range(len(drawn.names))), "ticktext": list(drawn.names)}
    made.update_layout(
        margin=MARGIN,
        height=height,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        xaxis=axis,
        yaxis={"title": drawn.y_title, "tickformat": ".0%" if drawn.shares else ""},
        hovermode="closest",
    )
    return made


def _grid(drawn: Grid, height: int) -> go.Figure:
    most = most_of(drawn)
    low = -most if drawn.signed else min(0.0, float(drawn.values.min(initial=0.0)))
    made = go.Figure(
        go.Heatmap(
            z=drawn.values.astype(np.float32),
            x=list(drawn.x),
            y=list(drawn.y),
            zmin=low,
            zmax=most,
            autocolorscale=False,
            coloraxis="coloraxis",
            zsmooth=False,
            hovertemplate=f"{drawn.x_title} %{{x}}<br>{drawn.y_title} %{{y}}<br>%{{z:.4g}}"
            "<extra></extra>",
        )
    )
    bar = {"thickness": 10, "outlinewidth": 0, "title": {"text": drawn.value_title}}
    made.update_layout(
        margin=MARGIN,
        height=height,
        xaxis={"title": drawn.x_title, "showgrid": False},
        yaxis={
            "title": drawn.y_title,
            "autorange": "reversed",
            "showgrid": False,
            "type": "category" if _named(drawn.y) else "linear",
        },
        coloraxis={"cmin": low, "cmax": most, "autocolorscale": True, "colorbar": bar},
    )
    return made


def _trail(drawn: Trail, height: int) -> go.Figure:
    """Coloured from the first place to the last."""
    count = len(drawn.points)
    dots = {
        "color": list(range(count)),
        "size": 5,
        "showscale": True,
        "autocolorscale": True,
        "colorbar": {"thickness": 10, "outlinewidth": 0, "title": {"text": drawn.value_title}},
    }
    common = {
        "mode": "lines+markers",
        "marker": dots,
        "line": {"color": NEUTRAL, "width": 1},
        "text": [str(i) for i in range(count)],
        "hovertemplate": "%{text}<extra></extra>",
    }
    columns = drawn.points.T
    if len(columns) == 3:
        made = go.Figure(go.Scatter3d(x=columns[0], y=columns[1], z=columns[2], **common))
        names = zip(("xaxis", "yaxis", "zaxis"), drawn.axes, strict=True)
        made.update_layout(scene={axis: {"title": name} for axis, name in names})
    else:
        made = go.Figure(go.Scatter(x=columns[0], y=columns[1], **common))
        made.update_layout(xaxis={"title": drawn.axes[0]}, yaxis={"title": drawn.axes[1]})
    made.update_layout(margin={"l": 8, "r": 8, "t": 8, "b": 8}, height=height)
    return made


def _named(names: Sequence[float | str] | np.ndarray) -> bool:
    return len(names) > 0 and isinstance(names[0], str)


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.18)"
