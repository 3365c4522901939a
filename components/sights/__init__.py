"""Who sees what: for every model its matrix of positions and changed words, beside its mask.

Above the matrices one change is followed through all models: each lane shows the text, tinted where
it is noticed. Pointing at a cell, a word or a lane lights the same ones everywhere, in the browser.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import numpy as np

from components.chosen import chosen
from components.heads import shades
from components.register import register
from components.sights import told
from components.sights.seen import Seen, column_names, panes, row_names
from components.words import percent, t
from models.trace import Pane

__all__ = ["Seen", "changed", "sights"]

_sights = register("sights", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()

SAMPLES = (0.01, 0.1, 0.5, 1.0)
"""Values in the legend."""


def changed(key: str, shown: Sequence[Seen], link: str = "", otherwise: int = 0) -> int:
    """Which word is changed, counted from 0: what the visitor chose, else a link (from 1)."""
    return chosen(key, "changed", len(_words_of(shown)), link=link, otherwise=otherwise)


def sights(shown: Sequence[Seen], *, key: str, changed: int) -> None:
    """Draw all lanes and matrices.

    Args:
        shown: The models, in order.
        key: A name of its own in the session.
        changed: Which word is changed at first: `changed`.
    """
    every = [pane for _, pane in panes(shown)]
    values = _joined([pane.values for pane in every], np.float32)
    drawn = {
        "models": [_model(seen) for seen in shown],
        "changeable": _words_of(shown),
        "headline": told.headline(shown),
        "passed": told.passed(shown),
        "words": _words(),
    }
    _sights(
        key=key,
        data=drawn
        | {
            "serial": next(_serial),
            # Of one picture: as long as it stays, the browser keeps what it has, and the focus.
            "name": hashlib.sha256(repr(drawn).encode() + values.tobytes()).hexdigest()[:16],
            "changed": changed,
            "values": values,
            "allowed": _joined([pane.allowed for pane in every], np.uint8),
        },
        on_changed_change=lambda: None,
    )


def _joined(matrices: Sequence[np.ndarray], kind: type[np.generic]) -> np.ndarray:
    """All matrices in one column of numbers, row after row."""
    return np.concatenate([np.zeros(0), *map(np.ravel, matrices)]).astype(kind)


def _words_of(shown: Sequence[Seen]) -> list[dict[str, object]]:
    """What can be changed, of the model that reads most of it; padding is no choice."""
    several = [_columns(pane) for _, pane in panes(shown)]
    longest = max(several, key=len, default=[])
    return [column for column in longest if column["kind"] != "padding"]


def _model(seen: Seen) -> dict[str, object]:
    return {
        "name": seen.name,
        "model": seen.model,
        "ink": seen.colour.text,
        "colour": shades(seen.colour),
        "note": seen.note,
        "panes": [
            {
                "title": told.title(seen, pane),
                "rows": _rows(pane),
                "columns": _columns(pane),
                "check": told.forbidden(pane.check),
                "passed": pane.check.passed,
                "moving": told.allowed(pane.check),
            }
            for pane in (seen.sight.panes if seen.sight else ())
        ],
    }


def _columns(pane: Pane) -> list[dict[str, object]]:
    names = column_names(pane)
    return [
        {"id": name, "text": unit.text, "kind": unit.kind}
        for name, unit in zip(names, pane.columns, strict=True)
    ]


def _rows(pane: Pane) -> list[dict[str, object]]:
    names = row_names(pane)
    real = len(pane.rows) - sum(unit.kind == "padding" for unit in pane.columns)
    return [
        {
            "id": name,
            "text": token.text,
            "kind": "padding" if i >= real else "special" if token.kind == "special" else "word",
            "joins": token.kind == "continuation",
        }
        for i, (name, token) in enumerate(zip(names, pane.rows, strict=True))
    ]


def _words() -> dict[str, object]:
    """The words in the scripts, in the visitor's language; they fill in what stands in braces."""
    return {
        "change": t("Which word changes?"),
        "asked": t("When “{word}” changes, who notices?"),
        "sides": t("before it {before} of {left} · after it {after} of {right}"),
        "cell": t("“{row}” when “{column}” changes: {value}"),
        "own": t("“{row}” itself: {value}"),
        "zero": t("exactly 0"),
        "never": t("exactly 0, as its mask says"),
        "leak": t("{value}, though its mask forbids it"),
        "mask": t("The mask: what it may see"),
        "matrix": t("{name}, {title}: measured. Arrow keys go through the cells."),
        "rows": t("Each row is a position, each column a changed word."),
        "measured": t("Measured: how far the state moves, as a share of its length"),
        "samples": [percent(each) for each in SAMPLES],
        "dot": t("a dot: exactly 0"),
        "thumb": t("Small, above: its mask. Tinted is what it may see."),
        "table": t("As tables"),
        "position": t("Position"),
        "comma": t(", "),
    }
