"""A sentence before and after its words were shuffled: what each model answers, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np

from components.heads import shades
from components.register import register
from components.shares import full_bar, joined, share
from components.theme import Colour
from components.words import fixed, number, percent, sentences, space, t
from models.trace import Candidate, Order

_shuffled = register("shuffled", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


@dataclass(frozen=True)
class Lane:
    """One model, with or without its positions."""

    name: str
    """What its positions are, in the visitor's language."""
    model: str
    colour: Colour
    found: Order | None = None
    note: str = ""
    """Why nothing was found; translated."""
    causal: bool = False
    """It is asked for what comes after the last word."""


def shuffled(lanes: Sequence[Lane], *, key: str) -> None:
    """Draw the shuffled sentence and the lanes.

    Args:
        lanes: Those found and those that are missing.
        key: A name of its own in the session.
    """
    first = next((lane.found for lane in lanes if lane.found), None)
    _shuffled(
        key=key,
        data={
            "serial": next(_serial),
            "typed": list(first.words[0]) if first else [],
            "shuffled": list(first.words[1]) if first else [],
            "lanes": [_lane(lane) for lane in lanes],
            "words": {
                "typed": t("As typed"),
                "shuffled": t("Shuffled"),
                "word": t("Word"),
                "share": t("Probability"),
            },
        },
    )


def full(lanes: Sequence[Lane]) -> float:
    """The probability of a full bar, the same on both sides."""
    found = [lane.found for lane in lanes if lane.found]
    best = [side[0] for each in found for side in (each.before, each.after) if side]
    return full_bar(answer.probability for answer in best)


def _lane(lane: Lane) -> dict[str, object]:
    found = lane.found
    return {
        "name": lane.name,
        "model": lane.model,
        "ink": lane.colour.text,
        "colour": shades(lane.colour),
        "note": lane.note,
        "before": _rows(found.before) if found else [],
        "after": _rows(found.after) if found else [],
        "asked": asked(lane),
        "told": told(lane),
        "full": full([lane]),
        "scale": t("A full bar is {full}.", full=percent(full([lane]))),
    }


def _rows(answers: Sequence[Candidate]) -> list[dict[str, object]]:
    return [
        {"word": joined(each), "value": each.probability, "shown": share(each.probability)}
        for each in answers
    ]


def asked(lane: Lane) -> str:
    """What the model is asked for."""
    if not lane.causal or lane.found is None:
        return ""
    last = lane.found.words[0][-1]
    return t("Asked for what comes after “{word}”, which stays at the end.", word=last)


def told(lane: Lane) -> str:
    """What shuffling did, in words."""
    if lane.found is None:
        return ""
    moved = lane.found.moved
    parts = []
    if len(moved) > 1:
        parts.append(
            t(
                "The answer moves by {bits} ± {spread} bits (mean and standard deviation of "
                "{count} shuffles).",
                bits=fixed(float(moved.mean()), digits(moved)),
                spread=fixed(float(moved.std(ddof=1)), digits(moved)),
                count=number(len(moved)),
            )
        )
    return sentences(*parts, difference(lane))


def digits(moved: np.ndarray) -> int:
    """Decimals that leave something of a small number."""
    return 2 if moved.max() >= 0.1 or moved.max() < 1e-6 else 4


def difference(lane: Lane) -> str:
    """How far the states moved."""
    if lane.found is None:
        return ""
    values = {
        "difference": f"{lane.found.difference:.2g}",
        "largest": number(lane.found.largest, 1),
    }
    if lane.causal:
        return t("The last word’s state changes by up to {difference}, of numbers up to "
                 "{largest}.", **values)  # fmt: skip
    return t(
        "Each word’s state, wherever it stands now, changes by up to {difference}, of numbers up "
        "to {largest}.",
        **values,
    )


def row(words: Sequence[str]) -> str:
    """Words in a row, as a caption says them."""
    return (space() or " ").join(words)
