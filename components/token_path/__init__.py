"""The way of one token through a model, step by step, with its real numbers."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import numpy as np

from components.blocks.detail import short
from components.chosen import chosen
from components.heads import shades
from components.register import register
from components.shares import full_bar, joined, share
from components.theme import Colour
from components.token_path.names import ROWS, formula, name_of
from components.token_path.told import told
from components.words import fixed, number, t
from models.trace import PathStep, TokenPath

__all__ = ["asked", "token_path"]

_token_path = register(
    "token_path", Path(__file__).parent, shared=True, borrowed=["sights/choices"]
)

# No two messages are equal: see `components.answers`.
_serial = count()


def asked(key: str, name: str, most: int, link: str = "", otherwise: int = 0) -> int:
    """Which ``token``, ``layer`` or ``step`` is looked at, from 0; a link counts from 1."""
    return chosen(key, name, most, link=link, otherwise=otherwise)


def token_path(path: TokenPath, *, key: str, step: int, colour: Colour) -> None:
    """Draw the chain of steps and the open one; other steps need no Python.

    Args:
        path: From `models.token_path`.
        key: A name of its own in the session.
        step: Which step is open at first.
        colour: The architecture's own.
    """
    values, steps = [], []
    start = 0
    for each in path.steps:
        found, numbers = _step(each, path, start)
        steps.append(found)
        values += numbers
        start += sum(map(len, numbers))
    _token_path(
        key=key,
        data={
            "serial": next(_serial),
            "colour": shades(colour),
            "tokens": list(path.tokens),
            "token": path.position,
            "layers": path.layers,
            "layer": path.layer,
            "step": min(step, len(steps) - 1),
            "steps": steps,
            "values": np.concatenate(values).astype(np.float32),
            "words": _words(),
        },
        on_token_change=lambda: None,
        on_layer_change=lambda: None,
        on_step_change=lambda: None,
    )


def _step(
    step: PathStep, path: TokenPath, start: int
) -> tuple[dict[str, object], list[np.ndarray]]:
    """A step for the browser, and its vectors, which begin at `start` of all numbers."""
    found: dict[str, object] = {
        "name": name_of(step, path),
        "formula": formula(step),
        "told": told(step, path),
        "rows": [],
        "grid": _grid(step, path),
        "bars": [],
    }
    if step.name in ("logits", "probabilities"):
        found["bars"] = _bars(step, path)
        return found, []
    rows, numbers = [], []
    for row in step.rows:
        most = float(abs(row.values).max()) or 1.0
        rows.append(
            {
                "name": t(ROWS[row.name]),
                "start": start,
                "count": len(row.values),
                "parts": path.heads if row.name in ("query", "key", "value", "joined") else 1,
                "shown": t(
                    "{count} numbers, {low} to {high}",
                    count=number(len(row.values)),
                    low=short(float(row.values.min())),
                    high=short(float(row.values.max())),
                ),
            }
        )
        numbers.append(row.values / most)
        start += len(row.values)
    found["rows"] = rows
    return found, numbers


def _grid(step: PathStep, path: TokenPath) -> dict[str, object] | None:
    """Numbers by head and key, as a reader sees them, with the strength of each cell's colour."""
    if step.grid is None:
        return None
    weights = step.name in ("softmax", "cross")
    finite = step.grid[np.isfinite(step.grid)]
    low, high = (0.0, 1.0) if weights else (float(finite.min()), float(finite.max()))
    room = (high - low) or 1.0
    return {
        "columns": list(path.memory if step.name == "cross" else path.tokens),
        "here": -1 if step.name == "cross" else path.position,
        "rows": [
            {
                "name": t("Head {head}", head=number(i + 1)),
                "cells": [fixed(float(x), 2) if np.isfinite(x) else "−∞" for x in row],
                "shades": [float((x - low) / room) if np.isfinite(x) else None for x in row],
            }
            for i, row in enumerate(step.grid)
        ],
    }


def _bars(step: PathStep, path: TokenPath) -> list[dict[str, object]]:
    """The best words with their scores or probabilities."""
    values = step.rows[0].values
    full = full_bar(each.probability for each in path.best) if path.best else 1.0
    if step.name == "probabilities":
        return [
            {
                "word": joined(each),
                "value": each.probability / full,
                "shown": share(each.probability),
            }
            for each in path.best
        ]
    scores = [float(values[each.token_id]) for each in path.best]
    most = max(map(abs, scores), default=1.0) or 1.0
    return [
        {"word": joined(each), "value": max(0.0, score / most), "shown": fixed(score, 2)}
        for each, score in zip(path.best, scores, strict=True)
    ]


def _words() -> dict[str, str]:
    return {
        "token": t("Token"),
        "layer": t("Layer"),
        "steps": t("The steps of one token; arrow keys lead from step to step"),
        "back": t("← Back"),
        "next": t("Next →"),
        "strip": t("{name}: {shown}"),
        "head": t("Head"),
        "grid": t("{name}, by head and token"),
        "word": t("Word"),
        "value": t("Value"),
    }
