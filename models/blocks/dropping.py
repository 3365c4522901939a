"""Dropout left on: the same question, asked again and again (Gal & Ghahramani 2016)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from models.block_records import Passes
from models.blocks import snippets
from models.blocks.walk import Asked, asked
from models.interventions import Dropout
from models.ranking import best_words, entropy_bits
from models.recording import EVERY_ROW, Request, serving
from models.results import Sentence
from models.tracing import NAME, without_cache
from models.wiring import prepare

if TYPE_CHECKING:
    from models.loading import Model

PASSES, WORDS = 40, 6


def passes(
    model: Model,
    sentence: Sentence,
    p: float,
    seed: int = 0,
    blank: int = 0,
    check: Callable[[], None] | None = None,
) -> Passes:
    """Ask with dropout on; see `models.blocks_asked.passes`."""
    question = asked(model, sentence, blank, check)
    log_p = drawn(question, p, seed, check)
    probabilities = log_p.exp().numpy()
    mean = probabilities.mean(axis=0)
    best = best_words(mean, model.vocabulary.is_word, WORDS)
    plain = question.log_p.exp()
    return Passes(
        followed=question.followed,
        p=p,
        words=tuple(model.vocabulary.candidate(int(i), float(plain[i])) for i in best),
        drawn=probabilities[:, best],
        log_p=log_p[:, question.followed.word.token_id].numpy(),
        total_bits=entropy_bits(mean),
        within_bits=float(np.mean([entropy_bits(row) for row in probabilities])),
        provenance=model.provenance,
        snippet=snippets.passes(question, p, seed),
    )


def drawn(question: Asked, p: float, seed: int, check: Callable[[], None] | None = None) -> Tensor:
    """Log-probabilities of every word, (pass, vocabulary), float64, in nats.

    All passes are rows of one batch: what falls silent is drawn for each row by itself.
    """
    network, tensors = question.model.network, question.question.tensors
    wiring = prepare(network, NAME)
    rows = {name: ids.expand(PASSES, -1) for name, ids in tensors.items()}
    request = Request(
        wiring.kinds,
        edits=((EVERY_ROW, Dropout(seed, p)),),
        check=check,
        positions=torch.tensor([question.position]),
    )
    with torch.inference_mode(), serving(request):
        logits: Tensor = network(**rows, **without_cache(wiring)).logits
    return logits[:, 0].double().log_softmax(-1)
