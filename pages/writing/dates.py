"""A date in figures that can be read in two ways: both are named, each with its probability."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from functools import partial
from math import exp

from babel.dates import format_date

import models
from components.facts import Fact, facts
from components.shares import rare
from components.takeaway import Column, Table, panel_bar, precise
from components.theme import ENCODER_DECODER
from components.words import language, msg, sentences, t
from models.dates import DateReading
from models.trace import Forced, Writing
from pages.filling.asking import Check
from pages.writing.asking import Page

ORDERS: Mapping[str, str] = {
    "year first": msg("year first"),
    "day first": msg("day first"),
    "month first": msg("month first"),
}


def show(page: Page, found: Writing) -> str:
    """The readings with their bar; returns a sentence about them, "" where there is none to say."""
    readings = models.date_readings(page.sentence.text)
    if not readings:
        return ""
    given = [
        page.once(f"reading/{each.order}", each.iso, partial(_forced, page, each.iso))
        for each in readings
    ]
    facts(
        [_fact(each, one) for each, one in zip(readings, given, strict=True)],
        label=t("Readings"),
        key="write_readings",
        colour=ENCODER_DECODER.mark,
    )
    panel_bar(
        key="readings",
        title=t("Readings"),
        numbers=lambda: _numbers(readings, given),
        code=lambda: "\n\n".join(one.snippet for one in given),
        link=page.link(),
        about=found.provenance,
        how=t(
            "The date in figures is read by rule in every way that makes a day of the calendar. "
            "Its probability is the model’s: e to the sum of ln p of all tokens of the written "
            "date, its end among them."
        ),
    )
    return said(readings, found.text)


def said(readings: Sequence[DateReading], written: str) -> str:
    """That a date can be read in two ways, and which way the model has read it."""
    if len(readings) == 1:
        return ""
    chosen = next((each for each in readings if each.iso == written), None)
    return sentences(
        t("This date can be read in two ways, and nothing in it says which is meant."),
        t("The model reads it {order}.", order=t(ORDERS[chosen.order]))
        if chosen
        else t("The model writes neither."),
    )


def _fact(reading: DateReading, given: Forced) -> Fact:
    day = format_date(datetime.date.fromisoformat(reading.iso), "long", locale=language())
    return Fact(
        f"{t(ORDERS[reading.order])}: {reading.iso}",
        rare(exp(given.log_p)),
        t("As {day}; the model gives this reading the probability above.", day=day),
    )


def _numbers(readings: Sequence[DateReading], given: Sequence[Forced]) -> Table:
    return Table(
        columns=[
            Column("order", t("Reading")),
            Column("iso", t("Date")),
            Column("log_p", t("Sum of ln p"), precise),
            Column("probability", t("Probability"), precise),
        ],
        rows=[
            (each.order, each.iso, one.log_p, exp(one.log_p))
            for each, one in zip(readings, given, strict=True)
        ],
    )


def _forced(page: Page, iso: str, check: Check) -> Forced:
    return models.force(page.model, page.sentence, iso, check)
