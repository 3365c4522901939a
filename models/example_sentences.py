"""The sentences a model's pages open with, chosen by `python -m models.training publish`."""

from __future__ import annotations

import json
from pathlib import Path

from models.results import Sentence

FILE = "examples.json"


def examples(folder: Path) -> tuple[Sentence, ...]:
    """The examples of a model's folder, each with its word hidden; () where it has none."""
    path = folder / FILE
    if not path.is_file():
        return ()
    rows = json.loads(path.read_text(encoding="utf-8"))
    return tuple(Sentence(row["text"], ((row["start"], row["end"]),)) for row in rows)
