"""About the words of a text: replace one, and see what changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Bool, Int

from models import measures, snippets
from models.inputs import read
from models.questions import Word, ask
from models.results import Sentence
from models.runs import Tensors, answers, states
from models.snippets import Source
from models.tokens import words_of
from models.traces import Measurement
from models.vocabulary import Vocabulary

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None
Counts = Int[np.ndarray, " vocabulary"]


def influence(
    model: Model,
    sentence: Sentence,
    counts: Counts,
    blank: int = 0,
    substitutes: int = 8,
    check: Check = None,
) -> Measurement:
    """How much each visible word matters to the answer at a blank, in bits: values (word).

    In an encoder-decoder, a source word and its copy before the decoder change together.

    Args:
        model: A loaded model.
        sentence: With at least one hidden word.
        counts: Of the training text; see `models.measures.read_counts`.
        blank: Which blank has the focus.
        substitutes: How many other words to try for each.
        check: See above.
    """
    question = ask(model, sentence, blank)
    drawn = [_draw(model, word.ids, counts, substitutes) for word in question.words]
    batch = _with_replaced(question.tensors, question.words, drawn)
    found = np.exp(answers(model.network, batch, [question.position], check=check)[:, 0].numpy())
    changed = np.split(found[1:], np.cumsum([len(ids) for ids in drawn])[:-1])
    return Measurement(
        "influence",
        np.array([measures.influence(found[0], some) for some in changed]),
        model.provenance,
        snippets.influence(Source.of(model, sentence.text, question.tensors), question, drawn),
        words=tuple(word.span for word in question.words),
    )


def visibility(
    model: Model, text: str, counts: Counts, substitutes: int = 4, check: Check = None
) -> Measurement:
    """How far each position's top state moves when a word is replaced: values (position, word).

    Nothing is masked. Of an encoder-decoder it is the encoder that is asked.
    """
    inputs = read(model, text, target="")
    tensors = {"input_ids": inputs.tensors["input_ids"]}
    ids, words = tensors["input_ids"][0].tolist(), []
    for at in words_of(inputs.tokens):
        span = inputs.tokens[at[0]].start, inputs.tokens[at[-1]].end
        places = tuple((("input_ids", i),) for i in at)
        words.append(Word(span, tuple(ids[i] for i in at), places))
    drawn = [_draw(model, word.ids, counts, substitutes) for word in words]
    batch = _with_replaced(tensors, words, drawn)
    extra = {n: t for n, t in inputs.tensors.items() if n == "decoder_input_ids"}
    rows = {n: t.expand(len(batch["input_ids"]) - 1, -1) for n, t in extra.items()}
    changed = {"input_ids": batch["input_ids"][1:], **rows}
    original, moved = states(model.network, tensors | extra, changed, check)
    by_word = moved.split([len(substitute) for substitute in drawn])
    columns = [
        measures.visibility(original.numpy(), some.numpy()[None]) for some in by_word
    ]  # one word at a time: a rare word may have fewer substitutes
    return Measurement(
        "visibility",
        np.concatenate(columns, axis=1),
        model.provenance,
        snippets.visibility(Source.of(model, text, tensors | extra), words, drawn),
        words=tuple(word.span for word in words),
    )


def _draw(
    model: Model, ids: Sequence[int], counts: Counts, substitutes: int
) -> Int[np.ndarray, "substitute piece"]:
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


def _with_replaced(
    tensors: Tensors, words: Sequence[Word], drawn: Sequence[Int[np.ndarray, "substitute piece"]]
) -> Tensors:
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
