"""The page about all models, through the router: tiny ones, with figures written for the test."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import models
from models import catalog
from models.report import Report
from pages.inspecting.overview import row
from pages.inspecting.words import ARCHITECTURES, TESTS
from tests.pages.tiny_zoo import built_zoo, keep, zoo

__all__ = ["built_zoo", "zoo"]  # fixtures

SHELL = Path(__file__).parents[2] / "components" / "shell.py"
PAGE = "../pages/models.py"
CURVE = [
    {"tokens": 10, "core_minutes": 1.0, "held_out_loss": 5.0, "held_out_top1": 0.1},
    {"tokens": 90, "core_minutes": 9.0, "held_out_loss": 4.0, "held_out_top1": 0.2},
]
TESTED = [
    {"test": "masked", "targets": 100, "loss": [4.0, 0.1], "top1": [0.25, 0.01]},
    {"test": "one blank", "targets": 50, "top1": [0.5, 0.02], "top5": [0.75, 0.02]},
]


@pytest.fixture
def measured(zoo: Path) -> Iterator[Path]:
    """`bert-s-en` as if it had been published."""
    folder = zoo / "bert-s-en"
    facts = json.loads((folder / "training.json").read_text())
    package = {"name": "wordnet", "version": "3.0", "licence": "permissive", "sha256": "ab"}
    facts["corpus"] = {"examples": {**package, "train": {"words": 1234}}}
    facts["curve"] = CURVE
    files = {
        "training.json": json.dumps(facts),
        "figures.json": json.dumps({"parameters": 10, "tests": TESTED}),
        "samples.jsonl": json.dumps({"text": "Once upon a time"}) + "\n",
        "README.md": "---\nlicense: apache-2.0\n---\n\n# bert-s-en\n\nA tiny one.\n",
    }
    before = (folder / "training.json").read_text()
    for name, text in files.items():
        (folder / name).write_text(text)
    yield zoo
    (folder / "training.json").write_text(before)
    for name in files.keys() - {"training.json"}:
        (folder / name).unlink()


def visit(locale: str = "en-US", **query: str) -> AppTest:
    app = AppTest.from_file(SHELL, default_timeout=120)
    app.context = {"locale": locale}
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    app.switch_page(PAGE).run()
    assert not app.exception
    return app


def subheaders(app: AppTest) -> list[str]:
    return [each.value for each in app.subheader]


def test_every_bundled_model_has_a_row_and_the_first_is_shown(measured: Path) -> None:
    app = visit()
    table = app.dataframe[0].value
    assert list(table["Model"]) == [facts.name for facts in models.bundled()]
    assert "How it learned" not in subheaders(app), "bert-en has no curve here"
    assert subheaders(app)[-1] == "bert-en"


def test_a_link_shows_the_models_it_names_with_figures_sources_samples_and_card(
    measured: Path,
) -> None:
    app = visit(model="bert-s-en,gpt-s-en,<script>")
    assert subheaders(app) == ["How it learned", "bert-s-en", "gpt-s-en"]
    figures = app.table[0].value
    assert figures["First answer right"].tolist() == ["25.0% ± 1.0", "50.0% ± 2.0"]
    assert figures["Loss (nats)"].tolist() == ["4.00 ± 0.10", ""]
    sources = app.table[1].value
    assert sources["Amount"].tolist() == ["1,234 words"]
    assert sources["Licence"].tolist() == ["permissive"]
    assert any("Once upon a time" in each.value for each in app.text)
    shown = " ".join(each.value for each in app.markdown)
    assert "A tiny one." in shown and "license:" not in shown


def test_the_curve_has_the_points_of_the_log(measured: Path) -> None:
    chart: Any = visit(model="bert-s-en").get("plotly_chart")[0]
    (line,) = json.loads(chart.proto.spec)["data"]
    assert (line["x"], line["y"]) == ([10, 90], [5.0, 4.0])


def test_it_speaks_chinese(measured: Path) -> None:
    app = visit("zh-TW", model="bert-s-en")
    assert app.title[0].value == "模型"
    assert "第一個答案就對" in app.table[0].value.columns


def test_without_models_it_says_so(zoo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(monkeypatch, zoo)
    app = visit()
    assert [each.value for each in app.info] == ["No model came with this app."]


@pytest.mark.parametrize("report", models.reports(), ids=lambda report: report.facts.name)
def test_the_published_models_are_told_in_full(report: Report) -> None:
    """On the weights of this repository: what the page needs is there, and has a name."""
    assert report.facts.family in ARCHITECTURES
    assert {test.name for test in report.tests} <= TESTS.keys()
    assert report.card and report.card.tokens > 0
    assert report.curve and report.sources and report.readme.startswith("# ")
    assert any(isinstance(value, float) for value in row(report).values())
    assert report.facts.folder.parent == catalog.ZOO
