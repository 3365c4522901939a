"""What a masked prediction answers: plain, frozen, picklable records, without torch.

Every position is a *code point* offset into the visitor's own text (JavaScript counts UTF-16 units:
convert before asking), and every span is half open: ``text[start:end]``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Span = tuple[int, int]
Way = Literal["forward", "backward"]

BLANK = "[MASK]"
"""What a visitor types for a hidden word, whatever the model's own mask token is called."""


@dataclass(frozen=True)
class Provenance:
    """Where a number comes from, so that it can be computed again elsewhere."""

    model: str
    """The catalogue's name, such as ``bert-en``."""
    revision: str
    """First 12 hex digits of the SHA-256 of the weights file."""
    dtype: str
    """Floating point type the model ran in, such as ``float32``."""
    versions: tuple[tuple[str, str], ...]
    """(package, version) of everything that computed."""


@dataclass(frozen=True)
class Sentence:
    """A text and the words hidden in it; a ``[MASK]`` typed in the text is hidden too.

    Raises:
        ValueError: A span is empty, reversed or outside the text.
    """

    text: str
    hidden: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        for start, end in self.hidden:
            if not 0 <= start < end <= len(self.text):
                raise ValueError(f"span ({start}, {end}) does not fit {len(self.text)} characters")


@dataclass(frozen=True)
class Candidate:
    """One entry of the vocabulary as an answer."""

    text: str
    """As a reader would write it: no ``##``, no space mark."""
    token_id: int
    probability: float
    """Share of the softmax over the *full* vocabulary, 0 to 1."""
    continuation: bool
    """It continues the word before it (``##ing``) instead of beginning a new one."""


@dataclass(frozen=True)
class Guess:
    """A word that the model itself put into another blank, since it cannot read an empty one."""

    blank: int
    """Which blank of the prediction, from 0 in reading order."""
    word: Candidate


@dataclass(frozen=True)
class View:
    """The answer of one of ELMo's two language models; fields as in `Blank`."""

    way: Way
    """``forward``: from the words to the left; ``backward``: from those to the right."""
    candidates: tuple[Candidate, ...]
    original_rank: int | None
    original_probability: float | None
    entropy_bits: float
    guesses: tuple[Guess, ...]

    @property
    def best(self) -> Candidate | None:
        """The most probable word, if any was asked for."""
        return self.candidates[0] if self.candidates else None


@dataclass(frozen=True)
class Blank:
    """One hidden word and what the model would put there."""

    span: Span
    """Where it stands in the text; wider than asked if the asked span cut through a word piece."""
    original: str | None
    """The visitor's own word; None where they typed ``[MASK]``."""
    pieces: tuple[str, ...]
    """The original as the tokenizer spells it; ``()`` without an original."""
    candidates: tuple[Candidate, ...]
    """Most probable first. Special tokens keep their probability but are no words: never listed."""
    original_rank: int | None
    """1 + the words strictly more probable than the original (equals share a rank); None without an
    original, or when it has several pieces or cannot be spelled."""
    original_probability: float | None
    """Of several pieces: the product of each piece's probability, filled from left to right. None
    without an original, when it cannot be spelled, or when scoring it would take too long; of
    several pieces also where ELMo's two answers are combined."""
    entropy_bits: float
    """Shannon entropy of the answer over the full vocabulary: 0 = certain."""
    guesses: tuple[Guess, ...] = ()
    """What the model put into other blanks to answer this one: a model that reads from the left
    into earlier ones, from the right into later ones. () in a masked model, which reads blanks."""
    views: tuple[View, ...] = ()
    """ELMo's forward and its backward answer, which everything above combines; () elsewhere."""

    @property
    def best(self) -> Candidate | None:
        """The most probable word, if any was asked for."""
        return self.candidates[0] if self.candidates else None


@dataclass(frozen=True)
class Prediction:
    """The answer to one `Sentence`: its blanks in reading order, and what was not understood."""

    blanks: tuple[Blank, ...]
    """Empty when nothing was hidden."""
    read: int
    """How many code points of the text the model read."""
    cut: str
    """The text it did not read because of a limit, "" if none: ``text[read:]``."""
    unread: tuple[Span, ...]
    """Hidden spans that lie, in whole or in part, in the text that was cut."""
    unknown: tuple[str, ...]
    """Words the tokenizer cannot spell, each once, in reading order; the model sees "[UNK]".
    Of Chinese, which is read sign by sign, the whole run that an unknown sign stands in."""
    words: int
    """How many vocabulary entries can be an answer; ranks run from 1 to this."""
    provenance: Provenance
    too_long: tuple[str, ...] = ()
    """Words of more than `longest_word` characters, each once: "[UNK]" to the model as well."""
    longest_word: int | None = None
    """Characters that the tokenizer looks at in one word; None if it sets no limit."""
    rewritten: bool = False
    """Some characters were read as others: simplified Chinese as traditional, variants as one."""
