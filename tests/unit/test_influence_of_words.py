"""Influence as a page asks for it: by the name of a model."""

from __future__ import annotations

import ast
from dataclasses import replace

import numpy as np
import pytest

import models
from models.counts import word_counts
from models.settings import settings
from models.slots import Cancelled
from models.trace import Sentence

NAME = settings().default_model
TEXT = "She would like a [MASK] of tea with milk."
HIDDEN = Sentence(TEXT, ((27, 30),))


def test_the_words_of_a_sentence_are_those_that_influence_is_measured_for() -> None:
    words = models.visible_words(NAME, HIDDEN)
    assert [TEXT[a:b] for a, b in words] == "She would like a of with milk .".split()
    for blank in (0, 1):
        assert models.influence(NAME, HIDDEN, blank).words == words


def test_influence_is_in_bits_and_repeats() -> None:
    once, again = (models.influence(NAME, HIDDEN).values for _ in range(2))
    np.testing.assert_array_equal(once, again)
    assert ((once >= 0) & (once <= 1)).all() and once.max() > 0.01
    assert not np.allclose(once, models.influence(NAME, HIDDEN, blank=1).values)


def test_words_give_way_to_words_and_marks_to_marks() -> None:
    program = models.influence(NAME, Sentence("In 1950, she [MASK].")).snippet
    begin = program.index("words = ") + len("words = ")
    words = ast.literal_eval(program[begin : program.index("\n\n", begin)].split("\ntorch.")[0])
    spelled = models.load(NAME).tokenizer.convert_ids_to_tokens
    drawn = [[spelled(ids) for ids in substitutes] for _, substitutes in words]
    for pieces in (piece for word in (drawn[0], drawn[-2]) for piece in word):
        assert all(any(map(str.isalpha, piece)) for piece in pieces), pieces
    for pieces in drawn[-1]:
        assert not any(map(str.isalnum, pieces[0])), pieces


def test_without_a_visible_or_a_hidden_word_there_is_none() -> None:
    assert models.visible_words(NAME, Sentence("tea", ((0, 3),))) == ()
    with pytest.raises(ValueError, match="blank 0 of 0"):
        models.influence(NAME, Sentence("tea"))


def test_a_newer_question_stops_it() -> None:
    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        models.influence(NAME, HIDDEN, check=stop)


def test_a_model_without_counts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    model = models.load(NAME)
    assert word_counts(model).sum() > 0
    monkeypatch.setattr("models.counts.FILE", "no-such-file.json")
    for stranger in (model, replace(model, folder=None)):
        with pytest.raises(models.Refusal, match="no-such-file"):
            models.influence(stranger, HIDDEN)
