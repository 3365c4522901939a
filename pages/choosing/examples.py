"""Sentences that a page offers with a model: its own, else some in what it has read."""

from __future__ import annotations

import models
from components.tokens.marks import from_marks
from models.catalog import ModelFacts
from models.trace import Sentence
from pages.choosing.reading import reads_verse

# For a model that brings none. They are written in what it reads, whatever the page speaks.
ENGLISH = (
    from_marks("We've never [[seen]] such a thing before."),
    from_marks("I would like a cup of [[tea]], please."),
    from_marks("The capital of France is [[Paris]]."),
    from_marks("She is [[reading]] a [[book]] in the library."),
)
VERSE = (
    from_marks("床前明月光，疑是地上[[霜]]。"),
    from_marks("白日依山盡，黃河入海[[流]]。"),
    from_marks("春眠不覺[[曉]]，處處聞啼鳥。"),
    from_marks("千山鳥飛[[絕]]，萬徑人蹤滅。"),
)


def examples_of(name: str, facts: ModelFacts | None = None) -> tuple[Sentence, ...]:
    """Sentences that show what this model can and cannot do; at least one."""
    general = VERSE if reads_verse(facts) else ENGLISH
    try:
        return models.examples(name) or general
    except models.Refusal:
        return general
