"""What a translator learns from: a text and its translation."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path


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


def write_pairs(pairs: Iterable[Pair], path: Path) -> None:
    """Write one pair a line as JSON."""
    lines = [json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pair in pairs]
    path.write_text("".join(lines), encoding="utf-8")


def read_pairs(path: Path) -> list[Pair]:
    """Read pairs that `write_pairs` wrote."""
    return [Pair(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
