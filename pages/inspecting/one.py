"""One model in full: what it is, how well it does, what it has read, its card."""

from __future__ import annotations

import streamlit as st

from components.takeaway import Column, Table, panel_bar
from components.words import msg, number, percent, sentences, t
from models.report import Estimate, Report
from pages.inspecting.links import try_it
from pages.inspecting.words import ARCHITECTURES, TASKS, TESTS

UNITS = {
    "words": msg("{count} words"),
    "characters": msg("{count} characters"),
    "pairs": msg("{count} pairs"),
}
SAMPLES = 8


def one(report: Report, link: dict[str, str]) -> None:
    """Draw it, figures first."""
    name = report.facts.name
    st.subheader(name, anchor=False)
    st.markdown(about(report))
    try_it(report.facts)
    figures(report, link)
    read(report)
    if report.samples:
        with st.expander(t("What it writes when it is left alone")):
            st.caption(t("The first of all samples, as they came."))
            for sample in report.samples[:SAMPLES]:
                st.text(sample)
    if report.readme:
        with st.expander(t("Model card")):
            st.markdown(report.readme)


def about(report: Report) -> str:
    """The model in a few sentences."""
    facts, card = report.facts, report.card
    first = t(
        "{architecture}: {task}.",
        architecture=ARCHITECTURES[facts.family],
        task=t(TASKS[facts.objective]),
    )
    size = ""
    if card:
        size = t(
            "{parameters} parameters, a vocabulary of {pieces} entries, {tokens} tokens seen.",
            parameters=number(card.parameters),
            pieces=number(card.pieces),
            tokens=number(card.tokens),
        )
    differs = report.differs and t(
        "A variant of {base}. What differs: {what}.", base="bert-v", what=report.differs
    )
    return sentences(first, size, differs)


def figures(report: Report, link: dict[str, str]) -> None:
    """Every test of the model, as a table."""
    if not report.tests:
        st.caption(t("Nobody has measured this model yet."))
        return
    rows = [
        {
            t("Test"): t(TESTS.get(test.name, test.name)),
            t("Asked"): number(test.targets),
            t("Loss (nats)"): shown(test.figures.get("loss"), in_percent=False),
            t("First answer right"): shown(test.figures.get("top1") or test.figures.get("exact")
                                           or test.figures.get("found")),
            t("Among five"): shown(test.figures.get("top5")),
            t("Wrong characters"): shown(test.figures.get("character_error")),
            t("Echoes"): shown(test.figures.get("echoes")),
        }
        for test in report.tests
    ]  # fmt: skip
    filled = [name for name in rows[0] if any(row[name] for row in rows)]
    st.table([{name: row[name] for name in filled} for row in rows], hide_index=True)
    panel_bar(
        key=f"models_figures_{report.facts.name}",
        title=report.facts.name,
        numbers=lambda: table(report),
        code=f"python -m models.training evaluate {report.facts.name}",
        link=link,
        how=t(
            "Each figure is a mean with its standard error, on text that training never saw. An "
            "echo is a first answer that already stands in the sentence."
        ),
    )


def shown(estimate: Estimate | None, in_percent: bool = True) -> str:
    """A mean with its standard error; "" where there is none."""
    if estimate is None:
        return ""
    if in_percent:
        return f"{percent(estimate.mean, 1)} ± {number(100 * estimate.error, 1, exactly=True)}"
    return f"{number(estimate.mean, 2, exactly=True)} ± {number(estimate.error, 2, exactly=True)}"


def table(report: Report) -> Table:
    """Every figure in a row of its own."""
    columns = (
        Column("test", t("Test"), lambda name: t(TESTS.get(name, name))),
        Column("figure", t("Figure")),
        Column("targets", t("Asked"), number),
        Column("mean", t("Mean"), lambda value: number(value, 4)),
        Column("error", t("Standard error"), lambda value: number(value, 4)),
    )
    rows = [
        (test.name, name, test.targets, estimate.mean, estimate.error)
        for test in report.tests
        for name, estimate in test.figures.items()
    ]
    return Table(columns, rows)


def read(report: Report) -> None:
    """The texts that the model has read, with their origins and licences."""
    if not report.sources:
        return
    with st.expander(t("What it has read")):
        st.table(
            [
                {
                    t("Source"): source.name,
                    t("Package"): ", ".join(source.packages),
                    t("Amount"): t(UNITS[source.unit], count=number(source.amount)),
                    t("Licence"): source.licence,
                }
                for source in report.sources
            ],
            hide_index=True,
        )
