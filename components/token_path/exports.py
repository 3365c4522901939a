"""A token's way to take away: every number of every step, and its best words as bars."""

from __future__ import annotations

from collections.abc import Iterator

from components.pictures import Bar, Group, Svg, bar_chart
from components.shares import full_bar, joined, share
from components.takeaway import Column, Table, origin, precise
from components.theme import Colour
from components.token_path.names import name_of
from components.token_path.told import token, told
from components.words import number, percent, t
from models.trace import TokenPath

MOST = 1_100
"""Numbers of one vector that a table lists: of the vocabulary's scores only the best words."""


def numbers(path: TokenPath) -> Table:
    """Each number of each step; of logits and probabilities those of the best words."""
    return Table(
        columns=[
            Column("step", t("Step")),
            Column("vector", t("Vector")),
            Column("head", t("Head"), number),
            Column("place", t("Place"), number),
            Column("name", t("Token or word")),
            Column("value", t("Value"), precise),
        ],
        rows=list(_rows(path)),
        note=t(
            "The way of “{token}” in layer {layer} of {count}. Places count from 0.",
            token=token(path),
            layer=number(path.layer + 1),
            count=number(path.layers),
        ),
    )


def _rows(path: TokenPath) -> Iterator[tuple[object, ...]]:
    for step in path.steps:
        if step.grid is not None:
            keys = path.memory if step.name == "cross" else path.tokens
            for head, line in enumerate(step.grid.tolist()):
                for place, value in enumerate(line):
                    yield step.name, "weights", head, place, keys[place], value
        for row in step.rows:
            if len(row.values) > MOST:
                for word in path.best:
                    value = float(row.values[word.token_id])
                    yield step.name, row.name, None, word.token_id, joined(word), value
            else:
                for place, value in enumerate(row.values.tolist()):
                    yield step.name, row.name, None, place, None, value


def picture(path: TokenPath, name: str, colour: Colour) -> Svg:
    """Where each head looks, and what comes out at the end."""
    full = full_bar(each.probability for each in path.best)
    groups = [
        Group(
            t("Probabilities"),
            [Bar(joined(e), e.probability, share(e.probability)) for e in path.best],
        )
    ]
    for step in path.steps:
        if step.name == "softmax" and step.grid is not None:
            mean = step.grid.mean(0)
            bars = [
                Bar(path.tokens[i], float(mean[i]) * full, percent(float(mean[i])))
                for i in range(len(mean))
            ]
            groups.append(Group(t("Mean weight over the heads"), bars, axis="1"))
    title = t("{name}: the way of “{token}”", name=name, token=token(path))
    last = path.steps[-1]
    return bar_chart(
        title,
        groups,
        full=full,
        axis=percent(full),
        colour=colour.mark,
        footnote=f"{name_of(last, path)}: {told(last, path)} {origin(path.provenance)}",
    )
