"""Free and forced to take away: as a table; its picture is that of any written text."""

from __future__ import annotations

from itertools import zip_longest

from components.forced import name
from components.takeaway import Column, Table, precise
from components.words import number, t
from models.trace import Forced, Writing


def numbers(given: Forced, free: Writing) -> Table:
    """One row per place."""
    rows = []
    for at, (step, own) in enumerate(zip_longest(given.steps, free.steps), start=1):
        token = step.token if step else None
        rows.append(
            (
                at,
                name(token) if token else None,
                token.bits if token else None,
                token.rank if token else None,
                step.guess.text if step else None,
                step.guess.probability if step else None,
                name(own.token) if own else None,
            )
        )
    return Table(
        columns=[
            Column("place", t("Place"), number),
            Column("given", t("Given")),
            Column("surprisal_bits", t("Surprisal in bits"), precise),
            Column("rank", t("Rank"), number),
            Column("would_write", t("Would write here")),
            Column("with_probability", t("Probability"), precise),
            Column("free", t("Free")),
        ],
        rows=rows,
    )
