"""A sentence and its words in other orders, side by side through one model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from models.inputs import read
from models.interventions import NoPositions
from models.measures import jensen_shannon_bits
from models.placed import Order
from models.positioning.snippets import order as snippet
from models.ranking import best_words
from models.recording import EVERY_ROW, Request, serving
from models.results import Candidate, Sentence
from models.tokens import words_of
from models.traces import Token
from models.tracing import NAME, without_cache
from models.wiring import prepare

if TYPE_CHECKING:
    from models.loading import Model

SHUFFLES, TOP_K = 8, 5
"""Orders that are tried, of which the first is shown; and words of an answer."""


def shuffled(
    model: Model,
    sentence: Sentence,
    seed: int = 0,
    taken_away: bool = False,
    check: Callable[[], None] | None = None,
) -> Order:
    """What a model answers before and after the words of a sentence are shuffled.

    Words stay whole; what frames the sentence stays in its place. A causal model's last word stays,
    too: there it has read the same words before and after, in other orders, and only that state is
    compared. Masked models that cut a sentence alike get the same orders.

    Args:
        model: A masked model, asked at the first blank; or a causal one, asked for what comes after
            the whole text.
        sentence: With at least two words.
        seed: Of the orders.
        taken_away: Whether the model's position vectors are replaced by nothing.
        check: Called at every layer.

    Raises:
        ValueError: There is nothing to shuffle.
    """
    inputs = read(model, sentence)
    tokens = _until_the_last_word(model, inputs.tokens)
    words = _units(model, tokens)
    if len(words) < 2:
        raise ValueError(f"{len(words)} words that could change places")
    orders = [_moved(len(tokens), words, o) for o in _orders(len(words), seed)]
    ids = inputs.tensors["input_ids"][0, : len(tokens)]
    rows = torch.stack([ids, *(ids[order] for order in orders)])
    states, log_p = _run(model, rows, taken_away, check)
    where = [np.arange(len(tokens)), *orders]
    blank = _asked(model, tokens)
    answers = [] if blank is None else [
        log_p[row, blank if model.objective == "causal" else int(np.flatnonzero(at == blank)[0])]
        for row, at in enumerate(where)
    ]  # fmt: skip
    back = torch.stack([states[row + 1] - states[0][at] for row, at in enumerate(orders)])
    same = back[:, -1:] if model.objective == "causal" else back
    odds = [np.exp(answer.numpy()) for answer in answers]
    return Order(
        words=tuple(_spelled(tokens, at) for at in where),
        before=_best(model, odds[0]) if odds else (),
        after=_best(model, odds[1]) if odds else (),
        moved=np.array([jensen_shannon_bits(odds[0], each) for each in odds[1:]], dtype=float),
        difference=float(same.abs().max()),
        largest=float(states.abs().max()),
        provenance=model.provenance,
        snippet=snippet(model, rows.tolist(), [at.tolist() for at in where], blank, taken_away),
    )


def _until_the_last_word(model: Model, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """What a causal model reads: a full stop at the end would tell it all there is to tell."""
    if model.objective != "causal":
        return tokens
    named = [i for i, token in enumerate(tokens) if any(map(str.isalnum, token.text))]
    kept = [i for i in named if tokens[i].kind != "special"]
    return tokens[: kept[-1] + 1] if kept else tokens


def _units(model: Model, tokens: Sequence[Token]) -> list[tuple[int, ...]]:
    """What is shuffled: whole words, and a hidden word, which is a special token."""
    mask = model.reader.mask_id if model.objective == "masked" else None
    hidden = [(i,) for i, token in enumerate(tokens) if mask is not None and token.id == mask]
    found = sorted([*words_of(tokens), *hidden])
    return found[:-1] if model.objective == "causal" else found


def _orders(count: int, seed: int) -> list[np.ndarray]:
    """Other orders of so many words; none is the one they stand in."""
    rng = np.random.default_rng(seed)
    found: list[np.ndarray] = []
    while len(found) < SHUFFLES:
        order = rng.permutation(count)
        if (order != np.arange(count)).any():
            found.append(order)
    return found


def _moved(length: int, words: Sequence[tuple[int, ...]], order: np.ndarray) -> np.ndarray:
    """Where each token of the new row stood; tokens between words keep their places."""
    free = sorted(i for word in words for i in word)
    places = np.arange(length)
    places[free] = [i for word in order for i in words[word]]
    return places


def _asked(model: Model, tokens: Sequence[Token]) -> int | None:
    """The position of the answer: the first blank; of a causal model the last token."""
    if model.objective == "causal":
        return len(tokens) - 1
    return next((i for i, token in enumerate(tokens) if token.id == model.mask_id), None)


def _run(
    model: Model, rows: Tensor, taken_away: bool, check: Callable[[], None] | None
) -> tuple[Tensor, Tensor]:
    """The top states of every row and their log-probabilities, in one batch."""
    wiring = prepare(model.network, NAME)
    edits = ((EVERY_ROW, NoPositions()),) if taken_away else ()
    with torch.inference_mode(), serving(Request(wiring.kinds, (), edits, check)):
        output = model.network(input_ids=rows, output_hidden_states=True, **without_cache(wiring))
    return output.hidden_states[-1], output.logits.double().log_softmax(-1)


def _best(model: Model, odds: np.ndarray) -> tuple[Candidate, ...]:
    best = best_words(odds, model.vocabulary.is_word, TOP_K)
    return tuple(model.vocabulary.candidate(int(i), float(odds[i])) for i in best)


def _spelled(tokens: Sequence[Token], at: np.ndarray) -> tuple[str, ...]:
    """The row as it is read, word pieces and all, without its frame."""
    row = [tokens[i] for i in at]
    return tuple(t.text for t in row if t.kind != "special" or t.end > t.start)
