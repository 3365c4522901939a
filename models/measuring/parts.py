"""About the parts of a model: remove one, and see what changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Float

from models import measures, snippets
from models.errors import CannotTrace
from models.interventions import AttentionKind, CutEdges, NoFeedForward, SilenceHeads
from models.questions import Question, ask
from models.recording import Request, serving
from models.results import Sentence
from models.runs import BY_ROW, answers
from models.snippets import Source
from models.traces import Measurement, Record, StackName
from models.tracing import NAME
from models.wiring import branch_names, prepare

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None


def head_effects(
    model: Model,
    sentence: Sentence,
    blank: int = 0,
    attention: AttentionKind | None = None,
    check: Check = None,
) -> Measurement:
    """Change of log p of the word, in nats, when a head is silenced: values (layer, head)."""
    kind, depth, heads = _extent(model, attention)
    edits = [(SilenceHeads(la, (he,), kind),) for la in range(depth) for he in range(heads)]
    question, word, effects = _effects(model, sentence, blank, edits, check)
    source = Source.of(model, sentence.text, question.tensors)
    return Measurement(
        "head_effects",
        effects.reshape(depth, heads),
        model.provenance,
        snippets.head_effects(source, question.position, word, calls(model, kind), heads),
        answer=word,
    )


def edge_effects(
    model: Model,
    sentence: Sentence,
    layer: int,
    blank: int = 0,
    attention: AttentionKind | None = None,
    check: Check = None,
) -> Measurement:
    """Change of log p, in nats, when an edge of the blank's row is cut: values (head, key)."""
    kind, _, heads = _extent(model, attention)
    question = ask(model, sentence, blank)
    keys = _keys(question, kind)
    edits = [
        (CutEdges(layer, ((question.position, key),), (head,), kind),)
        for head in range(heads)
        for key in range(keys)
    ]
    question, word, effects = _effects(model, sentence, blank, edits, check)
    source = Source.of(model, sentence.text, question.tensors)
    call = calls(model, kind)[layer]
    return Measurement(
        "edge_effects",
        effects.reshape(heads, keys),
        model.provenance,
        snippets.edge_effects(source, question.position, word, call, heads, keys),
        answer=word,
    )


def agreement(
    model: Model, sentence: Sentence, layer: int, blank: int = 0, check: Check = None
) -> Measurement:
    """Spearman's ρ of attention and effect over the edges of the blank's row: values ().

    NaN where either is the same everywhere.
    """
    kind, _, heads = _extent(model, None)
    question = ask(model, sentence, blank)
    edges = edge_effects(model, sentence, layer, blank, check=check)
    weights = weights_of(model, question, layer, kind)[:, question.position]
    keys = _keys(question, kind)
    source = Source.of(model, sentence.text, question.tensors)
    call = calls(model, kind)[layer]
    return Measurement(
        "agreement",
        np.array(measures.agreement(weights[:, :keys].astype(float), edges.values)),
        model.provenance,
        snippets.agreement(source, question.position, edges.answer or 0, call, heads, keys),
        answer=edges.answer,
    )


def ffn_effects(
    model: Model, sentence: Sentence, blank: int = 0, check: Check = None
) -> Measurement:
    """Change of log p, in nats, when a feed-forward network is switched off: values (layer)."""
    wiring = prepare(model.network, NAME)
    if wiring.anatomy is None:
        raise CannotTrace(model.name, "NoFeedForward", "family")
    stack = wiring.stacks[-1]
    depth = wiring.depth[stack]
    edits = [(NoFeedForward((layer,), stack),) for layer in range(depth)]
    question, word, effects = _effects(model, sentence, blank, edits, check)
    source = Source.of(model, sentence.text, question.tensors)
    modules = branch_names(model.network, wiring.anatomy.towers[stack], "ffn")
    return Measurement(
        "ffn_effects",
        effects,
        model.provenance,
        snippets.ffn_effects(source, question.position, word, modules, depth),
        answer=word,
    )


def _effects(
    model: Model,
    sentence: Sentence,
    blank: int,
    edits: Sequence[tuple[BY_ROW, ...]],
    check: Check,
) -> tuple[Question, int, Float[np.ndarray, " edit"]]:
    """The question, the word whose probability is followed, and each edit's effect on it."""
    question = ask(model, sentence, blank)
    found = answers(model.network, question.tensors, [question.position], [(), *edits], check)[:, 0]
    word = int(found[0].argmax()) if question.original is None else question.original
    log_p = found[:, word].numpy()
    return question, word, measures.effect(log_p[1:], float(log_p[0]))


def _extent(model: Model, attention: AttentionKind | None) -> tuple[AttentionKind, int, int]:
    """Which attention is meant (the answering stack's own by default), its layers and heads."""
    wiring = prepare(model.network, NAME)
    if not wiring.routed:
        raise CannotTrace(model.name, "SilenceHeads", "own attention")
    kind = attention or wiring.stacks[-1]
    stack: StackName = "encoder" if kind == "encoder" else "decoder"
    return kind, wiring.depth[stack], wiring.heads[stack]


def _keys(question: Question, kind: AttentionKind) -> int:
    """How many keys the blank's row can look at; none lies ahead in a decoder."""
    if kind == "decoder":
        return question.position + 1
    return int(question.tensors["input_ids"].shape[1])


def calls(model: Model, kind: AttentionKind) -> list[int]:
    """Which attention calls of one forward pass, counted from 0, are the layers of this kind."""
    wiring = prepare(model.network, NAME)
    if len(wiring.stacks) == 1 or kind == "encoder":
        return list(range(wiring.depth[wiring.stacks[0]]))
    first = wiring.depth["encoder"] + (kind == "cross")  # a decoder layer: its own, then cross
    return [first + 2 * layer for layer in range(wiring.depth["decoder"])]


def weights_of(
    model: Model, question: Question, layer: int, kind: AttentionKind
) -> Float[np.ndarray, "head query key"]:
    """The weights of one layer while it answers a question."""
    wiring = prepare(model.network, NAME)
    request = Request(wiring.kinds, (Record("weights", layers=(layer,), attention=kind),))
    with torch.inference_mode(), serving(request):
        model.network(**question.tensors)
    return request.attention[kind, layer]["weights"][1]
