"""From what a visitor typed to what a network reads, with the tokens to show for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from models.hiding import hidden_tokens
from models.reading import Reading
from models.results import Sentence
from models.settings import settings
from models.tokens import Piece, describe
from models.traces import Token

if TYPE_CHECKING:
    from models.loading import Model

ANSWER_TOKENS = 64
"""How far an encoder-decoder writes when nobody says what its decoder shall read."""


@dataclass(frozen=True)
class Inputs:
    """One text, or a pair, ready for a network; the decoder's side where it has one."""

    text: str
    pair: str | None
    target: str | None
    cut: tuple[str, str, str]
    tokens: tuple[Token, ...]
    target_tokens: tuple[Token, ...]
    tensors: dict[str, Tensor]
    """Arguments of the network's forward: a batch of one."""


def read(
    model: Model, text: str | Sentence, pair: str | None = None, target: str | None = None
) -> Inputs:
    """Tokenise, cut what is too long, put a mask in place of each hidden word."""
    sentence = Sentence(text) if isinstance(text, str) else text
    if pair is not None and sentence.hidden:
        raise ValueError("in a pair, hide a word by typing [MASK]")
    if pair is None:
        reading = _reading(model, sentence.text)
        pieces, types, cut = _masked(model, reading, sentence), None, (reading.cut, "")
    else:
        pieces, types, cut = _pair(model, sentence.text, pair)
    tokens = describe_pieces(model, (sentence.text, pair or ""), pieces)
    tensors = {"input_ids": torch.tensor([[p.id for p in pieces]])}
    if types is not None and getattr(model.network.config, "type_vocab_size", 0) > 1:
        tensors["token_type_ids"] = torch.tensor([types])
    inputs = Inputs(sentence.text, pair, None, (*cut, ""), tokens, (), tensors)
    if model.network.config.is_encoder_decoder:
        return _with_decoder(model, inputs, target)
    return inputs


def _reading(model: Model, text: str, room: int | None = None) -> Reading:
    return model.reader.read(text, settings().max_characters, room or model.max_tokens)


def spelled(model: Model, reading: Reading) -> list[Piece]:
    """A text's tokens with their spelling; special tokens belong to no text."""
    special = model.tokenizer.all_special_ids
    return [
        Piece(id_, _spelling(model, id_), span, None if span == (0, 0) and id_ in special else 0)
        for id_, span in zip(reading.ids, reading.offsets, strict=True)
    ]


def _masked(model: Model, reading: Reading, sentence: Sentence) -> list[Piece]:
    """The pieces of a text, each hidden word replaced by one mask at the word's place."""
    pieces = spelled(model, reading)
    mask = model.reader.mask_id
    if mask is None:  # a model that reads one way: `models.measures` predicts instead of masking
        return pieces
    for word in reversed(hidden_tokens(reading, sentence.hidden, mask)):
        pieces[word.first : word.end] = [Piece(mask, _spelling(model, mask), word.span, 0)]
    return pieces


def _pair(model: Model, text: str, pair: str) -> tuple[list[Piece], list[int], tuple[str, str]]:
    """Two texts as one input, each cut to half of the room; also which text each piece is of."""
    first, second = (_reading(model, each, model.max_tokens // 2) for each in (text, pair))
    joined = model.reader.join(first, second)
    ids = [model.reader.as_mask(id_) for id_ in joined.ids]
    rows = zip(ids, joined.offsets, joined.sequence_ids, strict=True)
    pieces = [Piece(id_, _spelling(model, id_), span, which) for id_, span, which in rows]
    return pieces, list(joined.type_ids), (first.cut, second.cut)


def _with_decoder(model: Model, inputs: Inputs, target: str | None) -> Inputs:
    """Add what the decoder reads: a start token, then the target without its end (teacher forcing).

    Without a target it reads the model's own answer, written greedily.
    """
    text = _answer(model, inputs.tensors) if target is None else target
    reading = _reading(model, text)
    pieces = _masked(model, reading, Sentence(text))
    if pieces and pieces[-1].sequence is None:  # the end is predicted, never read
        pieces = pieces[:-1]
    start = model.network.config.decoder_start_token_id
    pieces = [Piece(start, _spelling(model, start), (0, 0), None), *pieces]
    ids = torch.tensor([[p.id for p in pieces]])
    return replace(
        inputs,
        target=text,
        cut=(*inputs.cut[:2], reading.cut),
        target_tokens=describe_pieces(model, (text,), pieces),
        tensors={**inputs.tensors, "decoder_input_ids": ids},
    )


def _answer(model: Model, tensors: dict[str, Tensor]) -> str:
    """The model's own answer. Without a cache: T5's has room for as many layers as the encoder."""
    room = min(ANSWER_TOKENS, model.max_tokens - 1)
    written = model.network.generate(  # type: ignore[operator]
        **tensors, max_new_tokens=room, do_sample=False, num_beams=1, use_cache=False
    )
    return str(model.tokenizer.decode(written[0], skip_special_tokens=True))


def _spelling(model: Model, token_id: int) -> str:
    return model.reader.spell((token_id,))[0] or ""


def describe_pieces(
    model: Model, texts: Sequence[str], pieces: Sequence[Piece]
) -> tuple[Token, ...]:
    """Tokens as a reader sees them; see `models.tokens.describe`."""
    special = frozenset(model.tokenizer.all_special_ids)
    return describe(texts, pieces, special, model.reader.unknown_id)
