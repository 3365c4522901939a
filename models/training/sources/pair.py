"""What a translator learns from: a text and its translation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """A text and what it is to become.

    Attributes:
        corpus: name of the collection, e.g. "help".
        unit: id of the smallest thing that may be held out (a calendar day, a source text).
        source: what is read.
        target: what is to be written.
    """

    corpus: str
    unit: str
    source: str
    target: str
