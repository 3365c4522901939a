"""The both-sides test: scores by side and by third of the sentence, and a verdict on each claim."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

from components.both_sides.told import (
    CLAIMS,
    METRICS,
    OUTCOMES,
    VIEWS,
    Group,
    Measured,
    because,
    effect,
    interval,
    shown,
    view_name,
)
from components.chosen import chosen
from components.register import register
from components.words import t
from models.trace import Metric, Score, Verdict

__all__ = ["Group", "Measured", "both_sides", "metric_at"]

_both_sides = register(
    "both_sides",
    Path(__file__).parent,
    shared=True,
    borrowed=["sights/choices", "sights/tables"],
)

# No two messages are equal: see `components.answers`.
_serial = count()

USUAL = 1
"""Among the first five: on few items the first answer alone is mostly noise."""


def metric_at(key: str, measured: Sequence[Measured], link: str = "") -> int:
    """Which metric is shown: what the visitor chose, else what a link asks for (from 1)."""
    return chosen(key, "metric", len(measured), link=link, otherwise=min(USUAL, len(measured) - 1))


def both_sides(
    measured: Sequence[Measured], views: Sequence[str], *, key: str, metric: int, notice: str = ""
) -> None:
    """Draw both charts and the verdicts; other metrics need no Python.

    Args:
        measured: One for each metric.
        views: Whose answers, in order.
        key: A name of its own in the session.
        metric: Which one is shown at first: `metric_at`.
        notice: What to know before reading the numbers; translated.
    """
    _both_sides(
        key=key,
        data={
            "serial": next(_serial),
            "notice": notice,
            "metric": metric,
            "views": [{"name": view_name(view), "ink": VIEWS[view][1].text} for view in views],
            "metrics": [_metric(one) for one in measured],
            "words": {
                "choose": t("Measure"),
                "sides": t("By the side that decides"),
                "thirds": t("By the place of the word in the sentence"),
                "verdicts": t("What that says about the claims"),
                "at": t("{name}, {group}: {value}"),
                "whisker": t("Whiskers: 95% of bootstrap resamples."),
                "table": t("As a table"),
                "model": t("Model"),
            },
        },
        on_metric_change=lambda: None,
    )


def _metric(one: Measured) -> dict[str, object]:
    scores = [score for group in (*one.sides, *one.thirds) for _, score in group.scores]
    return {
        "name": t(METRICS[one.metric]),
        "less": one.metric == "bits",
        "note": t("Fewer bits are better.") if one.metric == "bits" else "",
        "full": _full(one.metric, scores),
        "ticks": [{"at": at, "shown": shown(one.metric, at)} for at in _ticks(one.metric, scores)],
        "sides": [_group(one.metric, group) for group in one.sides],
        "thirds": [_group(one.metric, group) for group in one.thirds],
        "verdicts": [_verdict(one.metric, verdict) for verdict in one.verdicts],
    }


def _full(metric: Metric, scores: Sequence[Score]) -> float:
    """The end of the axis: it holds every whisker."""
    return max([*_ticks(metric, scores), *(score.high for score in scores)])


def _ticks(metric: Metric, scores: Sequence[Score]) -> list[float]:
    """Where the axis has numbers."""
    step = 4.0 if metric == "bits" else 0.2
    highest = max((score.high for score in scores), default=step)
    return [step * i for i in range(int(highest / step) + 2)]


def _group(metric: Metric, group: Group) -> dict[str, object]:
    return {
        "title": group.title,
        "scores": [
            {
                "mean": score.mean,
                "low": score.low,
                "high": score.high,
                "shown": interval(metric, score),
            }
            for _, score in group.scores
        ],
    }


def _verdict(metric: Metric, verdict: Verdict) -> dict[str, object]:
    return {
        "outcome": verdict.outcome.replace(" ", "-"),
        "named": t(OUTCOMES[verdict.outcome]),
        "claim": t(CLAIMS[verdict.claim]),
        "effect": effect(metric, verdict),
        "because": because(verdict),
    }
