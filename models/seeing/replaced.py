"""A text with padding, cut into units that can be replaced, and what takes their places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Bool
from torch import Tensor

from models.counts import word_counts
from models.inputs import Inputs, read
from models.measuring.words import draw
from models.questions import Word
from models.sights import Replaced, ReplacedKind
from models.snippets import Drawn
from models.tokens import words_of
from models.traces import Token

if TYPE_CHECKING:
    from models.loading import Model

SOURCE, TARGET = "input_ids", "decoder_input_ids"
MASKS = {SOURCE: "attention_mask", TARGET: "decoder_attention_mask"}


@dataclass(frozen=True)
class Side:
    """What one tower reads: the tokens of one argument of the network's forward."""

    name: str
    tokens: tuple[Token, ...]
    real: Bool[np.ndarray, " token"]
    """False at padding."""
    units: tuple[Replaced, ...]

    def words(self) -> list[Word]:
        """The units with the places of their pieces."""
        return [
            Word(
                unit.span,
                tuple(self.tokens[i].id for i in unit.tokens),
                tuple(((self.name, i),) for i in unit.tokens),
            )
            for unit in self.units
        ]


@dataclass(frozen=True)
class Text:
    """A text as a network reads it."""

    tensors: dict[str, Tensor]
    sides: dict[str, Side]
    """By argument."""
    cut: str


def laid_out(model: Model, text: str, padding: int) -> Text:
    """Read a text; an encoder-decoder writes the very same text.

    Args:
        model: Of any kind.
        text: Any text.
        padding: How many padding tokens to append, as far as the model has one and room for it.
    """
    inputs = read(model, text, target=text if model.network.config.is_encoder_decoder else "")
    pad = model.network.config.pad_token_id
    tensors, sides = dict(inputs.tensors), {}
    for name, tokens in _read(inputs).items():
        room = 0 if pad is None else max(0, min(padding, model.max_tokens - len(tokens)))
        sides[name] = _side(name, tokens, _pads(model, pad or 0, room, len(tokens)))
        if room:
            tensors |= _padded(tensors, name, pad, room)
    return Text(tensors, sides, inputs.cut[0])


def substitutes(model: Model, words: Sequence[Word], count: int) -> Drawn:
    """Other words for each; a token that is no word gives way to words, too.

    Raises:
        FilesMissing: The model's folder has no counts to draw from.
    """
    counts = word_counts(model)
    return [draw(model, word.ids, counts, count) for word in words]


def _read(inputs: Inputs) -> dict[str, tuple[Token, ...]]:
    return {SOURCE: inputs.tokens} | (
        {TARGET: inputs.target_tokens} if inputs.target_tokens else {}
    )


def _pads(model: Model, pad: int, count: int, first: int) -> tuple[Token, ...]:
    name = model.reader.spell((pad,))[0]
    return tuple(
        Token(name, 0, 0, pad, name, "special", first + i, sequence=None) for i in range(count)
    )


def _padded(tensors: dict[str, Tensor], name: str, pad: int, room: int) -> dict[str, Tensor]:
    """The argument with padding on the right, the mask that hides it, and what goes along."""
    ids = tensors[name]
    more = {name: torch.cat([ids, ids.new_full((1, room), pad)], dim=1)}
    more[MASKS[name]] = torch.cat([torch.ones_like(ids), ids.new_zeros((1, room))], dim=1)
    if name == SOURCE and "token_type_ids" in tensors:
        types = tensors["token_type_ids"]
        more["token_type_ids"] = torch.cat([types, types.new_zeros((1, room))], dim=1)
    return more


def _side(name: str, tokens: tuple[Token, ...], pads: tuple[Token, ...]) -> Side:
    words = {indices[0]: indices for indices in words_of(tokens)}
    covered = {i for indices in words.values() for i in indices}
    units = [
        _unit(tokens, words[i], "word") if i in words else _unit(tokens, (i,), "special")
        for i in range(len(tokens))
        if i in words or i not in covered
    ]
    every = (*tokens, *pads)
    units += [_unit(every, (i,), "padding") for i in range(len(tokens), len(every))]
    real = np.arange(len(every)) < len(tokens)
    return Side(name, every, real, tuple(units))


def _unit(tokens: Sequence[Token], indices: tuple[int, ...], kind: ReplacedKind) -> Replaced:
    """A unit; the pieces of a word follow one another in its text."""
    first, last = tokens[indices[0]], tokens[indices[-1]]
    text = first.text if len(indices) == 1 else _joined(tokens, indices)
    return Replaced(text, kind, (first.start, last.end), indices)


def _joined(tokens: Sequence[Token], indices: tuple[int, ...]) -> str:
    """The pieces one after the other; bytes of one character show that character, once."""
    text, end = "", -1
    for token in (tokens[i] for i in indices):
        text += token.text if token.start >= end else token.text[max(0, end - token.start) :]
        end = max(end, token.end)
    return text
