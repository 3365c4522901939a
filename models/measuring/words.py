"""About the words of a text: replace one, and see what changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Bool, Int

from models import measures, snippets
from models.inputs import Inputs, read
from models.questions import Question, Word, ask, log_probabilities
from models.results import Sentence
from models.runs import Tensors, states
from models.snippets import Source
from models.tokens import words_of
from models.traces import Measurement
from models.vocabulary import Vocabulary

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None
Counts = Int[np.ndarray, " vocabulary"]
Drawn = Int[np.ndarray, "substitute piece"]


def influence(
    model: Model,
    sentence: Sentence,
    counts: Counts,
    blank: int = 0,
    substitutes: int = 8,
    view: str | None = None,
    check: Check = None,
) -> Measurement:
    """How much each visible word matters to the answer at a blank, in bits: values (word).

    Exactly 0 for a word that the model does not read before it answers. In an encoder-decoder, a
    source word and its copy before the decoder change together.

    Args:
        model: A loaded model.
        sentence: With at least one hidden word.
        counts: Of the training text; see `models.measures.read_counts`.
        blank: Which blank has the focus.
        substitutes: How many other words to try for each.
        view: One of ELMo's models alone, or one place alone in an encoder-decoder; see
            `models.questions.ask`.
        check: See above.
    """
    question = ask(model, sentence, blank, view, check)
    batch, drawn = versions(model, question, counts, substitutes)
    found = np.exp(log_probabilities(model, question, batch, check))
    values, row = np.zeros(len(question.words)), 1
    for i, word in enumerate(question.words):
        if word.places:
            values[i] = measures.influence(found[0], found[row : row + len(drawn[i])])
            row += len(drawn[i])
    source = Source.of(model, sentence.text, question.tensors)
    return Measurement(
        "influence",
        values,
        model.provenance,
        snippets.influence(model, source, question, drawn),
        words=tuple(word.span for word in question.words),
    )


def versions(
    model: Model, question: Question, counts: Counts, substitutes: int = 8
) -> tuple[Tensors, list[Drawn]]:
    """All that influence compares: the question, then the same with a word replaced, one per row.

    Returned beside it is what was drawn for every word; those that the model does not read before
    it answers have no rows.
    """
    drawn = [draw(model, word.ids, counts, substitutes) for word in question.words]
    read_ = [(word, ids) for word, ids in zip(question.words, drawn, strict=True) if word.places]
    words, ids = zip(*read_, strict=True) if read_ else ((), ())
    return with_replaced(question.tensors, words, ids), drawn


def visibility(
    model: Model,
    text: str,
    counts: Counts,
    view: str | None = None,
    substitutes: int = 4,
    check: Check = None,
) -> Measurement:
    """How far each position's top state moves when a word is replaced: values (position, word).

    Nothing is masked.

    Args:
        model: A loaded model.
        text: Any text.
        counts: Of the training text; see `models.measures.read_counts`.
        view: Of ELMo, the ``forward`` or the ``backward`` half of the states; None is both side by
            side. Of an encoder-decoder that writes its own text again, the decoder's states when
            words of its ``source`` or of its ``prefix`` are replaced; None is the encoder's.
        substitutes: How many other words to try for each.
        check: See above.

    Raises:
        ValueError: The model has no such view.
    """
    seen = looked_at(model, view)
    inputs = read(model, text, target=text if seen.stack == "decoder" else "")
    words = _words(inputs, seen.changed)
    drawn = [draw(model, word.ids, counts, substitutes) for word in words]
    rows = {name: rows[1:] for name, rows in with_replaced(inputs.tensors, words, drawn).items()}
    original, moved = states(model.network, inputs.tensors, rows, seen.stack, check)
    original, moved = original[:, seen.part], moved[..., seen.part]
    by_word = moved.split([len(substitute) for substitute in drawn])
    columns = [
        measures.visibility(original.numpy(), some.numpy()[None]) for some in by_word
    ]  # one word at a time: a rare word may have fewer substitutes
    return Measurement(
        "visibility",
        np.concatenate(columns, axis=1),
        model.provenance,
        snippets.visibility(Source.of(model, text, inputs.tensors), words, drawn, seen),
        words=tuple(word.span for word in words),
        tokens=inputs.target_tokens if seen.stack == "decoder" else inputs.tokens,
    )


@dataclass(frozen=True)
class LookedAt:
    """Which states are compared, and what is replaced."""

    stack: str = ""
    """Where there are two."""
    changed: str = "input_ids"
    part: slice = field(default_factory=lambda: slice(None))
    """Of each state."""


def looked_at(model: Model, view: str | None) -> LookedAt:
    """What a view of visibility is about."""
    views: dict[str | None, LookedAt] = {None: LookedAt()}
    if model.has_decoder:
        views = {
            None: LookedAt("encoder"),
            "source": LookedAt("decoder"),
            "prefix": LookedAt("decoder", "decoder_input_ids"),
        }
    elif model.objective == "two-way":
        width = int(model.network.config.hidden_size)
        views |= {"forward": LookedAt(part=slice(0, width)),
                  "backward": LookedAt(part=slice(width, 2 * width))}  # fmt: skip
    if view not in views:
        raise ValueError(f"{model.name} has no view {view!r}")
    return views[view]


def _words(inputs: Inputs, name: str) -> list[Word]:
    """The words of one side of the inputs, with the places of their pieces."""
    tokens = inputs.target_tokens if name == "decoder_input_ids" else inputs.tokens
    words = []
    for at in words_of(tokens):
        span = tokens[at[0]].start, tokens[at[-1]].end
        places = tuple(((name, i),) for i in at)
        words.append(Word(span, tuple(tokens[i].id for i in at), places))
    return words


def draw(model: Model, ids: Sequence[int], counts: Counts, substitutes: int) -> Drawn:
    """Other words for one with these pieces, from `counts`; special tokens are never drawn."""
    some = counts * model.vocabulary.is_word
    return measures.draw_substitutes(np.array(ids), some, *_roles(model.vocabulary), substitutes)


@lru_cache(maxsize=8)
def _roles(
    vocabulary: Vocabulary,
) -> tuple[Bool[np.ndarray, " vocabulary"], Int[np.ndarray, " vocabulary"]]:
    """Which entries continue a word; and which are marks (0), numbers (1), or have letters (2)."""
    entries = [vocabulary.candidate(i, 0.0) for i in range(len(vocabulary.is_word))]
    kinds = [_kind(entry.text) for entry in entries]
    return np.array([entry.continuation for entry in entries]), np.array(kinds)


def _kind(text: str) -> int:
    if any(character.isalpha() for character in text):
        return 2
    return int(any(character.isdigit() for character in text))


def with_replaced(tensors: Tensors, words: Sequence[Word], drawn: Sequence[Drawn]) -> Tensors:
    """The original in the first row, then each word's substitutes in its place, one per row."""
    rows = 1 + sum(len(ids) for ids in drawn)
    batch = {name: tensor.repeat(rows, 1) for name, tensor in tensors.items()}
    row = 1
    for word, ids in zip(words, drawn, strict=True):
        for piece, places in enumerate(word.places):
            for name, position in places:
                batch[name][row : row + len(ids), position] = torch.from_numpy(ids[:, piece])
        row += len(ids)
    return batch
