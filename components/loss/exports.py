"""The loss to take away: as a table of numbers and as a picture."""

from __future__ import annotations

from collections.abc import Iterator

from components.loss import blind, fate_name, full_bar, headline, total
from components.pictures import Bar, Group, Svg, bar_chart
from components.shares import joined
from components.takeaway import Column, Table, origin
from components.words import number, sentences, t
from models.trace import Corruption

MOST = 40
"""Bars in a picture."""


def numbers(corruption: Corruption) -> Table:
    """One row for each token; those that were not selected have no loss."""
    return Table(
        columns=[
            Column("position", t("Position"), number),
            Column("token", t("Word")),
            Column("fate", t("What became of it"), fate_name),
            Column("read_as", t("Read as")),
            Column("nats", t("Nats"), "{:.4f}".format),
            Column("rank", t("Rank"), number),
            Column("probability", t("Probability"), "{:.4g}".format),
            Column("best_answer", t("Best answer")),
        ],
        rows=list(_rows(corruption)),
        note=t(
            "Positions are tokens, counted from 1, special ones included. Mean loss {mean}, sum "
            "{total}, seed {seed}, rate {rate}.",
            mean=number(corruption.loss or 0, 4, exactly=True),
            total=number(corruption.total, 4, exactly=True),
            seed=corruption.seed,
            rate=corruption.rate,
        ),
    )


def _rows(corruption: Corruption) -> Iterator[tuple[object, ...]]:
    selected = {one.token: one for one in corruption.selected}
    for i, token in enumerate(corruption.tokens):
        one = selected.get(i)
        if one is None:
            yield (i + 1, token.text, None, token.text, None, None, None, None)
        else:
            answer = one.answer
            yield (
                *(i + 1, token.text, one.fate, one.shown, one.nats),
                *(answer.original_rank, answer.original_probability, joined(answer.best[0])),
            )


def picture(corruption: Corruption, colour: str, words: int) -> Svg:
    """The loss of each selected position, on the scale of the page."""
    full = full_bar(corruption, words)
    bars = []
    for one in corruption.selected[:MOST]:
        text = corruption.tokens[one.token].text
        label = t("{word} ({fate})", word=text, fate=fate_name(one.fate))
        bars.append(Bar(label, one.nats, number(one.nats, 2, exactly=True)))
    return bar_chart(
        sentences(headline(corruption), total(corruption)),
        [Group(t("Loss at the selected positions, in nats"), bars)],
        full=full,
        axis=number(full),
        colour=colour,
        footnote=sentences(
            t("A blind guess costs {nats} nats.", nats=number(blind(words), 1)),
            origin(corruption.provenance),
        ),
    )
