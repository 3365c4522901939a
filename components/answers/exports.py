"""The answers to take away: as a table of numbers and as a picture."""

from __future__ import annotations

from components.answers import full_bar
from components.pictures import Bar, Group, Svg, bar_chart, blank_sign
from components.shares import joined, share
from components.takeaway import Column, Table, origin, precise
from components.words import number, percent, t
from models.trace import Blank, Prediction, Sentence


def numbers(prediction: Prediction) -> Table:
    """Every candidate of every blank; after them the visitor's own word, if it ranks lower."""
    return Table(
        columns=[
            Column("blank", t("Blank")),
            Column("rank", t("Rank"), number),
            Column("word", t("Word")),
            Column("probability", t("Probability"), precise),
            Column("token_id", t("Token id")),
            Column("continues", t("Continues the word before it"), _yes),
        ],
        rows=[row for i, blank in enumerate(prediction.blanks, start=1) for row in _rows(i, blank)],
        note=t(
            "Probabilities are over the full vocabulary of {words} words and word pieces. "
            "Blanks count from 1.",
            words=number(prediction.words),
        ),
    )


def _rows(i: int, blank: Blank) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = [
        (i, rank, answer.text, answer.probability, answer.token_id, int(answer.continuation))
        for rank, answer in enumerate(blank.candidates, start=1)
    ]
    listed = blank.original_rank is not None and blank.original_rank <= len(rows)
    if blank.original is not None and not listed:
        rows.append((i, blank.original_rank, blank.original, blank.original_probability, None, 0))
    return rows


def _yes(value: int) -> str:
    return t("yes") if value else ""


def picture(sentence: Sentence, prediction: Prediction, colour: str) -> Svg:
    """The bars of every blank under the sentence, on the scale of the page."""
    full = full_bar(prediction)
    return bar_chart(
        with_blanks(sentence, prediction),
        [_group(i, blank, prediction) for i, blank in enumerate(prediction.blanks)],
        full=full,
        axis=percent(full),
        colour=colour,
        footnote=origin(prediction.provenance),
    )


def _group(i: int, blank: Blank, prediction: Prediction) -> Group:
    several = len(prediction.blanks) > 1
    return Group(
        t("Blank {number}", number=i + 1) if several else t("In the blank"),
        [
            Bar(
                joined(answer),
                answer.probability,
                share(answer.probability),
                strong=rank == blank.original_rank,
            )
            for rank, answer in enumerate(blank.candidates, start=1)
        ],
    )


def with_blanks(sentence: Sentence, prediction: Prediction) -> str:
    """What was read of the sentence, a sign in place of every hidden word."""
    text, at, several = "", 0, len(prediction.blanks) > 1
    for i, blank in enumerate(prediction.blanks):
        text += f"{sentence.text[at : blank.span[0]]}{blank_sign(i, several)}"
        at = blank.span[1]
    return text + sentence.text[at : prediction.read]
