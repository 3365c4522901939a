"""Integrated gradients: what each word adds to an answer on the way from no word to that word."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from models import snippet_gradients
from models.elmo import ElmoForPreTraining
from models.embedded import Embedded, looked_up
from models.errors import CannotTrace
from models.heads import Attribution
from models.inputs import reads_masks
from models.questions import Question, ask, log_probabilities
from models.recording import Request, serving
from models.results import Sentence
from models.runs import BATCH_TOKENS
from models.snippets import Source
from models.tracing import NAME
from models.wiring import prepare

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None

STEPS = 64


def attributions(
    model: Model, sentence: Sentence, blank: int = 0, check: Check = None
) -> Attribution:
    """Integrated gradients of log p of the word at a blank (Sundararajan et al. 2017).

    The baseline has [MASK] in place of every word; special tokens and masks stay, so that they get
    nothing. A model that reads no masks has the mean of its word vectors instead: it has never
    learned what [MASK] would be.

    Raises:
        CannotTrace: The model looks its words up in a way that is not known, as ELMo does.
    """
    from captum.attr import IntegratedGradients  # late: it takes a second to import

    if isinstance(model.network, ElmoForPreTraining):
        raise CannotTrace(model.name, "gradients", "family")
    question = ask(model, sentence, blank, check=check)
    log_p = log_probabilities(model, question, check=check)[0]
    word = int(log_p.argmax()) if question.original is None else question.original
    words = {name: _words(model, ids) for name, ids in question.tensors.items()}
    vectors, baselines = _ends(model, question, words)

    def answer(*some: Tensor) -> Tensor:
        return _answer(model, question, word, some, check)

    length = sum(one.shape[1] for one in vectors)
    with torch.enable_grad():
        found = IntegratedGradients(answer).attribute(
            vectors, baselines, n_steps=STEPS, internal_batch_size=max(1, BATCH_TOKENS // length)
        )
    with torch.no_grad():
        start, end = float(answer(*baselines)), float(answer(*vectors))
    values = [one[0].sum(-1).double() for one in found]
    error = float(sum(one.sum() for one in values)) - (end - start)
    source = Source.of(model, sentence.text, question.tensors)
    stand_in = model.reader.mask_id if reads_masks(model) else None
    return Attribution(
        values={
            name: one.masked_fill(~words[name], torch.nan).numpy()
            for name, one in zip(question.tensors, values, strict=True)
        },
        answer=word,
        original=end,
        baseline=start,
        error=error,
        steps=STEPS,
        mean_baseline=stand_in is None,
        provenance=model.provenance,
        snippet=snippet_gradients.attributions(source, question.position, word, words, stand_in),
    )


def _words(model: Model, ids: Tensor) -> Tensor:
    """Where words stand: (position,), true where the baseline has something else."""
    kept = {*model.tokenizer.all_special_ids, model.reader.blank_id} - {model.reader.unknown_id}
    return torch.tensor([id_ not in kept for id_ in ids[0].tolist()])


def _ends(
    model: Model, question: Question, words: dict[str, Tensor]
) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    """The vectors that are read, and those of the baseline."""
    vectors, baselines = [], []
    for side, (name, ids) in enumerate(question.tensors.items()):
        read = looked_up(model.network, ids, side)
        instead = _stand_in(model, read, side)
        vectors.append(read)
        baselines.append(torch.where(words[name][None, :, None], instead, read))
    return tuple(vectors), tuple(baselines)


def _stand_in(model: Model, read: Tensor, side: int) -> Tensor:
    """The vector of no particular word: (dim,)."""
    if reads_masks(model) and model.reader.mask_id is not None:
        return looked_up(model.network, torch.tensor(model.reader.mask_id), side)
    everything = torch.arange(len(model.vocabulary.is_word))
    return looked_up(model.network, everything, side).mean(0)


def _answer(
    model: Model, question: Question, word: int, vectors: tuple[Tensor, ...], check: Check
) -> Tensor:
    """Log-probability of the word for each row of vectors; they may need gradients."""
    wiring = prepare(model.network, NAME)
    rows = {name: ids.expand(len(vectors[0]), -1) for name, ids in question.tensors.items()}
    request = Request(wiring.kinds, check=check, positions=torch.tensor([question.position]))
    reading = Embedded(model.network, vectors)
    with serving(request), reading:
        logits: Tensor = model.network(**rows).logits
    if not reading.done:
        raise CannotTrace(model.name, "gradients", "family")
    return logits[:, 0].double().log_softmax(-1)[:, word]
