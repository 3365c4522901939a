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
    if model.has_decoder:
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
    """The pieces of a text, each hidden word replaced by one mask at the word's place.

    A model that reads one way reads no masks: what is hidden stays as it is, and a typed mask gives
    way to the model's own guess.
    """
    pieces = spelled(model, reading)
    mask = model.reader.mask_id
    if mask is None or not reads_masks(model):
        return without_masks(model, pieces)
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
    if model.reader.mask_id is None or not reads_masks(model):
        pieces = without_masks(model, pieces)
    return pieces, list(joined.type_ids), (first.cut, second.cut)


def reads_masks(model: Model) -> bool:
    """Whether a hidden word can be shown to the model as such."""
    return model.objective in ("masked", "denoising")


def without_masks(
    model: Model, pieces: Sequence[Piece], source: dict[str, Tensor] | None = None
) -> list[Piece]:
    """What the model itself would say next, in place of every typed mask.

    Args:
        model: One that reads from the left; an encoder without a mask token reads "unknown" there.
        pieces: What it reads.
        source: What the encoder reads, if these are for a decoder.
    """
    # Late, since answering runs the network, and what traces a run imports this module.
    from models.answering.left_to_right import best_next

    done: list[Piece] = []
    for piece in pieces:
        if piece.id == model.reader.blank_id:
            if model.has_decoder and source is None:
                id_ = model.reader.unknown_id or 0
            else:
                id_ = best_next(model, [p.id for p in done], source or {})
            done.append(Piece(id_, _spelling(model, id_), piece.span, None))
        else:
            done.append(piece)
    return done


def _with_decoder(model: Model, inputs: Inputs, target: str | None) -> Inputs:
    """Add what the decoder reads: a start token, then the target without its end (teacher forcing).

    Without a target it reads the model's own answer, written greedily.
    """
    text = _answer(model, inputs.tensors) if target is None else target
    reading = _reading(model, text)
    pieces = spelled(model, reading)
    if pieces and pieces[-1].sequence is None:  # the end is predicted, never read
        pieces = pieces[:-1]
    start = model.network.config.decoder_start_token_id
    if not pieces or pieces[0].id != start:
        pieces = [Piece(start, _spelling(model, start), (0, 0), None), *pieces]
    pieces = without_masks(model, pieces, inputs.tensors)
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
    special = frozenset([*model.tokenizer.all_special_ids, model.reader.blank_id])
    return describe(texts, pieces, special, model.reader.unknown_id)
