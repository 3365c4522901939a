"""What GPT and the Transformer's decoder share: each answer is the next word after those before it.

They never read a blank. Blanks to the left are filled one after another with the model's own best
word, read with the guesses before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor

from models.answering.one_way import one_way
from models.answering.posed import (
    Answered,
    Check,
    Guesses,
    Posed,
    best_word,
    several_pieces,
)
from models.elmo import ElmoForPreTraining
from models.errors import Unusable
from models.gaps import Gapped
from models.results import Candidate
from models.runs import Tensors
from models.runs import answers as run

if TYPE_CHECKING:
    from models.loading import Model

Lay = Callable[["Model", Gapped, int, Guesses], Posed]
"""What is read for one blank, given the guesses in those before it. Its last row is read from the
left, and ends where the blank begins."""


def guessed(model: Model, text: Gapped, blank: int, lay: Lay, check: Check) -> Posed:
    """What is read for one blank; earlier blanks are guessed on the way."""
    guesses: dict[int, Candidate] = {}
    for earlier in range(blank):
        posed = lay(model, text, earlier, guesses)
        found = next_words(model, posed.tensors(), [posed.position], check)[0, 0]
        guesses[earlier] = best_word(model, found.numpy())
    return lay(model, text, blank, guesses)


def in_turn(model: Model, text: Gapped, lay: Lay, check: Check) -> Iterator[Answered]:
    """The answers to all blanks; each one's best word is the guess that later ones are told."""
    guesses: dict[int, Candidate] = {}
    for blank in range(len(text.hidden)):
        posed = lay(model, text, blank, dict(guesses))
        pieces = several_pieces(model, text, blank)
        found = _with_pieces(model, posed, pieces[:-1], check)
        score = float(found[range(len(pieces)), pieces].sum()) if pieces else None
        log_p = found[0].numpy()
        yield Answered(log_p, score, posed.guesses)
        guesses[blank] = best_word(model, log_p)


def _with_pieces(
    model: Model, posed: Posed, pieces: Sequence[int], check: Check
) -> Float[Tensor, "answer vocabulary"]:
    """The answer to a blank, and those after each of some pieces put there (the chain rule).

    One run gives all: no answer sees what comes after it.
    """
    tensors = posed.tensors()
    last = list(tensors)[-1]
    tensors[last] = torch.tensor([[*tensors[last][0].tolist(), *pieces]])
    positions = [posed.position + i for i in range(1 + len(pieces))]
    return next_words(model, tensors, positions, check)[0]


def best_next(model: Model, ids: Sequence[int], source: Tensors) -> int:
    """The model's best word after some tokens; after none, after what a text begins with.

    Args:
        model: One that reads from the left.
        ids: The tokens.
        source: What the encoder reads, if there is one.
    """
    name = "decoder_input_ids" if source else "input_ids"
    row = torch.tensor([list(ids) or [first_token(model)]])
    found = next_words(model, {**source, name: row}, [row.shape[1] - 1], None)[0, 0]
    return best_word(model, found.numpy()).token_id


def first_token(model: Model) -> int:
    """What a text begins with, for a model whose tokenizer puts nothing there (GPT-2).

    Raises:
        Unusable: Nothing that could begin a text is known.
    """
    for known in (model.tokenizer.bos_token_id, model.tokenizer.eos_token_id):
        if known is not None:
            return int(known)
    raise Unusable(model.name, "tokenizer")


def next_words(
    model: Model, tensors: Tensors, positions: Sequence[int], check: Check
) -> Float[Tensor, "row asked vocabulary"]:
    """Log-probabilities of the word after each position, float64."""
    if isinstance(model.network, ElmoForPreTraining):  # an LSTM, or ELMo's forward model
        return one_way(model.network, tensors["input_ids"], "forward", positions, check)
    return run(model.network, tensors, positions, check=check)
