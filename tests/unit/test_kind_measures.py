"""What the words around a blank do in each kind of model, and exact zeros where it is blind."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import models
from models import measures, measuring
from models.catalog import bundled
from models.counts import word_counts
from models.errors import CannotTrace
from models.questions import ask, log_probabilities
from models.results import Sentence

TEXT = "the cat was walking on the mat in paris"
SEVERAL = Sentence(TEXT, ((4, 7), (12, 19), (27, 30)))
WORDS = ["the", "was", "on", "the", "in", "paris"]  # those that are visible
RIGHT = [False, False, True, True, True, True]  # of the blank in focus, the second one

BLIND = [facts.name for facts in bundled() if facts.objective in ("causal", "two-way")]


def influence(kinds, kind: str, view: str | None = None) -> np.ndarray:
    found = models.influence(kinds[kind], SEVERAL, 1, view=view)
    assert [TEXT[a:b] for a, b in found.words] == WORDS
    return found.values


@pytest.mark.parametrize("kind", ["gpt", "lstm"])
def test_words_to_the_right_of_the_blank_do_nothing(kinds, kind):
    assert ((influence(kinds, kind) == 0) == RIGHT).all()


def test_each_of_elmos_models_hears_one_side_and_both_hear_all(kinds):
    assert ((influence(kinds, "elmo", "forward") == 0) == RIGHT).all()
    assert ((influence(kinds, "elmo", "backward") == 0) == ~np.array(RIGHT)).all()
    assert (influence(kinds, "elmo") > 0).all()


def test_a_source_word_and_its_copy_change_together_or_apart(kinds):
    both, source, prefix = (influence(kinds, "seq", view) for view in (None, "source", "prefix"))
    assert (source > 0).all() and (both > 0).all()
    assert ((prefix == 0) == RIGHT).all()
    np.testing.assert_array_equal(both[RIGHT], source[RIGHT])
    assert (both[:2] != source[:2]).all() and (both[:2] != prefix[:2]).all()


@pytest.mark.parametrize("view", [None, "forward", "backward"])
def test_elmos_influence_by_hand(kinds, view):
    model = kinds["elmo"]
    question = ask(model, SEVERAL, 1, view)
    found = models.influence(model, SEVERAL, 1, view=view).values
    original = np.exp(log_probabilities(model, question))
    vocabulary = model.vocabulary
    entries = [vocabulary.candidate(i, 0.0) for i in range(len(vocabulary.is_word))]
    begins = np.array([entry.continuation for entry in entries])
    kinds_of = np.array([2 if any(map(str.isalpha, e.text)) else
                         int(any(map(str.isdigit, e.text))) for e in entries])  # fmt: skip
    counts = word_counts(model) * vocabulary.is_word
    for value, word in zip(found, question.words, strict=True):
        drawn = measures.draw_substitutes(np.array(word.ids), counts, begins, kinds_of)
        by_hand = []
        for ids in drawn:
            tensors = {name: tensor.clone() for name, tensor in question.tensors.items()}
            for id_, places in zip(ids, word.places, strict=False):
                for name, position in places:
                    tensors[name][0, position] = id_
            changed = np.exp(log_probabilities(model, question, tensors))
            by_hand.append(measures.jensen_shannon_bits(original, changed))
        assert value == pytest.approx(np.mean(by_hand), abs=1e-6)


def visible(model, text: str, view: str | None = None, substitutes: int = 4) -> np.ndarray:
    """Visibility with the position of each word's last piece in the rows: (position, word)."""
    found = measuring.visibility(model, text, word_counts(model), view, substitutes)
    assert len(found.tokens) == len(found.values)
    return found.values


def ahead_of(model, text: str) -> np.ndarray:
    """Which cells compare a position with a word that begins behind it."""
    found = measuring.visibility(model, text, word_counts(model), substitutes=1)
    ends = [token.end if token.kind != "special" else 0 for token in found.tokens]
    if found.tokens[-1].kind == "special":
        ends[-1] = len(text)
    starts = [start for start, _ in found.words]
    return np.array(ends)[:, None] <= np.array(starts)[None]


def behind_of(model, text: str) -> np.ndarray:
    """Which cells compare a position with a word that ends before it."""
    found = measuring.visibility(model, text, word_counts(model), substitutes=1)
    starts = [token.start if token.kind != "special" else 0 for token in found.tokens]
    if found.tokens[-1].kind == "special":
        starts[-1] = len(text)
    return np.array(starts)[:, None] >= np.array([end for _, end in found.words])[None]


@pytest.mark.parametrize("kind", ["gpt", "lstm"])
def test_a_model_that_reads_from_the_left_sees_a_triangle(kinds, kind):
    seen = visible(kinds[kind], TEXT)
    assert ((seen == 0) == ahead_of(kinds[kind], TEXT)).all()


def test_elmo_sees_two_triangles(kinds):
    model = kinds["elmo"]
    ahead, behind = ahead_of(model, TEXT), behind_of(model, TEXT)
    assert ((visible(model, TEXT, "forward") == 0) == ahead).all()
    assert ((visible(model, TEXT, "backward") == 0) == behind).all()
    assert (visible(model, TEXT) > 0).all()


def test_the_transformer_sees_its_source_and_what_it_has_written(kinds):
    model = kinds["seq"]
    assert (visible(model, TEXT) > 0).all()
    assert (visible(model, TEXT, "source") > 0).all()
    prefix = measuring.visibility(model, TEXT, word_counts(model), "prefix")
    ends = np.array([token.end for token in prefix.tokens])
    starts = np.array([start for start, _ in prefix.words])
    assert ((prefix.values == 0) == (ends[:, None] <= starts[None])).all()


@pytest.mark.parametrize(("kind", "view"), [("bert", "forward"), ("gpt", "x"), ("elmo", "source")])
def test_a_view_that_a_model_does_not_have_is_an_error(kinds, kind, view):
    for measure in (
        lambda: models.influence(kinds[kind], SEVERAL, view=view),
        lambda: models.visibility(kinds[kind], TEXT, view),
    ):
        with pytest.raises(ValueError, match="has no view"):
            measure()


@pytest.mark.parametrize("kind", ["elmo", "lstm"])
def test_what_needs_attention_is_refused(kinds, kind):
    model = kinds[kind]
    measured = (measuring.head_effects, measuring.ffn_effects, measuring.lens, measuring.rollout,
                measuring.head_statistics)  # fmt: skip
    for measure in measured:
        with pytest.raises(CannotTrace):
            measure(model, SEVERAL)
    with pytest.raises(CannotTrace):
        measuring.surprisal(model, TEXT)


def sentences(model, count: int = 100) -> list[str]:
    """Short texts of the model's own common words, the same each time."""
    rng = np.random.default_rng(0)
    common = np.argsort(-word_counts(model) * model.vocabulary.is_word)[:300]
    words = [c for c in map(model.vocabulary.candidate, common.tolist(), [0.0] * 300)
             if not c.continuation]  # fmt: skip
    return [" ".join(c.text for c in rng.choice(words, rng.integers(3, 9))) for _ in range(count)]


@pytest.mark.skipif(not BLIND, reason="no such model is trained yet")
@pytest.mark.parametrize("name", BLIND)
def test_bundled_models_are_blind_to_the_bit_where_they_must_be(name):
    model = models.load(name)
    ways = ("forward", "backward") if model.objective == "two-way" else (None,)
    for text in sentences(model):
        for way in ways:
            seen = visible(model, text, way, substitutes=1)
            blind = behind_of(model, text) if way == "backward" else ahead_of(model, text)
            assert (seen[blind] == 0).all()
            assert (seen[~blind] > 0).mean() > 0.9  # some substitutes move nothing in float32


@torch.inference_mode()
def test_batches_change_nothing_but_the_last_digits(kinds, monkeypatch):
    whole = {k: visible(kinds[k], TEXT) for k in ("gpt", "elmo", "seq")}
    influences = {k: influence(kinds, k) for k in ("gpt", "elmo", "seq")}
    monkeypatch.setattr("models.runs.BATCH_TOKENS", 50)
    monkeypatch.setattr("models.answering.one_way.BATCH_TOKENS", 50)
    for kind, values in whole.items():
        np.testing.assert_allclose(visible(kinds[kind], TEXT), values, atol=1e-5)
        np.testing.assert_allclose(influence(kinds, kind), influences[kind], atol=1e-6)
