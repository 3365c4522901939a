"""One blank in focus, as a question that each kind of model can be asked.

A masked model reads the whole sentence with masks in it. A model that reads from left to right is
asked for the next word after the left text, in which earlier blanks hold its own greedy guesses. An
encoder-decoder reads the sentence with masks, and its decoder the true words to the left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from models.hiding import Hidden, hidden_tokens
from models.inputs import describe_pieces, read, spelled
from models.reading import Reading
from models.results import Sentence, Span
from models.runs import Tensors, answers
from models.settings import settings
from models.tokens import words_of
from models.traces import Token

if TYPE_CHECKING:
    from models.loading import Model

Place = tuple[str, int]
"""(argument of the network's forward, position in it)."""


@dataclass(frozen=True)
class Word:
    """A visible word of the question."""

    span: Span
    """Where it stands in the text."""
    ids: tuple[int, ...]
    places: tuple[tuple[Place, ...], ...]
    """For each piece, all its places: a source word and its copy before the decoder are one."""


@dataclass(frozen=True)
class Question:
    """Inputs whose answer at one position is the answer to the blank."""

    tensors: Tensors
    position: int
    """Of the answer among the logits."""
    words: tuple[Word, ...]
    original: int | None
    """The hidden word's id; None if nobody said, or if it has several pieces."""
    guesses: tuple[int, ...]
    """What the model itself put into blanks before this one."""


@dataclass(frozen=True)
class Asked:
    """One forward pass that answers for some tokens of a text."""

    arguments: dict[str, list[int]]
    """What the network is called with: one id per position."""
    positions: tuple[int, ...]
    """Of the answers among the logits."""
    ids: tuple[int, ...]
    """What really stands there."""
    spans: tuple[Span, ...]
    """Where that stands in the text."""


def ask_for_every_token(model: Model, text: str, target: str = "") -> tuple[Asked, ...]:
    """The forward passes that give every token of a text a probability.

    A masked model answers for each whole word with all of its pieces masked (Kauf & Ivanova 2023).
    Others answer for all tokens at once, each from those before it; an encoder-decoder for those of
    the target.
    """
    inputs = read(model, text, target=target)
    arguments = {name: tensor[0].tolist() for name, tensor in inputs.tensors.items()}
    decoding = model.network.config.is_encoder_decoder
    tokens = inputs.target_tokens if decoding else inputs.tokens
    if decoding or model.reader.mask_id is None:
        later = [i for i, token in enumerate(tokens) if i and token.kind != "special"]
        return (_asked(arguments, tokens, later, [i - 1 for i in later]),)
    asked = []
    for word in words_of(tokens):
        ids = list(arguments["input_ids"])
        for i in word:
            ids[i] = model.reader.mask_id
        asked.append(_asked({**arguments, "input_ids": ids}, tokens, word, word))
    return tuple(asked)


def _asked(
    arguments: dict[str, list[int]],
    tokens: Sequence[Token],
    about: Sequence[int],
    positions: Sequence[int],
) -> Asked:
    return Asked(
        arguments,
        tuple(positions),
        tuple(tokens[i].id for i in about),
        tuple((tokens[i].start, tokens[i].end) for i in about),
    )


def ask(model: Model, sentence: Sentence, blank: int = 0) -> Question:
    """The question about one blank of a sentence, counted from 0 in reading order.

    Raises:
        ValueError: There is no such blank, or nothing to read before it.
    """
    reading = model.reader.read(sentence.text, settings().max_characters, model.max_tokens)
    mask = -1 if model.reader.mask_id is None else model.reader.mask_id
    hidden = hidden_tokens(reading, sentence.hidden, mask)
    if not 0 <= blank < len(hidden):
        raise ValueError(f"blank {blank} of {len(hidden)}")
    ids = hidden[blank].ids
    original = ids[0] if len(ids) == 1 else None
    if model.network.config.is_encoder_decoder:
        return _encoder_decoder(model, reading, hidden, blank, original)
    if model.reader.mask_id is None:
        return _left_to_right(model, reading, hidden, blank, original)
    layout = _Layout.of(reading, hidden, [(mask,)] * len(hidden))
    tensors = {"input_ids": torch.tensor([layout.ids])}
    words = _words(model, reading, hidden, {"input_ids": layout})
    return Question(tensors, layout.blanks[blank], words, original, ())


def _left_to_right(
    model: Model, reading: Reading, hidden: Sequence[Hidden], blank: int, original: int | None
) -> Question:
    guesses: list[tuple[int, ...]] = []
    while True:  # one earlier blank at a time, each read with the guesses before it
        layout = _Layout.of(reading, hidden, guesses, until=hidden[len(guesses)].first)
        if not layout.ids:
            raise ValueError("there is nothing to read before this blank")
        tensors = {"input_ids": torch.tensor([layout.ids])}
        if len(guesses) == blank:
            break
        guesses.append((_greedy(model, tensors, len(layout.ids) - 1),))
    words = _words(model, reading, hidden, {"input_ids": layout})
    flat = tuple(id_ for guess in guesses for id_ in guess)
    return Question(tensors, len(layout.ids) - 1, words, original, flat)


def _encoder_decoder(
    model: Model, reading: Reading, hidden: Sequence[Hidden], blank: int, original: int | None
) -> Question:
    mask = model.reader.mask_id
    if mask is None:
        raise ValueError("this model has no mask for hidden words")
    source = _Layout.of(reading, hidden, [(mask,)] * len(hidden))
    start = (model.network.config.decoder_start_token_id,)
    fills: list[tuple[int, ...]] = []
    guesses: list[int] = []
    while True:
        left = _Layout.of(reading, hidden, fills, until=hidden[len(fills)].first, before=start)
        tensors = {
            "input_ids": torch.tensor([source.ids]),
            "decoder_input_ids": torch.tensor([left.ids]),
        }
        if len(fills) == blank:
            break
        if not (true := hidden[len(fills)].ids):  # typed as a blank: nobody knows the true word
            true = (_greedy(model, tensors, len(left.ids) - 1),)
            guesses.extend(true)
        fills.append(true)
    layouts = {"input_ids": source, "decoder_input_ids": left}
    words = _words(model, reading, hidden, layouts)
    return Question(tensors, len(left.ids) - 1, words, original, tuple(guesses))


def _greedy(model: Model, tensors: Tensors, position: int) -> int:
    """The likeliest word; special tokens are none."""
    answer = answers(model.network, tensors, [position])[0, 0]
    return int(answer.masked_fill(~torch.from_numpy(model.vocabulary.is_word), -torch.inf).argmax())


@dataclass(frozen=True)
class _Layout:
    """Token ids with something put into the blanks, and where everything went."""

    ids: list[int]
    places: dict[int, int]
    """From a token's index in the reading to its position here; visible tokens only."""
    blanks: list[int]
    """Where each blank begins."""

    @classmethod
    def of(
        cls,
        reading: Reading,
        hidden: Sequence[Hidden],
        fills: Sequence[tuple[int, ...]],
        until: int | None = None,
        before: tuple[int, ...] = (),
    ) -> _Layout:
        """Lay out a reading up to a token, after `before`, with `fills` in its blanks."""
        layout = cls(list(before), {}, [])
        runs = {word.first: (word.end, fill) for word, fill in zip(hidden, fills, strict=False)}
        index = 0
        while index < (len(reading.ids) if until is None else until):
            if index in runs:
                index, fill = runs[index]
                layout.blanks.append(len(layout.ids))
                layout.ids.extend(fill)
                continue
            layout.places[index] = len(layout.ids)
            layout.ids.append(reading.ids[index])
            index += 1
        return layout


def visible_words(model: Model, sentence: Sentence) -> tuple[Span, ...]:
    """Where the words stand that are read and not hidden, in reading order."""
    reading = model.reader.read(sentence.text, settings().max_characters, model.max_tokens)
    mask = -1 if model.reader.mask_id is None else model.reader.mask_id
    hidden = hidden_tokens(reading, sentence.hidden, mask)
    return tuple(span for span, _ in _visible(model, reading, hidden))


def _visible(
    model: Model, reading: Reading, hidden: Sequence[Hidden]
) -> Iterator[tuple[Span, Sequence[int]]]:
    """The words of a reading that are not hidden, with the indices of their tokens."""
    tokens = describe_pieces(model, (reading.text,), spelled(model, reading))
    covered = {i for word in hidden for i in range(word.first, word.end)}
    for indices in words_of(tokens):
        if covered.isdisjoint(indices):
            yield (tokens[indices[0]].start, tokens[indices[-1]].end), indices


def _words(
    model: Model, reading: Reading, hidden: Sequence[Hidden], layouts: dict[str, _Layout]
) -> tuple[Word, ...]:
    """The visible words of a text, with all places of their pieces."""
    words = []
    for span, indices in _visible(model, reading, hidden):
        places = tuple(
            tuple((name, at.places[i]) for name, at in layouts.items() if i in at.places)
            for i in indices
        )
        if all(places):
            words.append(Word(span, tuple(reading.ids[i] for i in indices), places))
    return tuple(words)
