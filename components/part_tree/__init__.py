"""The parameters of a model as areas: parts within layers within towers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from components.pictures import Bar, Group, Svg, bar_chart
from components.takeaway import Column, Table, origin
from components.words import msg, number, percent, t
from models.trace import PartSize, Sizes

KINDS = {
    "words": msg("Word vectors"),
    "positions": msg("Positions"),
    "segments": msg("Segments"),
    "attention": msg("Attention"),
    "cross": msg("Cross attention"),
    "ffn": msg("Feed-forward network"),
    "norm": msg("Norms"),
    "recurrent": msg("LSTM"),
    "head": msg("Output head"),
    "other": msg("Other"),
}
STACKS = {
    "encoder": msg("Encoder"),
    "decoder": msg("Decoder"),
    "forward": msg("Forward model"),
    "backward": msg("Backward model"),
}
SHADES = {
    "words": "#D9E7F1", "positions": "#F9DCC4", "segments": "#F0EAD2", "attention": "#98C3DE",
    "cross": "#DDBFD8", "ffn": "#A9D8B8", "norm": "#E4E7EC", "recurrent": "#A9D8B8",
    "head": "#EFC9A0", "other": "#E4E7EC",
}  # fmt: skip
"""Light enough for dark ink in both themes: contrast 4.5 and more."""
INK = "#10182A"
FRAME, LETTERS = "#5B6578", "#FFFFFF"
"""Of towers and layers, and of what is written on them: neither glaring nor lost in a theme."""
CONFIG = {"displaylogo": False, "displayModeBar": False}


def part_tree(found: Sizes, *, key: str) -> None:
    """Draw the areas; a click opens a tower or a layer.

    Args:
        found: From `models.part_sizes`.
        key: A name of its own in the session.
    """
    st.plotly_chart(figure(found), key=key, config=CONFIG, alt=alt(found))


def figure(found: Sizes) -> go.Figure:
    """The plotly figure: one area for each part, in the areas of its layer and its tower."""
    labels, ids, parents, values, colours = [], [], [], [], []

    def area(label: str, at: str, parent: str, count: int, colour: str) -> None:
        labels.append(label)
        ids.append(at)
        parents.append(parent)
        values.append(count)
        colours.append(colour)

    sums: dict[tuple[str, str, str], int] = defaultdict(int)
    for part in found.parts:
        stack = part.stack
        parent = "all" if not stack else f"all/{stack}"
        if stack:
            sums[parent, "all", t(STACKS[stack])] += part.parameters
        if part.layer is not None:
            layer = f"{parent}/{part.layer}"
            sums[layer, parent, t("Layer {layer}", layer=number(part.layer + 1))] += part.parameters
            parent = layer
        area(t(KINDS[part.kind]), f"{parent}/{part.kind}", parent, part.parameters,
             SHADES[part.kind])  # fmt: skip
    for (at, parent, label), count in sums.items():
        area(label, at, parent, count, FRAME)
    area(t("All parameters"), "all", "", found.total, FRAME)
    made = go.Figure(
        go.Treemap(
            labels=labels,
            ids=ids,
            parents=parents,
            values=values,
            branchvalues="total",
            marker={"colors": colours, "line": {"width": 1, "color": FRAME}},
            textfont={"color": [LETTERS if colour == FRAME else INK for colour in colours]},
            texttemplate="%{label}<br>%{percentRoot:.1%}",
            hovertemplate="%{label}<br>%{value:,}<br>%{percentRoot:.1%}<extra></extra>",
            tiling={"pad": 1},
        )
    )
    small = {"minsize": 10, "mode": "hide"}  # what is smaller cannot be read
    made.update_layout(margin={"l": 0, "r": 0, "t": 0, "b": 0}, height=420, uniformtext=small)
    return made


def by_kind(found: Sizes) -> list[tuple[str, int]]:
    """Kinds of parts and their parameters, the largest first."""
    sums: dict[str, int] = defaultdict(int)
    for part in found.parts:
        sums[part.kind] += part.parameters
    return sorted(((kind, count) for kind, count in sums.items() if count), key=lambda e: -e[1])


def alt(found: Sizes) -> str:
    """The areas in words."""
    parts = (
        t("{name}: {text}", name=t(KINDS[kind]), text=percent(count / found.total, 1))
        for kind, count in by_kind(found)
    )
    return t("; ").join(parts)


def numbers(found: Sizes) -> Table:
    """One row for each part of each layer."""
    return Table(
        columns=[
            Column("stack", t("Tower"), lambda name: t(STACKS[name]) if name else "–"),
            Column("layer", t("Layer"), number),
            Column("part", t("Part"), lambda kind: t(KINDS[kind])),
            Column("parameters", t("Parameters"), number),
            Column("share", t("Share"), lambda share: percent(share, 2)),
            Column("tensors", t("Tensors")),
        ],
        rows=[_row(part, found.total) for part in found.parts],
        note=t("{count} parameters in all, each counted once.", count=number(found.total)),
    )


def _row(part: PartSize, total: int) -> Sequence[object]:
    return (part.stack, part.layer, part.kind, part.parameters, part.parameters / total,
            " ".join(part.tensors))  # fmt: skip


def picture(found: Sizes, colour: str) -> Svg:
    """Bars for paper: one for each kind of part."""
    kinds = by_kind(found)
    full = max((count for _, count in kinds), default=1) / found.total
    bars = [
        Bar(t(KINDS[kind]), count / found.total, percent(count / found.total, 1))
        for kind, count in kinds
    ]
    title = t("Parameters by part: {model}", model=found.provenance.model)
    return bar_chart(
        title, [Group(t("Share of {count} parameters", count=number(found.total)), bars)],
        full=full, axis=percent(full), colour=colour, footnote=origin(found.provenance),
    )  # fmt: skip
