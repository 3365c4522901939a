"""What a model has read and how large it is, from the files in its folder; loads no weights."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Any

from models.catalog import folder

TRAINING = "training.json"
COUNTED = ("words", "characters")
"""How the length of a source may be given in a manifest."""


@dataclass(frozen=True)
class Card:
    """The facts that decide whether a comparison is fair."""

    model: str
    parameters: int
    """Numbers in the weights file; shared ones once."""
    pieces: int
    """Entries of the vocabulary."""
    vocabulary: str
    """A name for these very entries: equal vocabularies have equal names."""
    text: str
    """A name for the training text, likewise."""
    length: int
    """Of the training text, in words; in characters if it is Chinese."""
    tokens: int
    """Seen in training, repeats included."""
    start: str
    """What its first weights came from, such as ``minilm-bert``."""


def card(name: str) -> Card | None:
    """How large a model is and what it has read; None if its folder does not say.

    Raises:
        Refusal: The model is unknown or incomplete.
    """
    path = folder(name)
    if not (path / TRAINING).is_file():
        return None
    return _read(name, path, (path / TRAINING).stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _read(name: str, path: Path, _: int) -> Card:
    """Read once for each time that it was written."""
    facts = json.loads((path / TRAINING).read_text(encoding="utf-8"))
    entries = json.loads((path / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    sources: dict[str, dict[str, Any]] = facts["corpus"]
    return Card(
        model=name,
        parameters=parameters(path),
        pieces=len(entries),
        vocabulary=_name_for(entries),
        text=_name_for({source: [_origin(s), s["train"]] for source, s in sources.items()}),
        length=sum(_length(source["train"]) for source in sources.values()),
        tokens=facts["tokens"],
        start=facts["recipe"].get("start", "minilm-bert"),  # older ones had no other
    )


def parameters(path: Path) -> int:
    """How many numbers the weights files hold, from their headers."""
    return sum(
        prod(entry["shape"])
        for file in sorted(path.glob("*.safetensors"))
        for name, entry in _header(file).items()
        if name != "__metadata__"
    )


def _header(file: Path) -> dict[str, Any]:
    """Safetensors: eight bytes say how long it is, then JSON names type, shape and place."""
    with file.open("rb") as weights:
        size = int.from_bytes(weights.read(8), "little")
        header: dict[str, Any] = json.loads(weights.read(size))
    return header


def _origin(source: dict[str, Any]) -> object:
    """Which package a source is, or which packages, or which program made it."""
    return source.get("sha256") or source.get("packages") or source.get("generator")


def _length(counts: dict[str, Any]) -> int:
    return next((int(counts[unit]) for unit in COUNTED if unit in counts), 0)


def _name_for(facts: object) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:12]
