"""The corpus of the Chinese models: Tang and Song regulated verse, one poem a row.

`build` fetches the package and writes `cache/corpus-zh/`: train.jsonl, held_out.jsonl (documents
like the English ones), manifest.json, and the tokenizer of the training poems in tokenizer/.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from models.training import characters, corpora
from models.training.fetch import Package, default_cache, fetch
from models.training.sources import verse
from models.training.sources.document import Document
from models.training.split import is_held_out
from models.verse import form_of, lines_of

FOLDER, TOKENIZER = "corpus-zh", "tokenizer"
HELD_OUT_SHARE = 0.02  # of 230,000 poems
PACKAGE = Package(
    "npm",
    "chinese-poetry",
    "2.0.1",
    "25b549e46919c3a0569db6b68ddc96956b04a484ea4518ad2bbd4f137e307e86",
)
LICENCE = (
    "poems in the public domain (7th to 13th century); collection MIT, © 2016 JackeyGao;"
    " characters converted to Taiwan's standard by this project"
)


def lines_in(documents: Iterable[Document]) -> set[str]:
    """All lines of verse in the documents, without punctuation."""
    return {line for d in documents for poem in d.sentences for line in lines_of(poem)}


def split(documents: Iterable[Document]) -> tuple[list[Document], list[Document], int]:
    """Returns training poems, held-out poems and how many were dropped.

    Dropped are training poems that share a line with a held-out one: variants of the same poem, and
    poems that quote it.
    """
    sides: dict[bool, list[Document]] = {True: [], False: []}
    for document in documents:
        sides[is_held_out(document.unit, HELD_OUT_SHARE)].append(document)
    hidden = lines_in(sides[True])
    train = [d for d in sides[False] if hidden.isdisjoint(lines_in([d]))]
    return train, sides[True], len(sides[False]) - len(train)


def counts(documents: Iterable[Document]) -> dict[str, Any]:
    """Poems, poems of each form, and characters without punctuation."""
    poems = [poem for document in documents for poem in document.sentences]
    forms = Counter(str(form_of(poem)) for poem in poems)
    length = sum(len(line) for poem in poems for line in lines_of(poem))
    return {"documents": len(poems), "characters": length, "forms": dict(sorted(forms.items()))}


def read_train(cache: Path) -> list[Document]:
    """The training poems of a corpus that `build` wrote."""
    return corpora.read(cache / FOLDER / "train.jsonl")


def read_held_out(cache: Path) -> list[Document]:
    """The held-out poems of a corpus that `build` wrote."""
    return corpora.read(cache / FOLDER / "held_out.jsonl")


def write(documents: Iterable[Document], folder: Path) -> None:
    """Split the poems and write them into a folder, with tokenizer and manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    train, held_out, dropped = split(documents)
    corpora.write(train, folder / "train.jsonl")
    corpora.write(held_out, folder / "held_out.jsonl")
    tokenizer = characters.tokenizer_for(poem for d in train for poem in d.sentences)
    tokenizer.save_pretrained(folder / TOKENIZER)
    manifest = {
        "verse": {
            **asdict(PACKAGE),
            "licence": LICENCE,
            "weight": 1.0,
            "train": counts(train),
            "held_out": counts(held_out),
            "dropped": dropped,
            "vocabulary": len(tokenizer),
            "unknown": characters.unknown_share(tokenizer, [d.sentences[0] for d in held_out]),
        }
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8")


def build(cache: Path | None = None) -> Path:
    """Fetches, reads and splits the poems into `cache/corpus-zh`, and returns that folder.

    Raises:
        FetchError: if the package cannot be had as pinned.
    """
    cache = cache or default_cache()
    folder = cache / FOLDER
    write(verse.documents(fetch(PACKAGE, cache)), folder)
    return folder
