"""ELMo opened: what each of its models says at every word, and what its layers know of words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from models.answering.one_way import one_way
from models.answering.two_way import combined
from models.answers import Answer
from models.elmo import ElmoForPreTraining
from models.errors import Unusable
from models.inputs import read
from models.masked.asking import answer
from models.seeing import snippets
from models.seeing.states import layer_states, of_words
from models.sights import Opened, OpenedWord
from models.snippets import Source
from models.tokens import words_of

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None
Words = Sequence[tuple[int, ...]]


def opened(model: Model, text: str, top_k: int = 5, check: Check = None) -> Opened:
    """Take an ELMo apart on a text; see `models.seen.opened`."""
    if model.objective != "two-way":
        raise Unusable(model.name, "architecture")
    inputs = read(model, text)
    tokens, ids = inputs.tokens, inputs.tensors["input_ids"]
    # The first answer needs a token to its left, the last one a token to its right.
    words = [word for word in words_of(tokens) if word[0] > 0 and word[-1] < len(tokens) - 1]
    sides = _answers(model, ids, words, check)
    found = tuple(
        OpenedWord(
            text[tokens[word[0]].start : tokens[word[-1]].end],
            (tokens[word[0]].start, tokens[word[-1]].end),
            *(_answer(model, side[i], word, ids, top_k) for side in sides),
        )
        for i, word in enumerate(words)
    )
    states = list(layer_states(model, inputs, check).values())
    source = Source.of(model, text, inputs.tensors)
    return Opened(
        words=found,
        products=_products([of_words(state, words) for state in states] if words else []),
        vocabulary=model.vocabulary.words,
        cut=inputs.cut[0],
        provenance=model.provenance,
        snippet=snippets.opened(source, words, np.flatnonzero(~model.vocabulary.is_word).tolist()),
    )


def _answers(
    model: Model, ids: Tensor, words: Words, check: Check
) -> tuple[Float[np.ndarray, "word vocabulary"], ...]:
    """At every word: from the left, from the right, both combined; natural logarithms."""
    if not words:
        return ()
    network = cast(ElmoForPreTraining, model.network)
    left = one_way(network, ids, "forward", [word[0] - 1 for word in words], check)[0]
    right = one_way(network, ids, "backward", [word[-1] + 1 for word in words], check)[0]
    return left.numpy(), right.numpy(), combined(model, left, right).numpy()


def _answer(
    model: Model,
    log_p: Float[np.ndarray, " vocabulary"],
    word: tuple[int, ...],
    ids: Tensor,
    top_k: int,
) -> Answer:
    """With the rank of the word that stands there, if one piece spells it."""
    original = int(ids[0, word[0]]) if len(word) == 1 else None
    return answer(model, log_p, original, top_k)


def _products(states: Sequence[Tensor]) -> Float[np.ndarray, "layer layer word word"]:
    """All that similarity and length under any mix of the layers can be computed from."""
    if not states:
        return np.zeros((0, 0, 0, 0))
    every = torch.stack(list(states))  # (layer, word, dim)
    return torch.einsum("aid,bjd->abij", every, every).numpy()
