"""All models in one table; a visitor marks those to look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.words import t
from models.report import Report, Tested
from pages.inspecting.words import ARCHITECTURES, LANGUAGES, OWN_TASK, TASKS

HEIGHT = 420


def own_task(report: Report) -> Tested | None:
    """The test of what the model was trained to do."""
    return next((found for name in OWN_TASK if (found := report.test(name))), None)


def share(test: Tested | None, name: str) -> float | None:
    """A share of a test, in per cent; None where it has none."""
    if test is None or name not in test.figures:
        return None
    return 100 * test.figures[name].mean


def row(report: Report) -> dict[str, Any]:
    """One model, under the titles of the columns."""
    facts, card, test = report.facts, report.card, own_task(report)
    loss = test.figures["loss"].mean if test else None
    return {
        t("Model"): facts.name,
        t("Architecture"): ARCHITECTURES[facts.family],
        t("What it does"): t(TASKS[facts.objective]),
        t("Language"): ", ".join(t(LANGUAGES[each]) for each in facts.languages),
        t("Parameters (M)"): card.parameters / 1e6 if card else None,
        t("Tokens seen (M)"): card.tokens / 1e6 if card else None,
        t("Loss (nats)"): loss,
        t("First answer right (%)"): share(test, "top1"),
        t("Among five (%)"): share(test, "top5"),
        t("One blank (%)"): share(report.test("one blank"), "top1"),
        t("Exact (%)"): share(report.test("held-out days") or report.test("held-out help pages"),
                             "exact"),
    }  # fmt: skip


def overview(reports: Sequence[Report], key: str) -> list[Report]:
    """Draw the table; the models that are marked, in its order."""
    rows = [row(report) for report in reports]
    columns = {name: [each[name] for each in rows] for name in rows[0]}
    columns = {name: values for name, values in columns.items() if set(values) != {None}}
    decimals = {t("Loss (nats)"): "%.2f"}
    chosen = st.dataframe(
        columns,
        key=key,
        hide_index=True,
        height=min(HEIGHT, 40 + 35 * len(rows)),
        placeholder="–",
        on_select="rerun",
        selection_mode="multi-row",
        column_config={
            name: st.column_config.NumberColumn(name, format=decimals.get(name, "%.1f"))
            for name, values in columns.items()
            if all(value is None or isinstance(value, float) for value in values)
        },
    )
    return [reports[at] for at in sorted(chosen["selection"]["rows"]) if at < len(reports)]
