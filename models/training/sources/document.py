"""The one thing every corpus is turned into."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Document:
    """Sentences of one source that belong together and are held out together.

    Attributes:
        source: name of the corpus, e.g. "austen".
        unit: id of the smallest thing that may be held out (a chapter, a synset, a country);
            two sources that describe the same thing share its unit.
        sentences: clean sentences in natural case and in the order of the text.
    """

    source: str
    unit: str
    sentences: tuple[str, ...]
