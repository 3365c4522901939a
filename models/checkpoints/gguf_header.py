"""The header of a GGUF file: its facts and the shapes of its tensors, none of its numbers.

Written after the format's own description (github.com/ggml-org/ggml, docs/gguf.md, version 3).
After the magic word and the counts come facts (a name, a type, a value), then for each tensor its
name, its sides, the type of its blocks and where it begins. Long lists, such as a vocabulary, are
counted and passed over.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

MAGIC = b"GGUF"
VERSIONS = (2, 3)
NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q",
           12: "d"}  # fmt: skip
STRING, ARRAY = 8, 9
MOST = 10_000_000
"""The longest string or list that is believed."""

BLOCKS = {
    0: ("F32", 1, 4), 1: ("F16", 1, 2), 30: ("BF16", 1, 2), 28: ("F64", 1, 8),
    2: ("Q4_0", 32, 18), 3: ("Q4_1", 32, 20), 6: ("Q5_0", 32, 22), 7: ("Q5_1", 32, 24),
    8: ("Q8_0", 32, 34), 9: ("Q8_1", 32, 40), 10: ("Q2_K", 256, 84), 11: ("Q3_K", 256, 110),
    12: ("Q4_K", 256, 144), 13: ("Q5_K", 256, 176), 14: ("Q6_K", 256, 210), 15: ("Q8_K", 256, 292),
}  # fmt: skip
"""Types of blocks: their name, how many numbers a block has, and how many bytes."""


@dataclass(frozen=True)
class Header:
    """What a file says of itself."""

    facts: dict[str, Any]
    """Of a list only its length is kept."""
    counted: Counter[str]
    """How many numbers there are in each type of block."""


def read_header(file: Path) -> Header:
    """The header of a file.

    Raises:
        EOFError: The file ends before what its header promises.
        ValueError: It is no GGUF file, or none that is known.
    """
    size = file.stat().st_size
    with file.open("rb") as opened:
        reader = _Reader(opened, size)
        if reader.take(4) != MAGIC or reader.number("I") not in VERSIONS:
            raise ValueError(file.name)
        tensors, facts = reader.number("Q"), reader.number("Q")
        if max(tensors, facts) > MOST:
            raise ValueError(file.name)
        told = {reader.string(): reader.value(reader.number("I")) for _ in range(facts)}
        counted: Counter[str] = Counter()
        end = 0
        for _ in range(tensors):
            kind, count, last = reader.tensor()
            counted[kind] += count
            end = max(end, last)
        alignment = int(told.get("general.alignment") or 32)
        begin = math.ceil(opened.tell() / alignment) * alignment
    if begin + end > size:
        raise EOFError(file.name)
    return Header(told, counted)


class _Reader:
    """Reads on from where it stands."""

    def __init__(self, opened: IO[bytes], size: int) -> None:
        self._opened, self._size = opened, size

    def take(self, count: int) -> bytes:
        if count > self._size - self._opened.tell():
            raise EOFError
        return self._opened.read(count)

    def number(self, form: str) -> Any:
        return struct.unpack(f"<{form}", self.take(struct.calcsize(form)))[0]

    def string(self) -> str:
        return self.take(self._length()).decode("utf-8", "replace")

    def value(self, kind: int) -> Any:
        """A fact; of a list its length."""
        if kind == STRING:
            return self.string()
        if kind == ARRAY:
            inner, count = self.number("I"), self._length()
            self._pass(inner, count)
            return count
        if kind not in NUMBERS:
            raise ValueError(kind)
        return self.number(NUMBERS[kind])

    def tensor(self) -> tuple[str, int, int]:
        """The type of its blocks, how many numbers, and where it ends among the numbers."""
        self.string()
        sides = [self.number("Q") for _ in range(min(self.number("I"), 8))]
        kind, start = self.number("I"), self.number("Q")
        name, block, size = BLOCKS.get(kind, (f"type {kind}", 1, 0))
        count = math.prod(sides)
        return name, count, start + count // block * size

    def _pass(self, inner: int, count: int) -> None:
        if inner in NUMBERS:
            self.take(count * struct.calcsize(NUMBERS[inner]))
            return
        for _ in range(count):
            self.value(inner)

    def _length(self) -> int:
        length: int = self.number("Q")
        if length > MOST:
            raise ValueError(length)
        return length
