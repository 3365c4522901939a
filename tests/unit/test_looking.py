"""Attention as a page gets it: bytes true to the weights, one head exact, words from pieces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import models
from models import maps
from models.errors import CannotTrace
from models.loading import Model
from models.measures.weights import merged, pooled, quantised, renormalised
from models.results import Sentence
from models.tracing import trace

TEXT = "the cat was walking on the mat, the cat in the garden"
HIDDEN = Sentence(TEXT, ((4, 7),))


def rows(queries: int, keys: int) -> st.SearchStrategy[np.ndarray]:
    return arrays(np.float32, (queries, keys), elements=st.floats(0, 1, width=32))


@given(rows(3, 5))
def test_bytes_are_off_by_no_more_than_promised(weights: np.ndarray) -> None:
    levels, scales = quantised(weights)
    assert levels.dtype == np.uint8
    assert scales.dtype == np.float32
    error = abs(levels * scales[:, None].astype(float) - weights)
    assert (error <= weights.max(axis=1, keepdims=True) / 510 * (1 + 1e-4) + 1e-30).all()


def test_what_is_no_number_stays_visible() -> None:
    weights = np.array([[0.5, np.nan], [0.25, 0.75], [0.0, np.inf]])
    levels, scales = quantised(weights)
    assert np.isnan(scales).tolist() == [True, False, True]
    assert levels[1].tolist() == [85, 255]


@given(rows(7, 5), st.integers(1, 4))
def test_a_block_is_its_largest_weight(weights: np.ndarray, side: int) -> None:
    small = pooled(weights, side)
    for i in range(small.shape[0]):
        for j in range(small.shape[1]):
            block = weights[i * side : (i + 1) * side, j * side : (j + 1) * side]
            assert small[i, j] == block.max()


def test_pieces_are_summed_as_keys_and_averaged_as_queries() -> None:
    weights = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.5, 0.1, 0.4]])
    words = [(0,), (1, 2)]
    expected = [[0.1, 0.9], [(0.3 + 0.5) / 2, (0.7 + 0.5) / 2]]
    assert merged(weights, words, words) == pytest.approx(np.array(expected))
    assert merged(weights, words, words).sum(axis=1) == pytest.approx(1)


def test_what_is_left_sums_to_one_again_and_nothing_is_no_number() -> None:
    found = renormalised(np.array([[0.1, 0.3], [0.0, 0.0]]))
    assert found[0] == pytest.approx([0.25, 0.75])
    assert np.isnan(found[1]).all()


@pytest.mark.parametrize(
    ("kind", "attention"),
    [
        ("bert", "encoder"),
        ("gpt", "decoder"),
        ("seq", "encoder"),
        ("seq", "decoder"),
        ("seq", "cross"),
    ],
)
def test_heads_are_those_of_the_trace(kinds: dict[str, Model], kind: str, attention: str) -> None:
    model = kinds[kind]
    look = models.all_heads(model, HIDDEN, kind=attention)
    seen = trace(model, HIDDEN, "weights", target=look.reads.target)
    true = (seen.encoder if attention == "encoder" else seen.decoder).weights(attention == "cross")
    assert look.levels.shape == true.shape == (look.depth, 2, len(look.queries), len(look.keys))
    error = abs(look.levels * look.scales[..., None].astype(float) - true)
    assert (error <= true.max(axis=-1, keepdims=True) / 510 * (1 + 1e-4)).all()
    last = look.depth - 1
    one = models.one_head(model, look.reads, look.kind, [(last, 0)])
    assert one.weights.dtype == np.float32
    assert (one.weights == true[last, 0]).all(), "the open head is exact"
    if attention == "decoder":
        assert (one.mask == np.tril(np.ones_like(one.mask))).all()
    compile(look.snippet, "all", "exec")
    compile(one.snippet, "one", "exec")


def test_equal_words_keep_rows_of_their_own(kinds: dict[str, Model]) -> None:
    look = models.all_heads(kinds["bert"], Sentence(TEXT))
    one = models.one_head(kinds["bert"], look.reads, look.kind, [(0, 1)])
    assert [unit.text for unit in one.queries].count("the") == 4
    assert [unit.tokens for unit in one.queries] == [(i,) for i in range(len(look.queries))]


def test_words_whole_and_without_special_tokens(kinds: dict[str, Model]) -> None:
    model, (layer, head) = kinds["bert"], (1, 1)
    look = models.all_heads(model, HIDDEN)
    plain = models.one_head(model, look.reads, look.kind, [(layer, head)])
    whole = models.one_head(
        model, look.reads, look.kind, [(layer, head)], merge=True, hide_special=True
    )
    texts = [unit.text for unit in whole.keys]
    assert texts[:5] == ["the", "[MASK]", "was", "walking", "on"], "a hidden word is no special one"
    walking = whole.keys[3].tokens
    assert len(walking) == 2
    row, kept = plain.weights[walking[0]], [unit.tokens for unit in whole.keys]
    left = [row[list(tokens)].sum() for tokens in kept]
    other = plain.weights[walking[1]]
    left = [(a + other[list(t)].sum()) / 2 for a, t in zip(left, kept, strict=True)]
    assert whole.weights[3] == pytest.approx(np.array(left) / np.sum(left), abs=1e-6)
    assert whole.weights.sum(axis=1) == pytest.approx(1)


def test_several_heads_are_their_mean(kinds: dict[str, Model]) -> None:
    model = kinds["bert"]
    look = models.all_heads(model, HIDDEN)
    each = [models.one_head(model, look.reads, look.kind, [at]).weights for at in ((0, 1), (1, 0))]
    both = models.one_head(model, look.reads, look.kind, [(0, 1), (1, 0)])
    assert both.weights == pytest.approx(np.mean(each, axis=0), abs=1e-7)


def test_the_parts_of_a_pair(kinds: dict[str, Model]) -> None:
    model = kinds["bert"]
    look = models.all_heads(model, HIDDEN, pair="she is happy")
    assert "[MASK]" in [token.text for token in look.queries]
    part = models.one_head(model, look.reads, look.kind, [(0, 0)], between=(0, 1))
    assert {unit.sequence for unit in part.queries} == {0}
    assert [unit.text for unit in part.keys] == ["she", "is", "happy"]
    every = models.one_head(model, look.reads, look.kind, [(0, 0)])
    query, key = part.queries[2].tokens[0], part.keys[1].tokens[0]
    assert part.weights[2, 1] == every.weights[query, key]


def test_long_texts_send_blocks(kinds: dict[str, Model], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maps, "MOST_CELLS", 5)
    monkeypatch.setattr(maps, "MOST_BLOCKS", 5)
    look = models.all_heads(kinds["bert"], HIDDEN)
    assert look.block == -(-len(look.queries) // 5)
    assert max(look.levels.shape[2:]) <= 5
    true = trace(kinds["bert"], HIDDEN).encoder.weights()
    first = true[0, 0, : look.block, : look.block].max()
    assert look.levels[0, 0, 0, 0] * look.scales[0, 0, 0] == pytest.approx(first, rel=1 / 200)


@pytest.mark.parametrize("kind", ["elmo", "lstm"])
def test_recurrent_models_have_none(kinds: dict[str, Model], kind: str) -> None:
    with pytest.raises(CannotTrace) as refused:
        models.all_heads(kinds[kind], HIDDEN)
    assert refused.value.reason == "no attention"


def test_a_kind_that_the_model_lacks_is_refused(kinds: dict[str, Model]) -> None:
    with pytest.raises(ValueError, match="encoder"):
        models.all_heads(kinds["bert"], HIDDEN, kind="cross")


@pytest.mark.parametrize(
    ("kind", "attention"), [("bert", "encoder"), ("gpt", "decoder"), ("seq", "cross")]
)
def test_a_query_step_by_step(kinds: dict[str, Model], kind: str, attention: str) -> None:
    model = kinds[kind]
    look = models.all_heads(model, HIDDEN, kind=attention)
    found = models.query_stages(model, look.reads, look.kind, (look.depth - 1, 1), 2)
    assert found.products == pytest.approx(found.key_vectors @ found.query_vector, rel=1e-5)
    assert found.scale == pytest.approx(len(found.query_vector) ** -0.5)
    assert found.scores == pytest.approx(found.products * found.scale, rel=1e-4, abs=1e-6)
    seen = np.where(found.mask, found.scores.astype(float), -np.inf)
    softmax = np.exp(seen - seen.max())
    assert found.weights == pytest.approx(softmax / softmax.sum(), abs=1e-6)
    one = models.one_head(model, look.reads, look.kind, [(look.depth - 1, 1)])
    assert (found.weights == one.weights[2]).all()
    values = trace(model, HIDDEN, "value", target=look.reads.target).attention(
        look.kind, look.depth - 1
    )
    value = values.head("value", 1)
    assert found.value_norms == pytest.approx(np.linalg.norm(value, axis=1), rel=1e-5)
    assert found.context == pytest.approx(found.weights @ value, abs=1e-5)


def test_edges_at_the_blank_are_the_measure_s(kinds: dict[str, Model]) -> None:
    from models import measuring

    model = kinds["bert"]
    found = models.at_blank(model, HIDDEN, 1)
    assert (found.effects == measuring.edge_effects(model, HIDDEN, 1).values).all()
    assert found.agreement == pytest.approx(float(measuring.agreement(model, HIDDEN, 1).values))
    true = trace(model, HIDDEN).encoder.attention[1]["weights"][:, 2]
    assert found.weights == pytest.approx(true, abs=1e-6)
    assert found.keys[2] == "[MASK]"
