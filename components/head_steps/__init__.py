"""Through a masked-LM head step by step, and around it: dense, activation, LayerNorm, softmax."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from math import log10
from pathlib import Path

import numpy as np

from components.head_steps.stages import Pair, Row, Stage, followed, stages
from components.head_steps.verdict import caution, verdict
from components.register import register
from components.shares import full_bar, joined, rare, share
from components.words import number, percent, t
from models.trace import Answer, HeadSteps, Standing

__all__ = ["STAGES", "head_steps"]

_head_steps = register("head_steps", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()

STAGES = 6
BINS = 32
"""Of a histogram."""


def head_steps(steps: HeadSteps, *, key: str, colour: str, words: int, step: int) -> None:
    """Draw the stages, one of them opened, and what comes out with and without the transform.

    Args:
        steps: The head at one blank.
        key: A name of its own in the session; its state ``step`` is the open stage, from 0.
        colour: CSS colour of the marks, the architecture's own.
        words: How many entries of the vocabulary can be an answer: the last rank.
        step: The open stage at first; then the browser knows.
    """
    pair, (*vectors, logits, softmax) = followed(steps), stages(steps)
    full = full_bar(answer.best[0].probability for answer in _answers(steps))
    _head_steps(
        key=key,
        data={
            "serial": next(_serial),
            "colour": colour,
            "step": step,
            "stages": [
                *map(vector, vectors),
                _scores(logits, steps, pair),
                _heading(softmax) | {"bars": _bars(steps.answer)},
            ],
            "verdict": verdict(steps),
            "caution": caution(),
            "outcomes": _outcomes(steps, pair, words),
            "full": full,
            "words": wording(full),
        },
        on_step_change=lambda: None,
    )


def _answers(steps: HeadSteps) -> list[Answer]:
    return [each for each in (steps.answer, steps.without) if each is not None]


def _heading(stage: Stage) -> dict[str, object]:
    return {
        "name": stage.name,
        "formula": stage.formula,
        "size": stage.size,
        "told": stage.told,
        "facts": [list(fact) for fact in stage.facts],
    }


def vector(stage: Stage) -> dict[str, object]:
    """A vector: its numbers side by side, how often each occurs, each against what it was."""
    low, high = span(stage.values)
    drawn: dict[str, object] = _heading(stage) | {
        "vector": {
            "values": _rounded(stage.values),
            "counts": np.histogram(stage.values, BINS, (low, high))[0].tolist(),
            **_axis(low, high),
        }
    }
    if stage.before is not None:
        before = span(stage.before)
        drawn["before"] = {"values": _rounded(stage.before), **_axis(*before)}
    return drawn


def span(values: Row) -> tuple[float, float]:
    """From the smallest to the largest number, with 0 in between."""
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    return (low, high) if low < high else (-1.0, 1.0)


def _axis(low: float, high: float) -> dict[str, object]:
    digits = max(0, 2 - round(log10(high - low)))
    return {
        "low": low,
        "high": high,
        "ends": [_signed(low, digits), _signed(high, digits)],
    }


def _signed(value: float, digits: int) -> str:
    return number(value, digits).replace("-", "−")


def _rounded(values: Row) -> list[float]:
    """Four decimals: more than a screen can show."""
    return [round(value, 4) for value in values.tolist()]


def _scores(stage: Stage, steps: HeadSteps, pair: Pair) -> dict[str, object]:
    """How many entries of the vocabulary have which score, and where two of them stand."""
    low, high = float(steps.logits.min()), float(steps.logits.max())
    if low == high:
        low, high = low - 1, high + 1
    best = steps.answer.best[0]
    marks = [(joined(best), float(steps.logits[best.token_id]))]
    if pair.own and pair.with_it.rank > 1:
        # A probability is exp(score) / sum: so the score follows from that of the best.
        ratio = np.log(max(pair.with_it.probability, 1e-300) / best.probability)
        marks.append((pair.word, marks[0][1] + float(ratio)))
    return _heading(stage) | {
        "scores": {
            "counts": np.histogram(steps.logits, 2 * BINS, (low, high))[0].tolist(),
            "marks": [
                {
                    "at": min(1.0, max(0.0, (value - low) / (high - low))),
                    "text": t("“{word}” {score}", word=word, score=_signed(value, 1)),
                }
                for word, value in marks
            ],
            **_axis(low, high),
        }
    }


def _bars(answer: Answer) -> list[dict[str, object]]:
    return [
        {
            "word": joined(each),
            "value": each.probability,
            "shown": share(each.probability),
            "strong": rank == answer.original_rank,
        }
        for rank, each in enumerate(answer.best, start=1)
    ]


def _outcomes(steps: HeadSteps, pair: Pair, words: int) -> Sequence[dict[str, object]]:
    """The answer with the transform, and without it where that is possible."""
    outcomes = [(t("With dense, activation and LayerNorm"), steps.answer, pair.with_it)]
    if steps.without is not None and pair.without is not None:
        title = t("Without them: the state straight into the vocabulary matrix")
        outcomes.append((title, steps.without, pair.without))
    return [
        {"title": title, "bars": _bars(answer), "standing": _standing(pair.word, standing, words)}
        for title, answer, standing in outcomes
    ]


def _standing(word: str, standing: Standing, words: int) -> str:
    place = {"rank": number(standing.rank), "words": number(words)}
    told = t("{share} · rank {rank} of {words}", share=rare(standing.probability), **place)
    return t("{name}: {text}", name=t("“{word}”", word=word), text=told)


def wording(full: float) -> dict[str, str]:
    """The words in view.js, in the visitor's language; it fills in what stands in braces."""
    return {
        "steps": t("The steps of the output head"),
        "back": t("Back"),
        "next": t("Next"),
        "word": t("Word"),
        "share": t("Probability"),
        "strip": t("{name}: the {size} side by side, from {low} to {high}"),
        "counts": t("{name}: how often each value occurs"),
        "dots": t("Each number before (across) and after (upwards): {name}"),
        "across": t("before"),
        "upwards": t("after"),
        "scores": t("How many entries have which score (upwards: logarithmic): {marks}"),
        "comma": t(", "),
        "scale": t("A full bar is {full}.", full=percent(full)),
    }
