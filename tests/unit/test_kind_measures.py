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
from models.loading import Model
from models.questions import ask, log_probabilities
from models.results import Sentence
from models.traces import Measurement

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


def look(model: Model, text: str, view: str | None = None, substitutes: int = 4) -> Measurement:
    found = measuring.visibility(model, text, word_counts(model), view, substitutes)
    assert found.values.shape == (len(found.tokens), len(found.words))
    return found


def ahead(found: Measurement) -> np.ndarray:
    """Which cells are of a position with a word that begins behind it."""
    ends = np.array([token.end for token in found.tokens])  # 0 at the start
    if found.tokens[-1].kind == "special":
        ends[-1] = ends.max()
    return ends[:, None] <= np.array([start for start, _ in found.words])


def behind(found: Measurement) -> np.ndarray:
    """Which cells are of a position with a word that ends before it."""
    starts = np.array([token.start for token in found.tokens])
    starts[-1] = max(end for _, end in found.words)  # the end of the text
    return starts[:, None] >= np.array([end for _, end in found.words])


@pytest.mark.parametrize("kind", ["gpt", "lstm"])
def test_a_model_that_reads_from_the_left_sees_a_triangle(kinds, kind):
    found = look(kinds[kind], TEXT)
    assert ((found.values == 0) == ahead(found)).all()


def test_elmo_sees_two_triangles(kinds):
    forward, backward = (look(kinds["elmo"], TEXT, view) for view in ("forward", "backward"))
    assert ((forward.values == 0) == ahead(forward)).all()
    assert ((backward.values == 0) == behind(backward)).all()
    assert (look(kinds["elmo"], TEXT).values > 0).all()


def test_the_transformer_sees_its_source_and_what_it_has_written(kinds):
    model = kinds["seq"]
    assert (look(model, TEXT).values > 0).all()
    assert (look(model, TEXT, "source").values > 0).all()
    prefix = look(model, TEXT, "prefix")
    assert ((prefix.values == 0) == ahead(prefix)).all()


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
    with pytest.raises(CannotTrace):
        models.trace(model, TEXT, "logits")


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
            found = look(model, text, way, substitutes=1)
            blind = behind(found) if way == "backward" else ahead(found)
            assert (found.values[blind] == 0).all()
            assert (found.values[~blind] > 0).mean() > 0.9  # some move nothing in float32


@torch.inference_mode()
def test_batches_change_nothing_but_the_last_digits(kinds, monkeypatch):
    whole = {k: look(kinds[k], TEXT).values for k in ("gpt", "elmo", "seq")}
    influences = {k: influence(kinds, k) for k in ("gpt", "elmo", "seq")}
    monkeypatch.setattr("models.runs.BATCH_TOKENS", 50)
    monkeypatch.setattr("models.answering.one_way.BATCH_TOKENS", 50)
    for kind, values in whole.items():
        np.testing.assert_allclose(look(kinds[kind], TEXT).values, values, atol=1e-5)
        np.testing.assert_allclose(influence(kinds, kind), influences[kind], atol=1e-6)
