"""About what is there: states, attention and answers as they are, nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Float

from models import measures, snippets
from models.elmo import ElmoForPreTraining
from models.errors import CannotTrace
from models.questions import ask, ask_for_every_token
from models.readout import Readout
from models.results import Sentence
from models.runs import answers
from models.snippets import Source
from models.traces import Measurement, Trace
from models.tracing import trace

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None


def lens(model: Model, sentence: Sentence, blank: int = 0, check: Check = None) -> Measurement:
    """What the model would answer after each layer: probabilities (state, vocabulary).

    State 0 is the embeddings; the last is the model's own answer.
    """
    question, readout = ask(model, sentence, blank), Readout.of(model.network)
    if readout is None:
        raise CannotTrace(model.name, "lens", "family")
    if check is not None:
        check()
    with torch.inference_mode():
        output = model.network(**question.tensors, output_hidden_states=True)
    layers = output.get("hidden_states") or output["decoder_hidden_states"]
    states = [state[0, question.position, None].numpy() for state in layers]  # each (1, dim)
    logits = measures.lens(states, readout.norm, readout.head)[:, 0]
    source = Source.of(model, sentence.text, question.tensors)
    return Measurement(
        "lens",
        torch.from_numpy(logits).double().softmax(-1).numpy(),
        model.provenance,
        snippets.lens(source, model.network, question.position),
        answer=question.original,
    )


def rollout(model: Model, text: str | Sentence, check: Check = None) -> Measurement:
    """Attention rollout through a stack's own attention: values (layer, position, position).

    Of an encoder-decoder it is the encoder's.
    """
    seen = trace(model, text, "weights", target="", check=check)
    return Measurement(
        "rollout",
        measures.rollout(_weights(model, seen)),
        model.provenance,
        snippets.rollout(_source(model, seen)),
    )


def head_statistics(model: Model, text: str | Sentence, check: Check = None) -> Measurement:
    """What kind of heads there are: values (statistic, layer, head).

    The statistics come in the order of `models.measures.STATISTICS`, and are NaN where a text has
    no repeated word.
    """
    seen = trace(model, text, "weights", target="", check=check)
    stack = seen.encoder or seen.stack
    ids = np.array([token.id for token in stack.tokens])
    layers = [measures.head_statistics(w, ids) for w in _weights(model, seen)]
    values = [[layer[name] for layer in layers] for name in measures.STATISTICS]
    return Measurement(
        "head_statistics",
        np.array(values),
        model.provenance,
        snippets.head_statistics(_source(model, seen)),
    )


def surprisal(model: Model, text: str, target: str = "", check: Check = None) -> Measurement:
    """How unexpected each token is, and how sure the model was: values (2, token), in bits.

    Row 0 is the surprisal of the token that stands there, row 1 the entropy of the answer. A masked
    model sees both sides, others the left: the two kinds of number do not compare.
    """
    if isinstance(model.network, ElmoForPreTraining):
        raise CannotTrace(model.name, "surprisal", "family")
    asked = ask_for_every_token(model, text, target)
    columns = []
    for one in asked:
        tensors = {name: torch.tensor([ids]) for name, ids in one.arguments.items()}
        log_p = answers(model.network, tensors, one.positions, check=check)[0].numpy()
        surprise = measures.surprisal_bits(log_p, np.array(one.ids, dtype=int))
        columns.append(np.stack([surprise, measures.entropy_bits(np.exp(log_p))]))
    return Measurement(
        "surprisal",
        np.concatenate([np.zeros((2, 0)), *columns], axis=1),
        model.provenance,
        snippets.surprisal(Source.of(model, text, {}), asked),
        words=tuple(span for one in asked for span in one.spans),
    )


def _weights(model: Model, seen: Trace) -> Float[np.ndarray, "layer head query key"]:
    """The attention weights of the stack that reads.

    Raises:
        CannotTrace: The model has no attention (ELMo), or does not let it out.
    """
    stack = seen.encoder or seen.stack
    if not stack.attention and seen.missing:
        raise CannotTrace(model.name, "weights", seen.missing[0].reason)
    return stack.weights().astype(float)


def _source(model: Model, seen: Trace) -> Source:
    ids = {name: torch.tensor([row]) for name, row in seen.arguments.items()}
    return Source.of(model, seen.text, ids)
