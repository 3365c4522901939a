"""Query · key: how one token's query becomes weights, and what the head says there, in stages."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from pathlib import Path

import numpy as np
import streamlit as st

from components.chosen import place
from components.head import label
from components.heads import shades
from components.heads.kinds import head_name
from components.register import register
from components.stages.steps import headline, steps
from components.theme import Colour
from components.words import fixed, number, percent, t
from models.trace import QueryStages

__all__ = ["MOST", "asked", "listed", "stages"]

_stages = register("stages", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()

MOST = 48
"""Keys listed; of more, those with the largest weights, in the order of the text."""


def asked(key: str, tokens: int) -> int | None:
    """The query token that the browser asks for; None where it says nothing usable."""
    state = st.session_state.get(key)
    token = state.get("query") if isinstance(state, Mapping) else None
    return token if type(token) is int and 0 <= token < tokens else None


def listed(found: QueryStages) -> list[int]:
    """Which keys are shown."""
    best = np.argsort(-found.weights, kind="stable")[:MOST]
    return sorted(int(key) for key in best)


def stages(
    found: QueryStages,
    queries: list[str],
    *,
    key: str,
    follows: str,
    colour: Colour,
    step: str = "",
) -> None:
    """Draw the stages.

    Args:
        found: From `models.query_stages`.
        queries: All tokens that can ask.
        key: A name of its own. Its state ``query`` is read by `asked`; ``head`` says that another
            one was opened.
        follows: The key of the head whose choices are followed.
        colour: The architecture's own.
        step: Which one a link shows first, counted from 1; else the last.
    """
    told = steps(found)
    keys = listed(found)
    vectors = np.concatenate([found.query_vector[None], found.key_vectors[keys]])
    products = found.key_vectors[keys] * found.query_vector
    _stages(
        key=key,
        data={
            "serial": next(_serial),
            "follows": follows,
            "step": place(step, len(told), len(told) - 1),
            "at": [found.layer, found.head],
            "colour": shades(colour),
            "title": t(
                "{head}: the query of “{word}”",
                head=head_name(found.layer, found.head),
                word=queries[found.query],
            ),
            "headline": headline(found),
            "query": found.query,
            "queries": queries,
            "width": len(found.query_vector),
            "vectors": (vectors / (abs(vectors).max() or 1)).ravel().astype(np.float32),
            "products": (products / (abs(products).max() or 1)).ravel().astype(np.float32),
            "steps": [
                {"name": step.name, "formula": step.formula, "told": step.told} for step in told
            ],
            "rows": [_row(found, key) for key in keys],
            "words": _words(found, len(keys)),
        },
        on_head_change=lambda: None,
        on_query_change=lambda: None,
    )


def _row(found: QueryStages, key: int) -> dict[str, object]:
    """All numbers of one key, as a reader sees them, and two of them as bars."""
    weight, brought = float(found.weights[key]), brings(found)
    seen = bool(found.mask[key])
    return {
        "key": label(found.keys[key]),
        "special": found.keys[key].special,
        "product": fixed(float(found.products[key]), 2),
        "score": fixed(float(found.scores[key]), 2),
        "masked": fixed(float(found.scores[key]), 2) if seen else "−∞",
        "weight": fixed(weight, 4),
        "share": min(1.0, weight),
        "norm": fixed(float(found.value_norms[key]), 2),
        "brings": fixed(float(brought[key]), 3),
        "part": float(brought[key] / (brought.max() or 1)),
    }


def brings(found: QueryStages) -> np.ndarray:
    """Weight times the length of the value: what each key really brings (Kobayashi et al. 2020)."""
    return np.asarray(found.weights * found.value_norms)


def _words(found: QueryStages, count: int) -> dict[str, object]:
    """The words in view.js, in the visitor's language."""
    return {
        "choose": t("Query"),
        "steps": t("The steps from query to output"),
        "heads": [
            t("Key"),
            t("Key vector"),
            t("q × k, number by number"),
            t("q · k"),
            t("Score"),
            t("Masked"),
            t("Weight"),
            t("Length of v"),
            t("Weight × length"),
        ],
        "mine": t("query vector"),
        "caption": t("Every key of this query, with the numbers of each step"),
        "more": ""
        if count == len(found.keys)
        else t(
            "Shown are the {count} keys with the largest weights, {share} of all weight.",
            count=number(count),
            share=percent(float(np.sort(found.weights)[-count:].sum())),
        ),
        "context": t(
            "The head’s output here: {count} numbers of length {norm}.",
            count=number(len(found.context)),
            norm=fixed(float(np.linalg.norm(found.context)), 3),
        ),
    }
