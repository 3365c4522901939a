"""A text and how it goes on: what a model reads, what could come next, and what it writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor

from models.answering.left_to_right import first_token
from models.errors import Unusable
from models.generated import Drawing, NextTokens, Prompt, WrittenToken
from models.generating.decoder import Decoder, decoder_of, ends
from models.generating.sampling import Chooser
from models.generating.spelling import Spelling, chunks
from models.results import BLANK, Sentence
from models.settings import settings

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None

LISTED = 60
"""Candidates that are written out; of the others the probabilities are enough."""


def prompt(model: Model, sentence: Sentence) -> Prompt:
    """What a model reads before it writes: the text up to its first hidden word.

    Raises:
        Unusable: It does not read from the left.
    """
    if model.objective != "causal":
        raise Unusable(model.name, "architecture")
    starts = [start for start, _ in sentence.hidden]
    typed = sentence.text.find(BLANK)
    end = min([*starts, *([typed] if typed >= 0 else []), len(sentence.text)])
    text = sentence.text[:end].rstrip()
    reading = model.reader.read(text, settings().max_characters, model.max_tokens)
    ids = reading.ids
    if len(ids) > 1 and ids[-1] in ends(model):  # what the tokenizer puts at the end of a text
        ids = ids[:-1]
    return Prompt(
        text=text,
        ids=ids or (first_token(model),),
        cut=reading.cut,
        unknown=reading.unknown,
        rewritten=reading.rewritten,
        room=model.max_tokens - max(1, len(ids)),
    )


def opening(model: Model, ids: Sequence[int], check: Check = None) -> tuple[WrittenToken, ...]:
    """The tokens of a text that is given, each as likely as the model finds it."""
    decoder, spelling = decoder_of(model), Spelling(model)
    found: list[WrittenToken] = []
    before: Float[Tensor, " vocabulary"] | None = None
    for some in chunks(ids):
        if check is not None:
            check()
        for token_id, logits in zip(some[0].tolist(), decoder.read(some)[0], strict=True):
            found.append(spelling.add(token_id, before))
            before = logits
    return tuple(found)


def read_on(decoder: Decoder, ids: Sequence[int], check: Check) -> Float[Tensor, " vocabulary"]:
    """Read a text, and give the logits of what comes after it."""
    last = torch.empty(0)
    for some in chunks(ids):
        if check is not None:
            check()
        last = decoder.read(some)[0, -1]
    return last


def next_tokens(model: Model, ids: Sequence[int], check: Check = None) -> NextTokens:
    """The full distribution over the token after a text."""
    return ranked(model, read_on(decoder_of(model), ids, check))


def ranked(model: Model, logits: Float[Tensor, " vocabulary"]) -> NextTokens:
    """Logits as a distribution, the most probable token first; of equals the lower id."""
    log_p = logits.double().log_softmax(-1)
    best = log_p.sort(descending=True, stable=True)
    candidates = (
        model.vocabulary.candidate(int(token_id), float(value.exp()))
        for value, token_id in zip(best.values[:LISTED], best.indices[:LISTED], strict=True)
    )
    return NextTokens(
        log_p=best.values.float().numpy(),
        ids=best.indices.numpy(),
        candidates=tuple(candidates),
        ends=ends(model),
        provenance=model.provenance,
    )


def continuation(
    model: Model, ids: Sequence[int], drawing: Drawing, most: int
) -> Iterator[WrittenToken]:
    """What a model writes after a text, token by token, each computed when it is asked for.

    It stops behind a token that ends the text, after `most` tokens, or where the model can read no
    more. One that is left half-way has touched nothing that others use.
    """
    decoder, spelling = decoder_of(model), Spelling(model, ids)
    logits = read_on(decoder, ids, None)
    chooser, last = Chooser(drawing, len(logits)), ends(model)
    room = min(most, model.max_tokens - len(ids))
    for left in range(room, 0, -1):
        choice = chooser.choose(logits)
        yield replace(spelling.add(choice.id, logits), share=choice.share)
        if choice.id in last or left == 1:
            return
        logits = decoder.read(torch.tensor([[choice.id]]))[0, -1]


def forced(
    model: Model, ids: Sequence[int], token_ids: Sequence[int], check: Check = None
) -> tuple[WrittenToken, ...]:
    """Tokens that somebody else chose to put after a text."""
    return opening(model, (*ids, *token_ids), check)[len(ids) :]
