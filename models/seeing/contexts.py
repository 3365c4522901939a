"""One word in two contexts: how alike its states are, layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from models.counts import word_counts
from models.errors import FilesMissing
from models.inputs import Inputs, read
from models.results import Span
from models.seeing import snippets
from models.seeing.states import layer_states, of_words
from models.sights import InContexts
from models.snippets import Source
from models.tokens import words_of

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None


@dataclass(frozen=True)
class Words:
    """The words of a text that have letters, with their tokens."""

    inputs: Inputs
    names: tuple[str, ...]
    """Without regard to case."""
    tokens: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, model: Model, text: str) -> Words:
        """Read a text."""
        inputs = read(model, text)
        named = [
            (text[inputs.tokens[word[0]].start : inputs.tokens[word[-1]].end].casefold(), word)
            for word in words_of(inputs.tokens)
        ]
        kept = [(name, word) for name, word in named if any(map(str.isalpha, name))]
        return cls(inputs, tuple(name for name, _ in kept), tuple(word for _, word in kept))

    def span(self, at: int) -> Span:
        """Where a word stands in the text."""
        word = self.tokens[at]
        return self.inputs.tokens[word[0]].start, self.inputs.tokens[word[-1]].end

    def before(self, at: int) -> tuple[int, ...]:
        """What is read before a word."""
        return tuple(token.id for token in self.inputs.tokens[: self.tokens[at][0]])


def common_words(model: Model, first: str, second: str) -> tuple[str, ...]:
    """The words that stand in both texts; the one that is rarest in the training text first."""
    one, other = Words.of(model, first), Words.of(model, second)
    both = [name for name in dict.fromkeys(one.names) if name in other.names]
    try:
        counts = word_counts(model)
    except FilesMissing:  # a model from outside: longer words are rarer
        return tuple(sorted(both, key=len, reverse=True))
    ids = {name: one.tokens[one.names.index(name)] for name in both}
    rarest = {
        name: min(counts[one.inputs.tokens[i].id] for i in tokens) for name, tokens in ids.items()
    }
    return tuple(sorted(both, key=lambda name: rarest[name]))


def in_contexts(
    model: Model, first: str, second: str, word: str, check: Check = None
) -> InContexts:
    """Compare a word's states in two texts; see `models.seen.in_contexts`."""
    sides = Words.of(model, first), Words.of(model, second)
    name = word.casefold()
    if any(name not in side.names for side in sides):
        raise ValueError(f"{word!r} does not stand in both texts")
    at = [side.names.index(name) for side in sides]
    states = [layer_states(model, side.inputs, check) for side in sides]
    layers = tuple(states[0])
    vectors = [
        [of_words(found[layer], side.tokens) for layer in layers]
        for side, found in zip(sides, states, strict=True)
    ]
    pairs = list(zip(*vectors, strict=True))  # of each layer, the words of both texts
    places = [list(side.tokens[i]) for side, i in zip(sides, at, strict=True)]
    sources = [Source.of(model, side.inputs.text, side.inputs.tensors) for side in sides]
    return InContexts(
        word=first[slice(*sides[0].span(at[0]))],
        spans=(sides[0].span(at[0]), sides[1].span(at[1])),
        layers=layers,
        similarity=np.array([cosine(one[at[0]], other[at[1]]) for one, other in pairs]),
        others=np.array([_different(one, other, sides) for one, other in pairs]),
        same_before=sides[0].before(at[0]) == sides[1].before(at[1]),
        provenance=model.provenance,
        snippet=snippets.in_contexts(sources[0], sources[1].inputs, places),
    )


def cosine(one: Float[Tensor, " dim"], other: Float[Tensor, " dim"]) -> float:
    """The cosine of two vectors: of equal ones exactly 1, whatever rounding would say."""
    if torch.equal(one, other):
        return 1.0
    return float(one @ other / (one.norm() * other.norm()))


def _different(
    one: Float[Tensor, "word dim"], other: Float[Tensor, "word dim"], sides: Sequence[Words]
) -> float:
    """The mean cosine over all pairs of different words.

    States of all words point in similar directions in many models (Ethayarajh 2019): this is what
    the similarity of the same word has to be compared with.
    """
    differ = np.array([[a != b for b in sides[1].names] for a in sides[0].names])
    if not differ.any():
        return float("nan")
    unit = [each / each.norm(dim=1, keepdim=True) for each in (one, other)]
    return float((unit[0] @ unit[1].T).numpy()[differ].mean())
