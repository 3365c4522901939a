"""Training against held-out text, by document.

The hash of a unit's id decides, before anything else is looked at, so that no chapter, synset or
country stands on both sides, and so that the split stays the same when other documents change.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace

from models.training.sources.document import Document

HELD_OUT_SHARE = 0.03
REPEATED_WORDS = 6  # a shorter sentence may stand on both sides: "He went away." is nobody's secret
PASSAGE_WORDS = 30
_SINGLE_SENTENCES = ("wordnet_examples", "wordnet_glosses")


def is_held_out(unit: str, share: float = HELD_OUT_SHARE) -> bool:
    """Whether the unit belongs to the held-out part; depends on nothing but its id."""
    return int.from_bytes(hashlib.sha256(unit.encode()).digest()[:8]) < share * 2**64


def normal_form(sentence: str) -> str:
    """The sentence's words, case and punctuation aside."""
    return " ".join(re.findall(r"\w+", sentence.casefold()))


def _without_repeats(document: Document, seen: set[str]) -> Document:
    forms = ((sentence, normal_form(sentence)) for sentence in document.sentences)
    kept = tuple(s for s, form in forms if len(form.split()) < REPEATED_WORDS or form not in seen)
    return replace(document, sentences=kept)


def split(documents: Iterable[Document]) -> tuple[list[Document], list[Document]]:
    """Returns (training, held-out) documents.

    Held-out sentences of six words or more that training has too are dropped.
    """
    train: list[Document] = []
    held_out: list[Document] = []
    for document in documents:
        (held_out if is_held_out(document.unit) else train).append(document)
    seen = {normal_form(sentence) for document in train for sentence in document.sentences}
    cleaned = (_without_repeats(document, seen) for document in held_out)
    return train, [document for document in cleaned if document.sentences]


def _packed(document: Document) -> list[str]:
    passages: list[list[str]] = []
    words = PASSAGE_WORDS
    for sentence in document.sentences:
        length = len(sentence.split())
        if words + length > PASSAGE_WORDS:
            passages.append([])
            words = 0
        passages[-1].append(sentence)
        words += length
    return [" ".join(passage) for passage in passages]


def passages(documents: Iterable[Document], source: str) -> list[str]:
    """Evaluation passages of a source, in order.

    A passage is one sentence of WordNet, or running sentences of a document up to 30 words.
    """
    mine = (document for document in documents if document.source == source)
    if source in _SINGLE_SENTENCES:
        return [sentence for document in mine for sentence in document.sentences]
    return [passage for document in mine for passage in _packed(document)]
