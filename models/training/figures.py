"""The figures of a model as plain rows beside its weights, for whoever shows or compares them.

``figures.json`` holds one row for each test: its name, how many targets it has, and each figure as
a mean with its standard error. Shares are shares (0.25, not 25 %), losses are in nats.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from models.training.evaluation import Interval, Scores
from models.training.families import FamilyFigures
from models.training.results import Figures
from models.training.translators import TranslatorFigures

FILE = "figures.json"
Row = dict[str, Any]
Measured = Figures | FamilyFigures | TranslatorFigures


def write_figures(folder: Path, measured: Measured) -> None:
    """Write all that was measured of a model into its folder."""
    facts: dict[str, Any] = {"parameters": measured.parameters, "tests": rows(measured)}
    if isinstance(measured, FamilyFigures):
        facts |= {"without_words": measured.without_words}
        facts |= {"milliseconds": round(measured.milliseconds, 2)}
    _write(folder, facts)


def write_baselines(folder: Path, baselines: dict[str, list[Row]]) -> None:
    """Add what the figures of a model are to be compared with."""
    facts = json.loads((folder / FILE).read_text(encoding="utf-8")) | {"baselines": baselines}
    _write(folder, facts)


def _write(folder: Path, facts: dict[str, Any]) -> None:
    text = json.dumps(facts, indent=1, ensure_ascii=False)
    (folder / FILE).write_text(text + "\n", encoding="utf-8")


def rows(measured: Measured) -> list[Row]:
    """One row for each test of a model."""
    if isinstance(measured, Figures):
        return _masked_rows(measured)
    if isinstance(measured, FamilyFigures):
        return _family_rows(measured)
    return _translator_rows(measured)


def masked_row(scores: Scores) -> Row:
    """The row of the masked evaluation: the mean over the sources, and words alone."""
    return _scored("masked", scores) | _means(word_top1=scores.word_top1)


def _masked_rows(measured: Figures) -> list[Row]:
    held_out = masked_row(measured.masked["all"])
    everyday = measured.everyday
    shares = {"top1": everyday.top1, "top5": everyday.top5, "echoes": everyday.echo}
    return [held_out, {"test": "everyday", "targets": len(measured.items)} | _means(**shares)]


def _family_rows(measured: FamilyFigures) -> list[Row]:
    found = [_scored(task, scores) for task, scores in measured.tasks.items()]
    for way, (top1, top5) in measured.blanks.items():
        test = "one blank" if way == "answer" else f"one blank, {way}"
        found.append({"test": test, "targets": measured.items} | _means(top1=top1, top5=top5))
    return found


def _translator_rows(measured: TranslatorFigures) -> list[Row]:
    found = []
    for test in measured.tests:
        scores = _means(exact=test.scores.exact, character_error=test.scores.character_error)
        found.append({"test": test.title, "targets": len(test.pairs)} | scores)
    aligned = measured.alignment
    found.append({"test": "alignment", "targets": aligned.anchors} | _means(found=aligned.found))
    return found


def _scored(test: str, scores: Scores) -> Row:
    loss = Interval(scores.loss, scores.loss_error)
    row: Row = {"test": test, "targets": scores.targets}
    if not math.isnan(scores.per_character):
        row["per_character"] = round(scores.per_character, 4)
    return row | _means(loss=loss, top1=scores.top1, top5=scores.top5)


def _means(**intervals: Interval) -> Row:
    return {k: [round(i.mean, 4), round(i.error, 4)] for k, i in intervals.items()}
