"""What the translators read: dates made by a generator, and what LibreOffice says in two languages.

A user's own pairs are read from a file of lines, text and translation with a tab between them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from transformers import PreTrainedTokenizerFast

from models.training import corpora, help_corpus
from models.training.pair_tokenizers import letters, words_and_characters
from models.training.pairs import PairStore, tokenize_pairs
from models.training.sources import dates as date_source
from models.training.sources.pair import Pair, read_pairs, write_pairs
from models.training.split import is_held_out, normal_form

Parts = tuple[PreTrainedTokenizerFast, PairStore, PairStore]

DATES_FOLDER = "corpus-dates"
DATES, HELD_OUT_DATES = 400_000, 4_000
DATES_LICENCE = (
    "made by this project's generator; words around some dates are from WordNet 3.0's examples"
    " (permissive; notice stays on copies), © 2006 Princeton University"
)


def dates(cache: Path, size: int, own: Path | None) -> Parts:
    """English dates letter by letter, and their ISO form."""
    if own is not None:
        return stored(letters(), *own_pairs(own))
    words = any_english(cache)
    train = list(date_source.pairs(DATES, False, words))
    held_out = list(date_source.pairs(HELD_OUT_DATES, True, words))
    folder = cache / DATES_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    write_pairs(held_out, folder / "held_out.jsonl")
    text = json.dumps(dates_manifest(train, held_out), indent=2, ensure_ascii=False)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8")
    return stored(letters(), train, held_out)


def any_english(cache: Path) -> list[str]:
    """Example sentences of WordNet, to put around dates."""
    source = next(s for s in corpora.SOURCES if s.name == "wordnet_examples")
    documents = corpora.documents_of(source, cache)
    return date_source.fragments([s for d in documents for s in d.sentences])


def dates_manifest(train: Sequence[Pair], held_out: Sequence[Pair]) -> dict[str, Any]:
    """Provenance and size of the generated dates."""
    return {
        "dates": {
            "generator": "models/training/sources/dates.py",
            "licence": DATES_LICENCE,
            "weight": 1.0,
            "train": {"pairs": len(train), "days": len({pair.unit for pair in train})},
            "held_out": {"pairs": len(held_out), "days": len({pair.unit for pair in held_out})},
        }
    }


def help_pages(cache: Path, size: int, own: Path | None) -> Parts:
    """Sentences of LibreOffice's help and windows in words, and their Chinese in characters."""
    if own is not None:
        train, held_out = own_pairs(own)
        return stored(words_and_characters(train), train, held_out)
    folder = cache / help_corpus.FOLDER
    if not (folder / "manifest.json").exists():
        help_corpus.build(cache)
    train, held_out = (read_pairs(folder / f"{n}.jsonl") for n in ("train", "held_out"))
    tokenizer = words_and_characters(train)
    weights = {source.name: source.weight for source in help_corpus.SOURCES}
    return stored(tokenizer, train + in_small_letters(train, tokenizer), held_out, weights)


def in_small_letters(pairs: Iterable[Pair], tokenizer: PreTrainedTokenizerFast) -> list[Pair]:
    """Pairs with a name in them once more, as somebody might type them: "save as pdf"."""
    names = set(tokenizer.get_added_vocab()) - set(tokenizer.all_special_tokens)
    return [
        replace(pair, source=pair.source.lower())
        for pair in pairs
        if not names.isdisjoint(tokenizer.tokenize(pair.source))
    ]


def own_pairs(path: Path) -> tuple[list[Pair], list[Pair]]:
    """Training and held-out pairs of a user's own file.

    Raises:
        ValueError: if a line has no tab, or there are too few lines to hold any out.
    """
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line]
    if any(len(row) != 2 for row in rows):
        raise ValueError(f"{path}: give one pair a line, text and translation with a tab between.")
    sides: dict[bool, list[Pair]] = {True: [], False: []}
    for source, target in rows:
        unit = f"text:{normal_form(source)}"
        sides[is_held_out(unit, help_corpus.HELD_OUT_SHARE)].append(
            Pair(path.stem, unit, source, target)
        )
    if not all(sides.values()):
        raise ValueError(f"{path} has {len(rows)} pairs; some hundred are needed.")
    return sides[False], sides[True]


def stored(
    tokenizer: PreTrainedTokenizerFast,
    train: Sequence[Pair],
    held_out: Sequence[Pair],
    weights: dict[str, float] | None = None,
) -> Parts:
    """The tokenizer, and both parts as it spells them."""
    return (
        tokenizer,
        tokenize_pairs(train, tokenizer, weights or {}),
        tokenize_pairs(held_out, tokenizer, {}),
    )
