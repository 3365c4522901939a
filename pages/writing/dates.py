"""A date in figures that can be read in two ways: both are named, each with its probability."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from functools import partial
from math import exp

from babel.dates import format_date

import models
from components.facts import Fact, facts
from components.shares import rare
from components.theme import ENCODER_DECODER
from components.words import language, msg, sentences, t
from models.trace import Forced, Writing
from pages.filling.asking import Check
from pages.writing.asking import Page

ORDERS: Mapping[str, str] = {
    "year first": msg("year first"),
    "day first": msg("day first"),
    "month first": msg("month first"),
}


def show(page: Page, found: Writing) -> str:
    """The readings as facts; returns a sentence about them, "" where there is nothing to say."""
    readings = models.date_readings(page.sentence.text)
    if not readings:
        return ""
    shown = []
    for each in readings:
        iso = each.iso
        given = page.once(f"reading/{each.order}", iso, partial(_forced, page, iso))
        day = format_date(datetime.date.fromisoformat(iso), "long", locale=language())
        told = t("As {day}; the model gives this reading the probability above.", day=day)
        shown.append(Fact(f"{t(ORDERS[each.order])}: {iso}", rare(exp(given.log_p)), told))
    facts(shown, label=t("Readings"), key="write_readings", colour=ENCODER_DECODER.mark)
    chosen = next((each for each in readings if each.iso == found.text), None)
    if len(readings) == 1:
        return ""
    return sentences(
        t("This date can be read in two ways, and nothing in it says which is meant."),
        t("The model reads it {order}.", order=t(ORDERS[chosen.order]))
        if chosen
        else t("The model writes neither."),
    )


def _forced(page: Page, iso: str, check: Check) -> Forced:
    return models.force(page.model, page.sentence, iso, check)
