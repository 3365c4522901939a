"""WordNet 3.0: the example sentences and the glosses of its synsets (Miller 1995)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from models.training.sources.document import Document
from models.training.sources.text import balance, keep, plain, shorten

_FILES = {"n": "data.noun", "v": "data.verb", "a": "data.adj", "r": "data.adv"}
_OFFENSIVE = re.compile(
    r"slur\)|(?:offensive|obscene|disparaging|derogatory|vulgar) (?:term|name|slang)"
)
_FRAGMENT_WORDS = 3  # "a nascent insurgency" stays as it is, longer examples become sentences


def _synsets(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yields (unit, first word, text after the bar) of each synset."""
    for part, name in _FILES.items():
        with (folder / "usr/share/wordnet" / name).open(encoding="utf-8") as lines:
            for line in lines:
                if line.startswith(" "):  # the licence at the top
                    continue
                data, _, text = line.partition(" | ")
                if _OFFENSIVE.search(text):
                    continue
                fields = data.split(" ")
                word = re.sub(r"\((?:a|p|ip)\)$", "", fields[4]).replace("_", " ")
                yield f"wordnet:{part}:{fields[0]}", word, text.strip()


def as_sentence(example: str) -> str:
    """Gives an example its capital and its stop, unless it is a fragment of a few words."""
    if len(example.split()) <= _FRAGMENT_WORDS:
        return example
    return example[0].upper() + example[1:] + ("" if example[-1] in ".!?\"'" else ".")


def examples(folder: Path) -> Iterator[Document]:
    """The quoted examples of each synset."""
    for unit, _, text in _synsets(folder):
        found = (plain(raw).strip(" ;,") for raw in re.findall(r'"([^"]+)"', text))
        sentences = (balance(as_sentence(example)) for example in found if example)
        kept = tuple(sentence for sentence in sentences if keep(sentence))
        if kept:
            yield Document("wordnet_examples", unit, kept)


def glosses(folder: Path) -> Iterator[Document]:
    """Each synset as "word: gloss."."""
    for unit, word, text in _synsets(folder):
        gloss = plain(text.split('; "')[0].split(': "')[0]).strip(" ;,:")
        sentence = shorten(f"{word}: {gloss}")[0].rstrip(" ;.") + "."
        if '"' not in sentence and keep(sentence):
            yield Document("wordnet_glosses", unit, (balance(sentence),))
