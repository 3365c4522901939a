"""Plotly figures: lines and surfaces that a reader turns, zooms and asks for values.

Plain data in. Colours of lines are given; ink, grid and font come from the page's theme, so that
one figure serves both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go


@dataclass(frozen=True)
class Line:
    """One line of a chart."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    colour: str
    dash: str = "solid"
    """As plotly calls it; lines of one colour are told apart by it."""
    told: Sequence[str] = ()
    """What hovering each point says; by default its two values."""


DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


def line_chart(
    lines: Sequence[Line], *, x_title: str, y_title: str, logarithmic: bool = False
) -> go.Figure:
    """Lines over one pair of axes.

    Args:
        lines: Each with as many x as y.
        x_title: What the horizontal axis counts; translated.
        y_title: Likewise.
        logarithmic: Whether equal ways to the right are equal factors.
    """
    figure = go.Figure()
    for line in lines:
        figure.add_trace(
            go.Scatter(
                x=list(line.x),
                y=list(line.y),
                name=line.name,
                mode="lines+markers",
                line={"color": line.colour, "dash": line.dash, "width": 2},
                marker={"size": 5},
                hovertext=list(line.told) or None,
                hoverinfo="text+name" if line.told else "x+y+name",
            )
        )
    figure.update_layout(
        margin={"l": 56, "r": 16, "t": 8, "b": 48},
        height=320,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        xaxis={"title": x_title, "type": "log" if logarithmic else "linear"},
        yaxis={"title": y_title},
        hovermode="closest",
    )
    return figure
