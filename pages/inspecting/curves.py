"""How held-out loss fell while the chosen models were trained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from components.charts import DASHES, Line, line_chart
from components.takeaway import Column, Table, panel_bar
from components.words import number, t
from models.report import Report
from pages.inspecting.words import COLOURS


def curves(reports: Sequence[Report], link: dict[str, str]) -> None:
    """One line for each model that has a curve; nothing if none has."""
    shown = [report for report in reports if report.curve]
    if not shown:
        return
    st.subheader(t("How it learned"), anchor=False)
    st.plotly_chart(
        line_chart(
            lines(shown),
            x_title=t("Tokens seen"),
            y_title=t("Loss on held-out text (nats)"),
            logarithmic=True,
        ),
        key="models_curves",
        config={"displaylogo": False, "displayModeBar": False},
        alt=alt(shown),
    )
    panel_bar(
        key="models_curve",
        title=t("How it learned"),
        numbers=lambda: table(shown),
        link=link,
        how=t(
            "While a model was trained, the running average of its weights was asked about the "
            "same held-out texts every few minutes. Models with different tasks are asked "
            "different questions: compare curves of one task."
        ),
    )


def lines(reports: Sequence[Report]) -> list[Line]:
    """Each in the colour of its architecture; those of one colour by their dashes."""
    used: Counter[str] = Counter()
    found = []
    for report in reports:
        colour = COLOURS[report.facts.family].mark
        dash = DASHES[used[colour] % len(DASHES)]
        used[colour] += 1
        x, y = [m.tokens for m in report.curve], [m.loss for m in report.curve]
        told = [said(report, at) for at in range(len(x))]
        found.append(Line(report.facts.name, x, y, colour, dash, told))
    return found


def said(report: Report, at: int) -> str:
    """One point of a curve in words."""
    moment = report.curve[at]
    return t(
        "{tokens} tokens, {minutes} core-minutes: {loss} nats",
        tokens=number(moment.tokens),
        minutes=number(moment.core_minutes),
        loss=number(moment.loss, 3),
    )


def alt(reports: Sequence[Report]) -> str:
    """The picture in words: where each curve begins and ends."""
    return " ".join(
        t(
            "{model}: from {first} to {last} nats.",
            model=report.facts.name,
            first=number(report.curve[0].loss, 2),
            last=number(report.curve[-1].loss, 2),
        )
        for report in reports
    )


def table(reports: Sequence[Report]) -> Table:
    """Every point of every curve."""
    columns = (
        Column("model", t("Model")),
        Column("tokens", t("Tokens seen"), number),
        Column("core_minutes", t("Core-minutes"), lambda value: number(value, 1)),
        Column("loss", t("Loss on held-out text (nats)"), lambda value: number(value, 3)),
        Column("top1", t("First answer right"), lambda value: number(value, 3)),
    )
    rows = [
        (report.facts.name, m.tokens, m.core_minutes, m.loss, m.top1)
        for report in reports
        for m in report.curve
    ]
    return Table(columns, rows)
