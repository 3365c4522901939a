"""Jane Austen's six novels, from the R package janeaustenr, read without R."""

from __future__ import annotations

import re
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from models.training.sources.document import Document
from models.training.sources.text import sentences_of

_FOLDER = "usr/lib/R/site-library/janeaustenr/data"
_CHAPTER = re.compile(r"^(?:chapter|volume|letter)\s+[\divxlc]+\b", re.IGNORECASE)

_STRESSED = re.compile(r"(^\W*|[.!?]\W+)?\b((?!(?:II|III|IV|VI|VII)\b)[A-Z]{2,})\b")


def _variables(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Reads R's lazy-load database: an index of (offset, length) and compressed pieces."""
    import rdata

    def parse(raw: bytes) -> Any:
        with warnings.catch_warnings(action="ignore"):  # a piece carries no file header
            return rdata.conversion.convert(rdata.parser.parse_data(raw))

    index = parse((folder / "Rdata.rdx").read_bytes())
    pieces = (folder / "Rdata.rdb").read_bytes()
    for name, (offset, length) in sorted(index["variables"].items()):
        piece = pieces[offset : offset + length]
        yield name, list(parse(zlib.decompress(piece[4:])))


def calm(paragraph: str) -> str:
    """Writes words stressed by capitals ("THAT was kind") like others, and drops footnote marks."""

    def lower(match: re.Match[str]) -> str:
        before, word = match.group(1), match.group(2)
        return word.lower() if before is None else before + word.capitalize()

    return _STRESSED.sub(lower, re.sub(r"\[[^\]]*\]|\*", "", paragraph))


def chapters(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Cuts a novel into (chapter number from 1, its paragraphs), leaving out what precedes."""
    number = 0
    paragraphs: list[str] = []
    paragraph: list[str] = []
    for line in [*lines, ""]:
        heading = _CHAPTER.match(line.strip())
        if line.strip() and not heading:
            paragraph.append(line.strip())
            continue
        if paragraph:
            paragraphs.append(" ".join(paragraph))
            paragraph = []
        if heading:
            if number and paragraphs:
                yield number, paragraphs
            number, paragraphs = number + 1, []
    if number and paragraphs:
        yield number, paragraphs


def documents(folder: Path) -> Iterator[Document]:
    """One document a chapter."""
    for novel, lines in _variables(folder / _FOLDER):
        for number, paragraphs in chapters(lines):
            sentences = sentences_of(calm(p) for p in paragraphs if not p.isupper())
            if sentences:
                yield Document("austen", f"austen:{novel}:{number}", sentences)
