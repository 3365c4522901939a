"""What every part of the page has to work with: a model's positions, and a turn at it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

import streamlit as st

import models
from components.answers.notices import not_ready
from components.theme import BERT, ELMO, ENCODER_DECODER, GPT, Colour
from components.verbatim import verbatim
from components.verdicts import Judged
from components.words import fixed, msg, percent, t
from models.catalog import ModelFacts
from models.trace import PositionTable, Verdict
from pages.choosing.model import Chosen, choose_model
from pages.filling.asking import Check, remembered, saying

Found = TypeVar("Found")

MODEL = "positions_model"
UNSUITED = msg("The model in the link adds no positions to its words: here is {other}.")
VARIANTS = ("bert-v", "bert-v-sinusoids", "gpt-v")
"""Of the many small models, those whose positions differ."""
COLOURS = {"bert": BERT, "gpt": GPT, "elmo": ELMO, "lstm": ELMO, "seq": ENCODER_DECODER}
KINDS = {
    "learned": msg("learned"),
    "sinusoids": msg("sinusoids"),
    "none": msg("none: all are 0"),
}


def adds_positions(facts: ModelFacts) -> bool:
    """Whether a model adds position vectors that are worth a look."""
    attends = facts.family in ("bert", "gpt", "seq")
    return attends and (not facts.variant or facts.name in VARIANTS)


def chosen_model() -> Chosen:
    """The model in the menu of this page, the same in all its parts.

    Raises:
        Refusal: There is none.
    """
    chosen = choose_model(MODEL, adds_positions, unsuited=UNSUITED)
    if chosen.notice:
        st.info(chosen.notice)
    return chosen


def colour_of(chosen: Chosen) -> Colour:
    """The colour of the architecture."""
    return COLOURS[chosen.facts.family] if chosen.facts else BERT


def once(
    name: str, about: Hashable, question: Callable[[Check], Found], meanwhile: str = ""
) -> Found | None:
    """The answer to a question, asked again only when something changes.

    Where the model cannot answer it says so on the page, and the answer is None.

    Raises:
        Cancelled: The visitor asked something newer.
        TooBusy: The queue is full.
    """
    line = st.empty()
    try:
        return remembered("positions/answers", name, about, question, saying(line, meanwhile))
    except models.CannotTrace:
        st.info(t("This model adds no position vectors to its words. Choose another model."))
    except models.Refusal as error:
        st.info(verbatim(not_ready(error.name)))
    return None


def table_of(chosen: Chosen) -> PositionTable | None:
    """The chosen model's positions; None if it has none, which is then said."""
    name = chosen.name
    found = once(
        f"table/{name}", name, lambda _: models.position_table(name), t("Loading the model …")
    )
    if found is not None and found.kind == "none":
        st.info(t("All position vectors of this model are 0. Choose another model."))
        return None
    return found


def judged(
    found: Sequence[Verdict], said: Mapping[str, tuple[str, str]], unit: str, count: str
) -> list[Judged]:
    """Verdicts in words.

    Args:
        found: Those to show; one that nobody has words for is left out.
        said: By claim: its sentence and its source, not translated yet.
        unit: ``%`` for shares, else one that follows the number; translated.
        count: What the error is over, such as "n = 12 heads"; translated.
    """
    return [
        Judged(each.outcome, t(said[each.claim][0]), effect(each, unit, count),
               t(said[each.claim][1]))
        for each in found
        if each.claim in said
    ]  # fmt: skip


def effect(found: Verdict, unit: str, count: str) -> str:
    """An effect with its spread; of an exact claim the difference alone."""
    if found.error == 0 and found.spread == 0:
        if found.claim == "symmetric":
            return t("odd part: {share}", share=percent(found.effect, 1))
        return t("largest difference {value}", value=f"{found.effect:.2g}")
    small = found.error < 0.005 and abs(found.effect) < 0.1
    scale, digits = (100, 1) if unit == "%" else (1, 4 if small else 2)
    sign = "+" if found.effect >= 0 else ""
    value = sign + fixed(scale * found.effect, digits)
    error = fixed(scale * max(found.error, found.spread), digits)
    if unit == "%":
        return t("{effect} ± {error} points; {count}", effect=value, error=error, count=count)
    return t("{effect} ± {error}{unit}; {count}", effect=value, error=error, unit=unit,
             count=count)  # fmt: skip
