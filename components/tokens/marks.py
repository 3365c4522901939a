"""A sentence in a link: ``The chef was out of [[food]].`` has one word hidden."""

from __future__ import annotations

import re

from models.trace import Sentence

MARKED = re.compile(r"\[\[(.+?)\]\]", re.DOTALL)


def from_marks(marked: str) -> Sentence:
    """The sentence without its marks, what stood between them hidden.

    >>> from_marks("out of [[food]].")
    Sentence(text='out of food.', hidden=((7, 11),))
    """
    text, hidden, at = "", [], 0
    for found in MARKED.finditer(marked):
        text += marked[at : found.start()]
        hidden.append((len(text), len(text) + len(found[1])))
        text += found[1]
        at = found.end()
    return Sentence(text + marked[at:], tuple(hidden))


def to_marks(sentence: Sentence) -> str:
    """The sentence with ``[[`` and ``]]`` around every hidden span.

    >>> to_marks(Sentence("out of food.", ((7, 11),)))
    'out of [[food]].'
    """
    marked, at = "", 0
    for start, end in sentence.hidden:
        marked += f"{sentence.text[at:start]}[[{sentence.text[start:end]}]]"
        at = end
    return marked + sentence.text[at:]
