"""Encoder-decoders: one text is read, another is written, token by token.

Free: each token that the decoder wrote is read before the next one. Forced: the tokens of a given
target are read instead, whatever the decoder would have written (teacher forcing, as in training).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor

from models.answering.left_to_right import first_token
from models.errors import Unusable
from models.generated import (
    EveryPosition,
    Forced,
    ForcedStep,
    Lengths,
    Writing,
    WritingStep,
)
from models.generating import snippets
from models.generating.continuing import read_on
from models.generating.decoder import decoder_of, ends
from models.generating.spelling import Spelling
from models.inputs import ANSWER_TOKENS, Inputs, describe_pieces, read, spelled
from models.results import Candidate, Sentence
from models.settings import settings
from models.tokens import Piece
from models.traces import Record, Trace
from models.tracing import traced

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None
Row = Float[Tensor, " vocabulary"]
LISTED = 5


def write(
    model: Model, sentence: Sentence, most: int = ANSWER_TOKENS, check: Check = None
) -> Writing:
    """See `models.writing.write`."""
    inputs = source_of(model, sentence)
    start, steps = _free(model, inputs, min(most, model.max_tokens - 1), check)
    ids = [step.token.id for step in steps]
    seen = _reread(model, inputs, [start, *ids[:-1]], check)
    decoder = seen.decoder
    if seen.encoder is None or decoder is None:
        raise Unusable(model.name, "architecture")
    return Writing(
        source=inputs.tokens,
        start=model.reader.spell((start,))[0],
        steps=steps,
        ended=bool(ids) and ids[-1] in ends(model),
        cross=decoder.weights(cross=True),
        cut=inputs.cut[0],
        unknown=_unknown(model, sentence),
        provenance=model.provenance,
        snippet=snippets.written(model, inputs, ids),
    )


def force(model: Model, sentence: Sentence, target: str, check: Check = None) -> Forced:
    """See `models.writing.force`."""
    inputs = source_of(model, sentence)
    reading = model.reader.read(target, settings().max_characters, model.max_tokens - 1)
    ids = [piece.id for piece in spelled(model, reading) if piece.sequence is not None]
    last = sorted(ends(model))[:1]
    given = [start_of(model), *ids]
    if check is not None:
        check()
    logits = decoder_of(model, inputs.tensors).read(torch.tensor([given]))[0]
    spelling = Spelling(model)
    steps = [
        ForcedStep(spelling.add(token_id, row), _best(model, row, 1)[0])
        for token_id, row in zip([*ids, *last], logits, strict=False)
    ]
    return Forced(
        steps=tuple(steps),
        cut=reading.cut,
        provenance=model.provenance,
        snippet=snippets.forced(model, inputs, given, [*ids, *last]),
    )


def every_position(model: Model, sentence: Sentence, check: Check = None) -> EveryPosition:
    """See `models.writing.every_position`."""
    if model.objective != "masked":
        raise Unusable(model.name, "mask")
    if check is not None:
        check()
    inputs = read(model, sentence)
    with torch.inference_mode():
        logits = model.network(**inputs.tensors).logits[0]
    answers = tuple(_best(model, row, 1)[0] for row in logits)
    program = snippets.every_position(model, inputs)
    return EveryPosition(inputs.tokens, answers, model.provenance, program)


def lengths(model: Model, sentence: Sentence, check: Check = None) -> Lengths:
    """See `models.writing.lengths`."""
    if model.objective == "masked":
        found = every_position(model, sentence, check)
        return Lengths(len(found.tokens), len(found.answers))
    inputs = source_of(model, sentence)
    _, steps = _free(model, inputs, min(ANSWER_TOKENS, model.max_tokens - 1), check)
    return Lengths(len(inputs.tokens), len(steps))


def lengths_program(model: Model, sentences: Sequence[Sentence]) -> str:
    """See `models.writing.lengths_snippet`."""
    sources = [source_of(model, sentence) for sentence in sentences]
    return snippets.lengths(model, sources, min(ANSWER_TOKENS, model.max_tokens - 1))


def source_of(model: Model, sentence: Sentence) -> Inputs:
    """What the encoder reads; of the decoder nothing yet.

    Raises:
        Unusable: The model has no decoder.
    """
    if not model.has_decoder:
        raise Unusable(model.name, "architecture")
    inputs = read(model, sentence, target="")
    source = {k: v for k, v in inputs.tensors.items() if not k.startswith("decoder_")}
    return replace(inputs, tensors=source, target_tokens=())


def start_of(model: Model) -> int:
    """The token that the decoder reads first."""
    start = model.network.config.decoder_start_token_id
    return first_token(model) if start is None else int(start)


def _free(
    model: Model, inputs: Inputs, most: int, check: Check
) -> tuple[int, tuple[WritingStep, ...]]:
    """The decoder writes greedily; the token it began with, and its steps."""
    decoder, spelling, last = decoder_of(model, inputs.tensors), Spelling(model), ends(model)
    start, steps = start_of(model), list[WritingStep]()
    logits = read_on(decoder, [start], check)
    while True:
        token_id = int(logits.argmax())
        best = _best(model, logits, LISTED)
        steps.append(WritingStep(spelling.add(token_id, logits), best))
        if token_id in last or len(steps) == most:
            return start, tuple(steps)
        logits = read_on(decoder, [token_id], check)


def _best(model: Model, logits: Row, count: int) -> tuple[Candidate, ...]:
    """The most probable tokens, special ones among them."""
    best = logits.double().softmax(-1).sort(descending=True, stable=True)
    pairs = zip(best.indices[:count].tolist(), best.values[:count].tolist(), strict=True)
    return tuple(model.vocabulary.candidate(token_id, value) for token_id, value in pairs)


def _reread(model: Model, inputs: Inputs, ids: Sequence[int], check: Check) -> Trace:
    """The same run once more, all at once, its attention recorded: nothing sees what follows it."""
    pieces = [Piece(id_, model.reader.spell((id_,))[0], (0, 0), None) for id_ in ids]
    whole = replace(
        inputs,
        target_tokens=describe_pieces(model, ("",), pieces),
        tensors={**inputs.tensors, "decoder_input_ids": torch.tensor([list(ids)])},
    )
    return traced(model, whole, Record("weights", attention="cross"), check=check)


def _unknown(model: Model, sentence: Sentence) -> tuple[str, ...]:
    read_ = model.reader.read(sentence.text, settings().max_characters, model.max_tokens)
    return read_.unknown
