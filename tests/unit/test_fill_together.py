"""Several blanks filled together, and whole sentences, on tiny real models."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from transformers import pipeline

import models
from models import fills
from models.loading import Model
from models.masked import joint
from models.prediction import predict
from models.results import Candidate, Sentence
from tests.unit.masked_by_hand import BLANKS, MASKED, blank_ids, log_p
from tests.unit.tracing_models import TEXT, build_network, shared

# --- several blanks


@pytest.mark.parametrize("family", MASKED)
def test_joint_fill_of_one_blank_is_the_independent_one(family: str) -> None:
    model, sentence = shared(family), Sentence("the cat [MASK] on the mat")
    found = models.fill_jointly(model, sentence)
    (blank,) = predict(model, sentence, top_k=5).blanks
    assert found.joint == found.independent
    assert found.joint.words[0].token_id == blank.best.token_id
    assert found.joint.score == pytest.approx(np.log(blank.best.probability), abs=1e-5)
    beam = [found.joint, *found.alternatives]
    assert [fill.words[0].token_id for fill in beam] == [c.token_id for c in blank.candidates]
    assert (found.joint.other_order, found.difference.changed, found.difference.gain) == (
        None,
        (),
        0,
    )


def scored_by_hand(model: Model, text: str, words: list[int], order: tuple[int, ...]) -> float:
    ids = blank_ids(model, text)
    places = [i for i, id_ in enumerate(ids) if id_ == model.mask_id]
    total = 0.0
    for blank in order:
        total += log_p(model, ids, places[blank])[words[blank]]
        ids[places[blank]] = words[blank]
    return total


@pytest.mark.parametrize("family", ["bert", "distilbert"])
def test_scores_are_sums_in_fill_order_and_the_other_order_is_the_best_other(family: str) -> None:
    model = shared(family)
    found = models.fill_jointly(model, Sentence(BLANKS))
    assert found.spans == tuple((i, i + 6) for i in range(len(BLANKS)) if BLANKS[i] == "[")
    for fill in (found.joint, found.independent):
        words = [word.token_id for word in fill.words]
        scores = {
            order: scored_by_hand(model, BLANKS, words, order)
            for order in itertools.permutations(range(3))
        }
        assert fill.score == pytest.approx(scores.pop(fill.order), abs=1e-4)
        assert fill.other_score == pytest.approx(max(scores.values()), abs=1e-4)
        assert fill.other_score == pytest.approx(scores[fill.other_order], abs=1e-4)
        chained = sum(np.log(word.probability) for word in fill.words)
        assert chained == pytest.approx(fill.score, abs=1e-6)


def test_a_wide_beam_finds_the_best_of_all_fills() -> None:
    model, text = shared("bert"), "the [MASK] sat [MASK]"
    ids = blank_ids(model, text)
    places = [i for i, id_ in enumerate(ids) if id_ == model.mask_id]
    is_word = model.vocabulary.is_word
    rows = [np.where(is_word, log_p(model, ids, place), -np.inf) for place in places]
    first = int(np.argmax([row.max() for row in rows]))
    best = -np.inf
    for word in np.flatnonzero(is_word):
        filled = list(ids)
        filled[places[first]] = int(word)
        then = log_p(model, filled, places[1 - first])[is_word].max()
        best = max(best, rows[first][word] + then)
    found = models.fill_jointly(model, Sentence(text), beam=model.vocabulary.words)
    assert found.joint.score == pytest.approx(best, abs=1e-5)
    assert found.joint.score >= found.independent.score - 1e-6
    assert found.difference.gain == pytest.approx(found.joint.score - found.independent.score)


def test_the_difference_names_the_blanks_that_changed() -> None:
    a, b, c = (Candidate(t, i, 0.5, False) for i, t in enumerate("abc"))
    together = fills.Fill((a, b), (0, 1), -1.0, None, None)
    alone = fills.Fill((a, c), (1, 0), -1.5, None, None)
    found = joint.difference(together, alone)
    assert found == fills.Difference((1,), -1.0, -1.5)
    assert (found.gain, found.times) == (0.5, pytest.approx(np.exp(0.5)))


def test_no_blank_and_too_many_blanks() -> None:
    model = shared("bert")
    none = models.fill_jointly(model, Sentence("the cat sat"))
    assert (none.spans, none.joint.words, none.joint.score, none.left_out) == ((), (), 0, 0)
    many = models.fill_jointly(model, Sentence("[MASK] " * 14), beam=2)
    assert len(many.joint.words) == joint.MOST_BLANKS and many.left_out == 2
    assert many.joint.other_order is None  # too many orders to look at


# --- whole sentences


@pytest.mark.parametrize("family", ["bert", "albert", "roberta"])
def test_pseudo_perplexity_equals_a_loop_over_fill_mask(family: str) -> None:
    model = shared(family)
    found = models.pseudo_perplexity(model, TEXT)
    fill: Any = pipeline("fill-mask", model=build_network(family), tokenizer=model.tokenizer)
    words = TEXT.split()
    logs = []
    for i, word in enumerate(words):
        hidden = " ".join([*words[:i], "[MASK]", *words[i + 1 :]])
        (answer,) = fill(hidden, targets=[word])
        logs.append(np.log(answer["score"]))
    assert [word.text for word in found.words] == words
    np.testing.assert_allclose([word.nats for word in found.words], -np.array(logs), atol=1e-4)
    assert found.total == pytest.approx(sum(logs), abs=1e-3)
    assert found.pseudo_perplexity == pytest.approx(np.exp(-np.mean(logs)), rel=1e-4)
    assert found.pieces == len(words)


def test_whole_words_are_hidden_at_once_and_their_pieces_chained(tiny_bert: Model) -> None:
    text = "she was walking"
    found = models.pseudo_perplexity(tiny_bert, text)
    word = found.words[2]
    assert (word.span, word.text, word.pieces) == ((8, 15), "walking", ("walk", "##ing"))
    (blank,) = predict(tiny_bert, Sentence(text, ((8, 15),))).blanks
    assert word.nats == pytest.approx(-np.log(blank.original_probability), abs=1e-5)
    assert found.pieces == 4
    assert found.total == pytest.approx(-sum(w.nats for w in found.words))
    assert found.pseudo_perplexity == pytest.approx(np.exp(-found.total / 4))


def test_what_cannot_be_spelled_or_is_hidden_is_not_counted(tiny_bert: Model) -> None:
    found = models.pseudo_perplexity(tiny_bert, "the \u2603 [MASK] sat")
    assert [word.nats is None for word in found.words] == [False, True, False]
    assert found.unknown == ("\u2603",)
    assert found.pieces == 2
    for empty in ("", "  ", "\u2603", "[MASK]"):
        nothing = models.pseudo_perplexity(tiny_bert, empty)
        assert (nothing.pieces, nothing.total, nothing.pseudo_perplexity) == (0, 0, None)


def test_a_long_text_is_cut_and_named(tiny_bert: Model) -> None:
    text = "the cat sat " * 40
    found = models.pseudo_perplexity(tiny_bert, text)
    assert len(found.words) == 62  # 64 positions less [CLS] and [SEP]
    assert text[found.read :] == found.cut != ""


def test_two_sentences_against_each_other(tiny_bert: Model) -> None:
    first, second = "The cat is happy.", "the dog is good, happy."
    found = models.compare_sentences(tiny_bert, first, second)
    assert found.difference == pytest.approx(found.first.total - found.second.total)
    shown = [
        (
            None if row.first is None else found.first.words[row.first].text,
            None if row.second is None else found.second.words[row.second].text,
            row.same,
        )
        for row in found.rows
    ]
    assert shown == [
        ("The", "the", True), ("cat", "dog", False), ("is", "is", True), (None, "good", False),
        (None, ",", False), ("happy", "happy", True), (".", ".", True),
    ]  # fmt: skip
    assert not found.same_length
    back = models.compare_sentences(tiny_bert, second, first)
    assert back.difference == pytest.approx(-found.difference)
    same = models.compare_sentences(tiny_bert, first, first)
    assert same.difference == 0 and all(row.same for row in same.rows) and same.same_length
