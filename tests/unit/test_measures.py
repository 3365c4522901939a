"""The measures' definitions, checked on numbers small enough to do by hand."""

from __future__ import annotations

import json
import math
from functools import partial

import numpy as np
import pytest
from beartype import beartype
from hypothesis import given
from hypothesis import strategies as st
from jaxtyping import TypeCheckError, jaxtyped

from models import measures

CHECKED = {  # every function again, with the shapes of its signature checked at each call
    name: jaxtyped(typechecker=beartype)(getattr(measures, name))
    for name in measures.__all__
    if callable(getattr(measures, name))
}


def checked(name: str, *args, **kwargs):
    return CHECKED[name](*args, **kwargs)


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention(*shape: int, causal: bool = False) -> np.ndarray:
    scores = np.random.default_rng(0).normal(size=shape)
    if causal:
        scores = np.where(np.tril(np.ones(shape[-2:], bool)), scores, -np.inf)
    return softmax(scores)


def test_shapes_are_checked():
    with pytest.raises(TypeCheckError):
        checked("rollout", np.zeros((2, 3, 4)))


# --- information


def test_entropy():
    p = np.array([[1.0, 0, 0, 0], [0.25, 0.25, 0.25, 0.25], [0.5, 0.5, 0, 0]])
    np.testing.assert_allclose(checked("entropy_bits", p), [0, 2, 1])
    assert not np.signbit(checked("entropy_bits", p)[0])


def test_surprisal():
    log_p = np.log([[0.5, 0.25, 0.25], [0.125, 0.5, 0.375]])
    np.testing.assert_allclose(checked("surprisal_bits", log_p, np.array([1, 0])), [2, 3])


def test_jensen_shannon():
    p, q = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.5, 0.5])
    assert checked("jensen_shannon_bits", p, q) == pytest.approx(1)
    assert checked("jensen_shannon_bits", p, p) == 0
    half = np.array([0.5, 0.5, 0])
    by_hand = (
        0.5 * math.log2(1 / 0.75) + 0.25 * math.log2(0.5 / 0.75) + 0.25 * math.log2(0.5 / 0.25)
    )
    assert checked("jensen_shannon_bits", p, half) == pytest.approx(by_hand)


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=8), st.integers(0, 99))
def test_jensen_shannon_is_symmetric_and_between_0_and_1(values, seed):
    p = softmax(np.array(values))
    q = softmax(np.random.default_rng(seed).normal(size=len(values)) * 4)
    there, back = checked("jensen_shannon_bits", p, q), checked("jensen_shannon_bits", q, p)
    assert there == pytest.approx(back, abs=1e-12)
    assert 0 <= there <= 1


def test_pseudo_perplexity_of_a_fair_guess_is_the_number_of_choices():
    assert checked("pseudo_perplexity", np.log(np.full(5, 1 / 8))) == pytest.approx(8)


# --- influence and visibility

COUNTS = np.array([0, 0, 100, 50, 10, 5, 3, 1, 40, 20, 2])
CONTINUES = np.array([False] * 8 + [True] * 3)
ALIKE = np.zeros(len(COUNTS), dtype=int)


def test_substitutes_have_as_many_pieces_of_the_same_role_and_are_never_the_word():
    drawn = checked("draw_substitutes", np.array([3, 9]), COUNTS, CONTINUES, ALIKE, substitutes=2)
    assert drawn.shape == (2, 2)
    assert not CONTINUES[drawn[:, 0]].any()
    assert CONTINUES[drawn[:, 1]].all()
    assert set(drawn[:, 0]).isdisjoint({3, 0, 1})
    assert set(drawn[:, 1]) == {8, 10}


def test_substitutes_all_differ_and_stop_where_the_vocabulary_ends():
    drawn = checked("draw_substitutes", np.array([2]), COUNTS, CONTINUES, ALIKE, substitutes=8)
    assert sorted(drawn[:, 0]) == [3, 4, 5, 6, 7]


def test_substitutes_follow_the_counts_flattened():
    first = [
        checked("draw_substitutes", np.array([7]), COUNTS, CONTINUES, ALIKE, 1, seed)[0, 0]
        for seed in range(4000)
    ]
    weights = np.where(CONTINUES, 0, COUNTS) ** 0.75
    weights[7] = 0
    share = np.bincount(first, minlength=len(COUNTS)) / len(first)
    np.testing.assert_allclose(share, weights / weights.sum(), atol=0.03)


def test_substitutes_depend_on_the_word_and_seed_alone():
    draw = partial(checked, "draw_substitutes", np.array([3]), COUNTS, CONTINUES, ALIKE, 3)
    np.testing.assert_array_equal(draw(), draw())


def test_substitutes_are_of_the_same_kind_where_there_are_any():
    kinds = np.array([0, 0, 1, 2, 1, 2, 2, 3, 1, 1, 2])
    draw = partial(checked, "draw_substitutes", counts=COUNTS, continues=CONTINUES, kinds=kinds)
    assert set(draw(np.array([3]))[:, 0]) == {5, 6}, "neither more common ones of other kinds"
    assert set(draw(np.array([9]))[:, 0]) == {8}
    assert set(draw(np.array([7]))[:, 0]) == {2, 3, 4, 5, 6}, "the one of its kind"


def test_counts_are_read_and_filled_up(tmp_path):
    file = tmp_path / "unigram.json"
    file.write_text(json.dumps([3, 1, 2]))
    np.testing.assert_array_equal(measures.read_counts(file, 5), [3, 1, 2, 0, 0])


@pytest.mark.parametrize("content", ["[1, 2, 3, 4, 5, 6]", '{"a": 1}', "[1.5]", "[-1]", "[[1]]"])
def test_what_is_no_list_of_counts_is_refused(tmp_path, content):
    file = tmp_path / "unigram.json"
    file.write_text(content)
    with pytest.raises(ValueError, match=r"unigram\.json"):
        measures.read_counts(file, 5)


def test_influence_is_the_mean_over_substitutes():
    original = np.array([0.5, 0.5, 0.0])
    changed = np.stack([original, np.array([0.0, 0.0, 1.0])])
    assert checked("influence", original, changed) == pytest.approx(0.5)


def test_visibility_is_relative_movement():
    original = np.array([[3.0, 4.0], [0.0, 2.0]])
    still = np.stack([original, original])
    moved = original + np.array([[[5, 0], [0, 0]], [[0, 10], [0, 0]]])
    seen = checked("visibility", original, np.stack([still, moved]))
    np.testing.assert_allclose(seen, [[0, 1.5], [0, 0]])


# --- lens and rollout


def test_the_last_lens_layer_is_not_normed_again():
    states = np.random.default_rng(0).normal(size=(3, 2, 4))
    norm = lambda x: (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)  # noqa: E731
    head = lambda x: x @ np.ones((4, 5))  # noqa: E731
    seen = checked("lens", list(states), norm, head)
    np.testing.assert_allclose(seen[0], head(norm(states[0])))
    np.testing.assert_allclose(seen[2], head(states[2]))


@pytest.mark.parametrize("causal", [False, True])
def test_rollout_rows_sum_to_1(causal):
    weights = attention(4, 3, 6, 6, causal=causal)
    reached = checked("rollout", weights)
    np.testing.assert_allclose(reached.sum(-1), 1)
    assert causal == (reached[:, np.triu(np.ones((6, 6), bool), 1)] == 0).all()


def test_rollout_multiplies_later_layers_from_the_left():
    weights = attention(2, 2, 3, 3)
    one, two = (0.5 * layer.mean(0) + 0.5 * np.eye(3) for layer in weights)
    np.testing.assert_allclose(checked("rollout", weights), [one, two @ one])
    assert not np.allclose(two @ one, one @ two)


def test_rollout_of_attention_to_oneself_stays():
    weights = np.broadcast_to(np.eye(5), (3, 2, 5, 5)).copy()
    np.testing.assert_array_equal(checked("rollout", weights)[-1], np.eye(5))


# --- effect and agreement


def test_effect_is_a_difference_of_logarithms():
    np.testing.assert_allclose(
        checked("effect", np.log([0.2, 0.4]), math.log(0.4)), [-math.log(2), 0]
    )


def test_spearman():
    x = np.array([1.0, 2.0, 3.0, 4.0])
    assert checked("spearman", x, np.exp(x)) == pytest.approx(1)
    assert checked("spearman", x, -(x**3)) == pytest.approx(-1)
    ties = checked("spearman", np.array([1.0, 2.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0, 4.0]))
    assert ties == pytest.approx(4.5 / math.sqrt(4.5 * 5))
    assert math.isnan(checked("spearman", x, np.ones(4)))


def test_agreement_compares_the_size_of_effects():
    weights = np.array([[0.1, 0.2], [0.3, 0.9]])
    assert checked("agreement", weights, np.array([[0.1, -0.2], [0.3, -2.0]])) == pytest.approx(1)
    assert checked("agreement", weights, np.array([[9.0, -3.0], [2.0, 0.1]])) == pytest.approx(-1)


# --- heads

IDS = np.array([7, 8, 9, 7, 8, 5])


def one_hot(keys: list[int]) -> np.ndarray:
    return np.eye(len(keys))[keys][None]


def statistics(weights: np.ndarray) -> dict[str, float]:
    return {k: float(v[0]) for k, v in checked("head_statistics", weights, IDS).items()}


def test_statistics_have_their_names_in_order():
    found = checked("head_statistics", attention(3, 6, 6), IDS)
    assert tuple(found) == measures.STATISTICS
    assert {v.shape for v in found.values()} == {(3,)}


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("previous", [0, 0, 1, 2, 3, 4]),
        ("next", [1, 2, 3, 4, 5, 5]),
        ("diagonal", [0, 1, 2, 3, 4, 5]),
        ("sink", [2, 2, 2, 2, 2, 2]),
        ("same_word", [3, 4, 0, 0, 1, 0]),
        ("induction", [0, 0, 0, 1, 2, 0]),
    ],
)
def test_a_pure_head_scores_1(name, keys):
    found = statistics(one_hot(keys))
    assert found[name] == pytest.approx(1)
    assert found["entropy"] == 0


def test_an_even_head():
    found = statistics(np.full((1, 6, 6), 1 / 6))
    assert found["entropy"] == pytest.approx(math.log2(6))
    assert found["distance"] == pytest.approx(abs(np.subtract.outer(range(6), range(6))).mean())
    assert found["previous"] == found["next"] == found["diagonal"] == pytest.approx(1 / 6)
    assert found["sink"] == pytest.approx(1 / 6)
    assert found["same_word"] == found["induction"] == pytest.approx(1 / 6)


def test_without_repeated_words_there_is_nothing_to_measure():
    found = checked("head_statistics", attention(2, 4, 4), np.array([1, 2, 3, 4]))
    assert np.isnan(found["same_word"]).all()
    assert np.isnan(found["induction"]).all()
    assert np.isfinite(found["entropy"]).all()


def test_a_word_that_follows_itself_is_no_induction():
    ids = np.array([1, 1, 1])
    found = checked("head_statistics", np.eye(3)[None], ids)
    assert found["induction"][0] == 0  # the third looks at itself, not at the second
