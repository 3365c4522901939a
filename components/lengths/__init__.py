"""Output length against input length: free for an encoder-decoder, equal for BERT."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from components.answers.notices import shorten
from components.register import register
from components.theme import BERT, ENCODER_DECODER
from components.words import number, sentences, t
from models.trace import Lengths

_lengths = register("lengths", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


@dataclass(frozen=True)
class Measured:
    """One text, and the lengths of what two models make of it."""

    text: str
    writer: Lengths
    """The encoder-decoder's."""
    bert: Lengths | None
    current: bool = False
    """It is the sentence on the page."""


def lengths(found: Sequence[Measured], *, key: str) -> None:
    """Draw one point for each text and model.

    Args:
        found: Not empty.
        key: A name of its own in the session.
    """
    _lengths(
        key=key,
        data={
            "serial": next(_serial),
            "colours": [ENCODER_DECODER.mark, BERT.mark],
            "headline": headline(found),
            "most": most(found),
            "points": [
                {"series": series, "x": each.read, "y": each.given, "current": one.current,
                 "told": told(one, series)}
                for one in found
                for series, each in enumerate((one.writer, one.bert))
                if each is not None
            ],
            "words": {
                "chart": t("Tokens given against tokens read"),
                "x": t("tokens read"),
                "y": t("tokens given"),
                "series": [t("Transformer: as many as it writes"), t("BERT: as many as it reads")],
                "hint": t("Point at a dot, or go through them with the arrow keys."),
            },
        },
    )  # fmt: skip


def most(found: Sequence[Measured]) -> int:
    """The end of both axes."""
    every = [each for one in found for each in (one.writer, one.bert) if each is not None]
    return max(max(each.read, each.given) for each in every)


def told(one: Measured, series: int) -> str:
    """A point in words."""
    each = one.bert if series and one.bert else one.writer
    name = "BERT" if series else t("Transformer")
    return t(
        "{name}, “{text}”: {read} read, {given} given",
        name=name,
        text=shorten(one.text, 60),
        read=number(each.read),
        given=number(each.given),
    )


def headline(found: Sequence[Measured]) -> str:
    """The claim and how it did here, computed."""
    free = sum(one.writer.read != one.writer.given for one in found)
    equal = sum(one.bert is not None and one.bert.read == one.bert.given for one in found)
    with_bert = sum(one.bert is not None for one in found)
    told_free = t(
        "The Transformer wrote another number of tokens than it read for {count} of {all} texts.",
        count=number(free),
        all=number(len(found)),
    )
    told_equal = t(
        "BERT gave exactly as many answers as it read tokens for {count} of {all}.",
        count=number(equal),
        all=number(with_bert),
    )
    return sentences(told_free, told_equal if with_bert else "")
