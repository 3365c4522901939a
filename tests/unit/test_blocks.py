"""Inside a block: parts that sum to the whole, a convolution that is linear, what is off."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import models
from models.block_records import WAYS
from models.blocks.ffn import parameters, sparsity
from models.blocks.silencing import points
from models.blocks.stream import summands
from models.blocks.walk import asked, walk
from models.blocks_asked import (
    block_alike,
    block_dropout,
    block_ffn,
    block_heads,
    block_stream,
)
from models.measures.likeness import centred_residual, mean_cosine
from models.trace import Sentence
from tests.unit.tracing_models import shared

TEXT = "the cat sat on the old mat ."
SENTENCE = Sentence(TEXT, ((8, 11),))
FAMILIES = ("bert", "bert-decoder")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_block_rebuilt_at_one_position_is_the_block(family: str) -> None:
    question = asked(shared(family), SENTENCE)
    seen = question.run(["hidden_states", "context"])
    blocks = walk(question, seen)
    assert len(blocks) == 3
    for number, block in enumerate(blocks):
        after = seen.stack.hidden_states[number + 1][question.position]
        np.testing.assert_allclose(block.output, after, atol=2e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_parts_sum_to_the_last_state_and_to_the_logit(family: str) -> None:
    question = asked(shared(family), SENTENCE)
    seen = question.run(["hidden_states", "context"])
    names, parts = summands(question, walk(question, seen))
    last = seen.stack.hidden_states[3][question.position]
    np.testing.assert_allclose(parts.sum(0), last, atol=5e-5)
    assert len(names) == len(parts) == 3 + 2 * 3 + 1
    found = block_stream(shared(family), SENTENCE)
    assert sum(part.logit for part in found.parts) == pytest.approx(found.logit, abs=1e-3)
    kinds = [part.kind for part in found.parts]
    assert kinds.count("attention") == kinds.count("ffn") == 3 and kinds[-1] == "bias"
    assert len(found.lengths) == 4


def test_the_sum_would_notice_a_part_left_out() -> None:
    found = block_stream(shared("bert"), SENTENCE)
    for part in found.parts:
        rest = sum(each.logit for each in found.parts if each is not part)
        if abs(part.logit) > 0.01:
            assert rest != pytest.approx(found.logit, abs=1e-3)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_ffn_is_its_formula_and_a_convolution_of_width_1(family: str) -> None:
    model = shared(family)
    for layer in range(3):
        found = block_ffn(model, SENTENCE, layer)
        block = model.network.bert.encoder.layer[layer]
        first, second = block.intermediate.dense, block.output.dense
        inner = torch.from_numpy(found.input) @ first.weight.T + first.bias
        np.testing.assert_allclose(inner, found.expanded, atol=1e-5)
        outer = torch.nn.functional.gelu(inner) @ second.weight.T + second.bias
        np.testing.assert_allclose(outer, found.contracted, atol=1e-5)
        assert len(found.expanded) == 24 and len(found.contracted) == 16
        assert found.convolved.difference < 1e-5 < found.convolved.scale
    with pytest.raises(ValueError, match="layer 3"):
        block_ffn(model, SENTENCE, 3)


def test_swapping_in_the_own_activation_changes_nothing_and_others_do() -> None:
    found = block_ffn(shared("bert"), SENTENCE, 0)
    plain = float(np.log(found.followed.word.probability))
    by_name = {each.activation: each.log_p for each in found.swapped}
    assert by_name["gelu"] == pytest.approx(plain, abs=1e-5)
    assert all(abs(by_name[name] - plain) > 1e-4 for name in ("relu", "identity"))


def test_every_parameter_is_counted_once() -> None:
    network = shared("bert").network
    found = parameters(network)
    assert sum(found.values()) == network.num_parameters()
    assert found["ffn"] == 3 * (16 * 24 + 24 + 24 * 16 + 16)
    assert found["norms"] == 3 * 2 * 2 * 16


def test_sparsity_counts_what_is_small_beside_the_largest() -> None:
    assert sparsity(np.array([[1.0, 0.0], [0.009, -0.5]])) == 0.5
    assert np.isnan(sparsity(np.zeros((3, 0))))


def test_the_strongest_neurons_are_strong_and_promote_what_they_say() -> None:
    found = block_ffn(shared("bert"), SENTENCE, 2)
    shares = [neuron.share for neuron in found.neurons]
    assert shares == sorted(shares, reverse=True) and sum(shares) <= 1 + 1e-6
    for neuron in found.neurons:
        value = neuron.along[found.followed.position]
        assert value == pytest.approx(found.activated[neuron.number], abs=1e-5)
        assert list(neuron.lifts) == sorted(neuron.lifts, reverse=True)


def test_likeness_by_hand() -> None:
    same = np.ones((4, 3))
    assert centred_residual(same) == 0 and mean_cosine(same) == pytest.approx(1)
    apart = np.eye(2)
    assert centred_residual(apart) == pytest.approx(np.sqrt(0.5))
    assert mean_cosine(apart) == pytest.approx(0)
    assert np.isnan(centred_residual(apart[:1])) and np.isnan(mean_cosine(apart[:1]))
    rng = np.random.default_rng(0)
    states = rng.normal(size=(6, 5))
    far = states + 100  # a common direction inflates the cosine and leaves the rest as it was
    assert mean_cosine(far) > 0.99
    products = [np.dot(a, b) / np.linalg.norm(a) / np.linalg.norm(b)
                for i, a in enumerate(states) for j, b in enumerate(states) if i != j]  # fmt: skip
    assert mean_cosine(states) == pytest.approx(np.mean(products))


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_off_is_off(family: str) -> None:
    model = shared(family)
    found = block_alike(model, SENTENCE)
    assert found.residual.shape == found.cosine.shape == (len(WAYS), 4)
    assert np.ptp(found.residual[:, 0]) < 1e-6, "the embeddings are the same every way"
    plain = models.trace(model, SENTENCE, "hidden_states") if family == "bert" else None
    if plain is not None:
        states = plain.stack.hidden_states[3].astype(float)
        assert found.residual[0, 3] == pytest.approx(centred_residual(states), abs=1e-5)
    assert len({round(value, 4) for value in found.residual[:, 3]}) == len(WAYS)
    word = found.followed.word
    assert found.log_p[0] == pytest.approx(np.log(word.probability), abs=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_heads_fall_silent_in_both_orders(family: str) -> None:
    found = block_heads(shared(family), SENTENCE)
    plain = np.log(found.followed.word.probability)
    assert found.alone.shape == (3, 4) and found.counts == (0, 1, *range(2, 13))
    for curve in (found.least_first, found.most_first):
        assert curve[0] == pytest.approx(plain, abs=1e-5)
    assert found.least_first[-1] == pytest.approx(found.most_first[-1]), "then all are silent"
    (first, last) = found.order[0], found.order[-1]
    assert found.least_first[1] - plain == pytest.approx(found.alone[first], abs=1e-5)
    assert found.most_first[1] - plain == pytest.approx(found.alone[last], abs=1e-5)
    assert found.alone[first] == found.alone.max() and found.alone[last] == found.alone.min()


def test_points_of_a_curve_run_from_none_to_all() -> None:
    assert points(4) == (0, 1, 2, 3, 4)
    many = points(72)
    assert many[0] == 0 and many[-1] == 72 and len(many) == 17


@pytest.mark.parametrize("family", FAMILIES)
def test_dropout_spreads_the_answer_and_none_does_not(family: str) -> None:
    model = shared(family)
    still, some, much = (block_dropout(model, SENTENCE, p) for p in (0.0, 0.1, 0.3))
    assert still.drawn.std(axis=0).max() < 1e-9
    np.testing.assert_allclose(still.drawn[0], [w.probability for w in still.words], atol=1e-6)
    assert still.total_bits == pytest.approx(still.within_bits)
    assert some.drawn.std(axis=0).max() > 1e-4
    assert much.total_bits - much.within_bits > some.total_bits - some.within_bits > 0
    again = block_dropout(model, SENTENCE, 0.3)
    assert np.array_equal(again.drawn, much.drawn), "a seed draws the same"
    assert not np.array_equal(block_dropout(model, SENTENCE, 0.3, seed=1).drawn, much.drawn)
    with pytest.raises(ValueError, match="probability"):
        block_dropout(model, SENTENCE, 1.0)


def test_blocks_of_another_kind_are_refused() -> None:
    for ask in (block_alike, block_heads, block_stream):
        with pytest.raises(models.CannotTrace):
            ask(shared("gpt2"), SENTENCE)
