"""Tang and Song regulated verse: 全唐詩 and 全宋詩 of chinese-poetry, in the four forms."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from models.chinese import to_taiwan
from models.training.sources.document import Document
from models.verse import FORMS, form_of, lines_of, written

_FOLDER = "package/dist/quantangshi"
_TOKENS = {form.name: form.token for form in FORMS}


def poem_of(paragraphs: list[str]) -> str | None:
    """A poem in Taiwan's characters after the token of its form; None if it has no form.

    Notes in brackets, characters that are lost (□) or described by their parts break the form, so
    poems with them are left out. Marks at the end of a line become ， and 。: the source has others
    in 1 of 1,000 poems, where an editor heard a question.
    """
    text = "".join(paragraphs)
    if form_of(text) is None:
        return None
    poem = written(lines_of(to_taiwan(text)[0]))
    name = form_of(poem)
    return _TOKENS[name] + poem if name else None


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    for dynasty in ("tang", "song"):
        files = (folder / _FOLDER).glob(f"poet.{dynasty}.*.json")
        for path in sorted(files, key=lambda file: int(file.name.split(".")[2])):
            yield from json.loads(path.read_text(encoding="utf-8"))


def documents(folder: Path) -> Iterator[Document]:
    """One document a poem; its one sentence is the whole poem, so that it is read as one row.

    A poem that came before, letter for letter, is left out.
    """
    seen: set[str] = set()
    for row in _rows(folder):
        poem = poem_of(row["paragraphs"])
        if poem and poem not in seen:
            seen.add(poem)
            yield Document("verse", f"verse:{row['id']}", (poem,))
