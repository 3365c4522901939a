"""Rated words to take away: as tables of numbers and as pictures."""

from __future__ import annotations

from collections.abc import Sequence

from components.pictures import Bar, Group, Svg, bar_chart
from components.rated import Panel
from components.rated.named import outcome
from components.takeaway import Column, Table, origin, precise
from components.words import number, t
from models.trace import LongerAnswers, NamedWords, Provenance


def named_numbers(found: NamedWords) -> Table:
    """One row per word of the visitor's list, in their order."""
    return Table(
        columns=[
            Column("word", t("Word")),
            Column("pieces", t("Pieces")),
            Column("share", t("Share among these"), precise),
            Column("probability", t("Probability"), precise),
            Column("rank", t("Rank"), number),
            Column("surprisal_bits", t("Surprisal in bits"), precise),
            Column("token_id", t("Token id")),
            Column("told", t("Note")),
        ],
        rows=[
            (
                *(word.text, " ".join(word.pieces), word.share, word.probability, word.rank),
                *(word.surprisal_bits, word.token_id, outcome(word, found)),
            )
            for word in found.words
        ],
        note=t(
            "Share: among these words alone. Probability: over the full vocabulary; of a word of "
            "several pieces, the product of theirs (chain rule)."
        ),
    )


def longer_numbers(found: LongerAnswers) -> Table:
    """One row per word, those of two pieces first."""
    return Table(
        columns=[
            Column("word", t("Word")),
            Column("pieces", t("Pieces")),
            Column("probability", t("Probability"), precise),
            Column("piece_probabilities", t("Of each piece")),
            Column("first_rank", t("Rank of the first piece"), number),
        ],
        rows=[
            (
                *(word.text, " ".join(word.pieces), word.probability),
                " ".join(map(precise, word.piece_probabilities)),
                word.first_rank,
            )
            for word in (*found.two, *found.three)
        ],
        note=t(
            "Probabilities by the chain rule. Words of two and of three pieces were computed with "
            "two and three masks: they do not compete."
        ),
    )


def picture(title: str, panels: Sequence[Panel], colour: str, about: Provenance) -> Svg:
    """The bars, on the scales of the page; words without numbers are left out."""
    groups = [
        Group(
            panel.title,
            [
                Bar(row.word, row.filled, row.cells[0], strong=row.strong)
                for row in panel.rows
                if row.cells
            ],
            panel.axis,
        )
        for panel in panels
    ]
    return bar_chart(title, groups, full=1, axis="", colour=colour, footnote=origin(about))
