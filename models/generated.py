"""What a model writes, and how: plain, frozen records, without torch.

Probabilities are of the softmax over the full vocabulary, surprisal and entropy in bits, unless a
field says otherwise; a score of a whole text is a natural logarithm (nats), as in transformers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float32, Int

from models.results import Candidate, Provenance
from models.traces import Token

Array = np.ndarray

APART = re.compile(r"(?<=\w) ' (?=(?:s|t|d|m|re|ve|ll)\b)")
"""An English apostrophe between two word pieces, as a decoder of word pieces leaves it."""


@dataclass(frozen=True)
class Cut:
    """How the distribution over the next token is reshaped before one is drawn from it.

    In this order, as in transformers: the logits are divided by the temperature; only the `top_k`
    most probable tokens stay (Fan et al. 2018); of these only the fewest that hold `top_p` of the
    probability (the nucleus: Holtzman et al. 2020). What stays is scaled to sum to 1.

    Raises:
        ValueError: The temperature is not above 0, `top_k` below 0, or `top_p` outside (0, 1].
    """

    temperature: float = 1.0
    top_k: int = 0
    """0 for no such cut."""
    top_p: float = 1.0
    """1 for no such cut."""

    def __post_init__(self) -> None:
        """Refuse what would divide by zero or leave nothing."""
        if not (self.temperature > 0 and self.top_k >= 0 and 0 < self.top_p <= 1):
            raise ValueError(f"no such cut: {self}")


@dataclass(frozen=True)
class Drawing:
    """How tokens are chosen: always the most probable one, or by chance."""

    cut: Cut | None = None
    """None: greedily."""
    seed: int = 0
    """Of a generator of its own: equal requests write equal texts, whoever else asks meanwhile."""
    skip: int = 0
    """So many draws with this seed were made before: the next one goes on after them."""


@dataclass(frozen=True)
class WrittenToken:
    """A token of a text, and how the model found it in its place."""

    id: int
    text: str
    """What it adds to the text, a space before it included; "" for a special token, and for the
    first bytes of a character that the next token completes."""
    piece: str
    """The tokenizer's own spelling."""
    special: bool
    bits: float | None
    """Surprisal, −log2 p; None for the first token, which nothing predicts."""
    entropy_bits: float | None
    """Of the distribution that it comes from: the surprisal to be expected."""
    rank: int | None
    """1 = the most probable."""
    share: float | None = None
    """The probability with which it was drawn, after a cut; None if no draw chose it."""

    @property
    def shown(self) -> str:
        """The token by itself, for a reader."""
        return self.piece if self.special else self.text.strip()


@dataclass(frozen=True)
class Prompt:
    """What a model reads before it begins to write."""

    text: str
    """The visitor's own, up to the first hidden word."""
    ids: tuple[int, ...]
    cut: str
    """What was not read, because of a limit."""
    unknown: tuple[str, ...]
    """Words that cannot be spelled."""
    rewritten: bool
    """Some characters were read as others."""
    room: int
    """How many more tokens the model can read."""


@dataclass(frozen=True)
class NextTokens:
    """The distribution over the next token, the full vocabulary."""

    log_p: Float32[Array, " rank"]
    """Natural logarithms, the most probable token first."""
    ids: Int[Array, " rank"]
    candidates: tuple[Candidate, ...]
    """The first of them as a reader would write them; special tokens among them."""
    ends: frozenset[int]
    """Ids that end the text."""
    provenance: Provenance


@dataclass(frozen=True)
class Beam:
    """A finished text of a beam search."""

    tokens: tuple[WrittenToken, ...]
    log_p: float
    """The sum of its tokens' log-probabilities, in nats."""
    score: float
    """That sum divided by (number of tokens) ** length penalty: beams are ranked by it."""
    ended: bool
    """By a token that ends the text, not because there was no more room."""

    @property
    def text(self) -> str:
        """What it adds to the prompt."""
        return joined(self.tokens)


Fate = Literal["kept", "finished", "dropped"]


@dataclass(frozen=True)
class Extension:
    """A text that a beam search looked at: one of its beams, one token longer."""

    parent: int
    """The row, one step before, that it continues."""
    text: str
    """All that was written so far."""
    token: str
    """What was added last."""
    log_p: float
    """Of all that was written, in nats."""
    fate: Fate


@dataclass(frozen=True)
class BeamSearch:
    """The texts that a beam search found, best first, and what it looked at on the way."""

    beams: tuple[Beam, ...]
    greedy: Beam
    """What always taking the most probable token leads to; a beam can be better as a whole."""
    steps: tuple[tuple[Extension, ...], ...]
    """For every token: the best texts of that length, most probable first."""
    width: int
    most: int
    """How many tokens could be written."""
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class WritingStep:
    """One token of a decoder that writes."""

    token: WrittenToken
    candidates: tuple[Candidate, ...]
    """The most probable tokens at this place."""


@dataclass(frozen=True)
class Writing:
    """A text that an encoder-decoder read, and what it wrote, step by step."""

    source: tuple[Token, ...]
    """As the encoder reads it, special tokens included."""
    start: str
    """The token that the decoder begins with."""
    steps: tuple[WritingStep, ...]
    ended: bool
    """By a token that ends the text, not because there was no more room."""
    cross: Float32[Array, "layer head step source"]
    """While a token is written: how the decoder shares its attention out over the source."""
    cut: str
    """The end of the source that was not read."""
    unknown: tuple[str, ...]
    provenance: Provenance
    snippet: str

    @property
    def text(self) -> str:
        """What was written."""
        return joined([step.token for step in self.steps]).strip()

    @property
    def log_p(self) -> float:
        """Of the whole text with its end, in nats."""
        return total_nats([step.token for step in self.steps])


@dataclass(frozen=True)
class ForcedStep:
    """One token of a text that the decoder is given, and what it would have written there."""

    token: WrittenToken
    guess: Candidate
    """The most probable token after the true ones before it."""

    @property
    def agrees(self) -> bool:
        """The model would have written this very token."""
        return self.guess.token_id == self.token.id


@dataclass(frozen=True)
class Forced:
    """A target that the decoder is given token by token, as in training (teacher forcing)."""

    steps: tuple[ForcedStep, ...]
    """The end of the text is the last one."""
    cut: str
    """The end of the target that was not read."""
    provenance: Provenance
    snippet: str

    @property
    def log_p(self) -> float:
        """Of the whole target with its end, in nats."""
        return total_nats([step.token for step in self.steps])


@dataclass(frozen=True)
class EveryPosition:
    """What a model without a decoder gives: one answer at each position, no more and no fewer."""

    tokens: tuple[Token, ...]
    """As it reads them, special tokens included."""
    answers: tuple[Candidate, ...]
    """The most probable token at each of them; of a token that it sees mostly the token itself."""
    provenance: Provenance
    snippet: str


@dataclass(frozen=True)
class Lengths:
    """How many tokens a model reads of a text, and how many answers it gives to it."""

    read: int
    given: int


def joined(tokens: Sequence[WrittenToken]) -> str:
    """The text of some tokens; an English apostrophe stands without spaces.

    >>> joined([WrittenToken(i, text, "", False, None, None, None)
    ...     for i, text in enumerate((" don", " '", " t"))])
    " don't"
    """
    return APART.sub("'", "".join(token.text for token in tokens))


def total_nats(tokens: Sequence[WrittenToken]) -> float:
    """The sum of the log-probabilities of some tokens."""
    return -float(np.log(2)) * sum(token.bits or 0.0 for token in tokens)
