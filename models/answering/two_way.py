"""ELMo: two language models, one from each side, and neither reads a blank.

The forward model says what comes after the left text, with its own guesses in earlier blanks; the
backward model what comes before the right text, with its guesses in later ones. Both together:
log p_forward + log p_backward - log p_unigram, made a distribution again. By Bayes' rule that is
the answer to both sides if these had nothing in common but the word. ELMo itself never combines
predictions (Peters et al. 2018 concatenate states): this is how we read them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from models.answering.one_way import one_way
from models.answering.posed import (
    Answered,
    Check,
    Posed,
    as_fills,
    best_word,
    several_pieces,
)
from models.counts import word_counts
from models.elmo import ElmoForPreTraining
from models.gaps import Gapped, Layout
from models.results import Candidate, Way
from models.runs import Tensors

if TYPE_CHECKING:
    from models.loading import Model

WAYS: tuple[Way, Way] = ("forward", "backward")
VIEWS: Sequence[str] = WAYS


def pose(model: Model, text: Gapped, blank: int, view: str | None, check: Check) -> Posed:
    """The left text for the forward model, the right text for the backward one."""
    layouts: dict[str, Layout] = {}
    guesses: dict[int, Candidate] = {}
    for way in WAYS:
        if view in (None, way):
            sure = _guesses(model, text, blank, way, check)
            layouts[way] = _lay(text, blank, way, sure)
            guesses.update(sure)
    return Posed(layouts, -1, dict(sorted(guesses.items())))


def log_p(
    model: Model, tensors: Tensors, position: int, check: Check
) -> Float[Tensor, "row vocabulary"]:
    """Of the models whose text is given: one alone, or both combined.

    Where a word changes on one side of the blank, the other side's model reads what it has read
    already, and need not read it again.
    """
    found = []
    for way in WAYS:
        if way in tensors:
            texts, which = tensors[way].unique(dim=0, return_inverse=True)
            found.append(_side(model, texts, way, check)[which, 0])
    return found[0] if len(found) == 1 else combined(model, *found)


def answers(model: Model, text: Gapped, check: Check) -> Iterator[Answered]:
    """All blanks: the forward model from the left, the backward model from the right."""
    forward, backward = (dict(_in_turn(model, text, way, check)) for way in WAYS)
    for blank in range(len(text.hidden)):
        one, other = forward[blank], backward[blank]
        both = combined(model, torch.tensor(one.log_p)[None], torch.tensor(other.log_p)[None])
        yield Answered(
            both[0].numpy(),
            None,  # of several pieces: the rest of the softmax is out of reach
            {**one.guesses, **other.guesses},
            {"forward": one, "backward": other},
        )


def combined(
    model: Model,
    forward: Float[Tensor, "row vocabulary"],
    backward: Float[Tensor, "row vocabulary"],
) -> Float[Tensor, "row vocabulary"]:
    """Both answers in one: logarithms in, logarithms out.

    Special tokens are no words of the training text: they have no count to divide by, and no part
    in this answer.
    """
    is_word = torch.from_numpy(model.vocabulary.is_word)
    scores = forward + backward - torch.from_numpy(unigram_log_p(model))
    return scores.masked_fill(~is_word, -torch.inf).log_softmax(-1)


def unigram_log_p(model: Model) -> Float[np.ndarray, " vocabulary"]:
    """How common each word is: the add-one counts of the training text, as logarithms.

    Raises:
        FilesMissing: The model's folder has no counts.
    """
    counts = word_counts(model) + 1.0
    return np.log(counts / counts.sum())


def _in_turn(model: Model, text: Gapped, way: Way, check: Check) -> Iterator[tuple[int, Answered]]:
    """One model's answers; each one's best word is the guess that the next ones are told."""
    guesses: dict[int, Candidate] = {}
    for blank in _order(text, way):
        layout = _lay(text, blank, way, guesses)
        pieces = several_pieces(model, text, blank)
        found, score = _with_pieces(model, layout, way, pieces, check)
        yield blank, Answered(found, score, dict(sorted(guesses.items())))
        guesses[blank] = best_word(model, found)


def _guesses(
    model: Model, text: Gapped, blank: int, way: Way, check: Check
) -> dict[int, Candidate]:
    """One model's own words in all blanks that it comes to before this one."""
    guesses: dict[int, Candidate] = {}
    order = _order(text, way)
    for sooner in order[: order.index(blank)]:
        ids = torch.tensor([_lay(text, sooner, way, guesses).ids])
        guesses[sooner] = best_word(model, _side(model, ids, way, check)[0, 0].numpy())
    return guesses


def _order(text: Gapped, way: Way) -> list[int]:
    blanks = list(range(len(text.hidden)))
    return blanks if way == "forward" else blanks[::-1]


def _lay(text: Gapped, blank: int, way: Way, guesses: dict[int, Candidate]) -> Layout:
    side = text.left if way == "forward" else text.right
    return side(blank, as_fills(guesses))


def _side(
    model: Model, ids: Tensor, way: Way, check: Check, count: int = 1
) -> Float[Tensor, "row answer vocabulary"]:
    """A model's answers at the inner end of its text: the last, or the last few, it can give."""
    positions = range(-count, 0) if way == "forward" else range(count)
    return one_way(cast(ElmoForPreTraining, model.network), ids, way, positions, check)


def _with_pieces(
    model: Model, layout: Layout, way: Way, pieces: tuple[int, ...], check: Check
) -> tuple[Float[np.ndarray, " vocabulary"], float | None]:
    """A blank's answer, and the log-probability of some pieces there: the chain rule, its way.

    The backward model spells a word from its last piece to its first.
    """
    near = (*layout.ids, *pieces[:-1]) if way == "forward" else (*pieces[1:], *layout.ids)
    found = _side(model, torch.tensor([near]), way, check, max(1, len(pieces)))[0]
    score = float(found[range(len(pieces)), pieces].sum()) if pieces else None
    return found[0 if way == "forward" else -1].numpy(), score
