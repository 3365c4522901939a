"""Questions to a model about a text: one blank in focus with the words around it, or every token.

How each kind of model is asked about a blank is in `models.answering`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from models import answering
from models.answering import Check, Tensors
from models.answering.posed import Guesses, Posed
from models.errors import Unusable
from models.gaps import Gapped
from models.inputs import describe_pieces, read, spelled
from models.results import Sentence, Span
from models.tokens import words_of
from models.traces import Token

if TYPE_CHECKING:
    from models.loading import Model

Place = tuple[str, int]
"""(what reads it: an argument of the network's forward, or one of ELMo's models; position)."""


@dataclass(frozen=True)
class Word:
    """A visible word of the text."""

    span: Span
    """Where it stands in the text."""
    ids: tuple[int, ...]
    places: tuple[tuple[Place, ...], ...]
    """For each piece, all its places: a source word and its copy before the decoder are one. () for
    a word that the model does not read before it answers."""


@dataclass(frozen=True)
class Question:
    """Inputs whose answer at one position is the answer to the blank."""

    tensors: Tensors
    position: int
    """Of the answer among the logits."""
    words: tuple[Word, ...]
    """Every visible word of the text, read or not."""
    original: int | None
    """The hidden word's id; None if nobody said, or if it has several pieces."""
    guesses: Guesses
    """What the model itself put into other blanks."""


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


def ask(
    model: Model,
    sentence: Sentence,
    blank: int = 0,
    view: str | None = None,
    check: Check = None,
) -> Question:
    """The question about one blank of a sentence, counted from 0 in reading order.

    Args:
        model: Of any kind.
        sentence: With at least one hidden word.
        blank: Which one.
        view: A part alone: of ELMo its ``forward`` or its ``backward`` model; of an
            encoder-decoder the words of the ``source`` or of the decoder's ``prefix``.
        check: Called at every step; raise from it to give up.

    Raises:
        ValueError: There is no such blank, or the model has no such view.
    """
    text = Gapped.of(model, sentence)
    posed = answering.pose(model, text, blank, view, check)
    ids = text.hidden[blank].ids
    return Question(
        posed.tensors(),
        posed.position,
        tuple(_words(model, text, _seen(posed, view))),
        ids[0] if len(ids) == 1 else None,
        posed.guesses,
    )


def log_probabilities(
    model: Model, question: Question, tensors: Tensors | None = None, check: Check = None
) -> Float[np.ndarray, "row vocabulary"]:
    """Answers to a question, and to changed versions of it: natural logarithms, float64.

    Args:
        model: The one that was asked.
        question: Which blank.
        tensors: Its own with any rows and any ids; None for itself.
        check: Called at every step; raise from it to give up.
    """
    rows = question.tensors if tensors is None else tensors
    return answering.log_p(model, rows, question.position, check).numpy()


def _seen(posed: Posed, view: str | None) -> Posed:
    """Without what the view leaves as it is: a source word changes, its copy does not."""
    names = {"source": "input_ids", "prefix": "decoder_input_ids"}
    if view not in names:
        return posed
    return replace(posed, layouts={names[view]: posed.layouts[names[view]]})


def ask_for_every_token(model: Model, text: str, target: str = "") -> tuple[Asked, ...]:
    """The forward passes that give every token of a text a probability.

    A masked model answers for each whole word with all of its pieces masked (Kauf & Ivanova 2023).
    Others answer for all tokens at once, each from those before it; an encoder-decoder for those of
    the target.
    """
    if model.objective == "states":
        raise Unusable(model.name, "mask")
    inputs = read(model, text, target=target)
    arguments = {name: tensor[0].tolist() for name, tensor in inputs.tensors.items()}
    if model.objective != "masked":
        tokens = inputs.target_tokens if model.has_decoder else inputs.tokens
        later = [i for i, token in enumerate(tokens) if i and token.kind != "special"]
        return (_asked(arguments, tokens, later, [i - 1 for i in later]),)
    asked = []
    for word in words_of(inputs.tokens):
        ids = list(arguments["input_ids"])
        for i in word:
            ids[i] = model.mask_id
        asked.append(_asked({**arguments, "input_ids": ids}, inputs.tokens, word, word))
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


def visible_words(model: Model, sentence: Sentence) -> tuple[Span, ...]:
    """Where the words stand that are read and not hidden, in reading order."""
    return tuple(span for span, _ in _visible(model, Gapped.of(model, sentence)))


def _visible(model: Model, text: Gapped) -> Iterator[tuple[Span, Sequence[int]]]:
    """The words of a text that are not hidden, with the indices of their tokens."""
    reading = text.reading
    tokens = describe_pieces(model, (reading.text,), spelled(model, reading))
    covered = {i for word in text.hidden for i in range(word.first, word.end)}
    for indices in words_of(tokens):
        if covered.isdisjoint(indices):
            yield (tokens[indices[0]].start, tokens[indices[-1]].end), indices


def _words(model: Model, text: Gapped, posed: Posed) -> Iterator[Word]:
    """The visible words of a text, with all places of their pieces."""
    for span, indices in _visible(model, text):
        places = tuple(
            tuple((name, at.places[i]) for name, at in posed.layouts.items() if i in at.places)
            for i in indices
        )
        ids = tuple(text.reading.ids[i] for i in indices)
        yield Word(span, ids, places if all(places) else ())
