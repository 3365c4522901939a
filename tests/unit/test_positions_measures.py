"""Positions by formula: each identity that the page shows, and that each measure can fail."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from models.measures import positions as of
from models.training.starts import sinusoids as trained

WIDTHS = st.integers(1, 24).map(lambda n: 2 * n)


def test_the_formula_is_that_of_the_trained_models() -> None:
    np.testing.assert_allclose(of.sinusoids(40, 32), trained(40, 32).numpy(), atol=2e-5)
    with pytest.raises(ValueError, match="pairs"):
        of.sinusoids(4, 3)


@given(WIDTHS, st.integers(-20, 20), st.floats(2, 1e5))
def test_a_shift_is_a_matrix_of_its_own(width: int, offset: int, base: float) -> None:
    table = of.sinusoids(60, width, base)
    at = np.arange(20, 40)
    moved = table[at] @ of.shift(offset, width, base).T
    np.testing.assert_allclose(moved, table[at + offset], atol=1e-10)
    wrong = table[at] @ of.shift(offset + 1, width, base).T
    assert np.abs(wrong - table[at + offset]).max() > 1e-3


@given(WIDTHS, st.floats(2, 1e5))
def test_products_of_sinusoids_know_the_offset_alone(width: int, base: float) -> None:
    table = of.sinusoids(50, width, base)
    products = table @ table.T
    assert of.explained_by_offset(products) == pytest.approx(1)
    curve = of.offset_curve(products, 20)
    assert of.symmetry_error(curve) < 1e-12
    assert of.asymmetry(curve) < 1e-20
    np.testing.assert_allclose(curve[20], width / 2)
    angles = 3 * of.frequencies(width, base)
    np.testing.assert_allclose(curve[23], np.cos(angles).sum())


def test_what_is_no_function_of_the_offset_is_found_out() -> None:
    rng = np.random.default_rng(0)
    table = rng.normal(size=(60, 8))
    assert of.explained_by_offset(table @ table.T) < 0.7
    ramp = np.arange(60.0)
    assert of.explained_by_offset(np.tile(ramp, (60, 1))) < 0.6
    odd = of.offset_curve(ramp[None, :] - ramp[:, None], 10)
    assert of.asymmetry(odd) == pytest.approx(1)
    assert of.symmetry_error(odd) == pytest.approx(2)
    assert of.asymmetry(np.ones(5)) == of.symmetry_error(np.zeros(5)) == 0
    with pytest.raises(ValueError, match="reach"):
        of.offset_curve(np.eye(6), 3)


def test_a_hand_made_matrix_looks_at_the_previous_token() -> None:
    table = of.sinusoids(30, 64)
    scores = table @ of.shift(-1, 64).T @ table.T
    assert (scores[1:].argmax(1) == np.arange(29)).all()
    assert of.asymmetry(of.offset_curve(scores, 8)) > 0.2


def test_curves_are_compared_by_shape() -> None:
    curve = np.array([1.0, 2, 5, 2, 1])
    assert of.likeness(3 * curve + 7, curve) == pytest.approx(1)
    assert of.likeness(-curve, curve) == pytest.approx(-1)
    assert of.likeness(np.ones(5), curve) == 0


def test_spectra_find_the_period_that_is_there() -> None:
    t = np.arange(128)
    wave = np.sin(2 * np.pi * t / 16)[:, None]
    assert of.strongest_period(of.spectrum(wave)[:, 0], 128) == pytest.approx(16)
    assert of.strongest_period(np.zeros(5), 8) == np.inf
    noise = np.random.default_rng(1).normal(size=(128, 64))
    assert of.periodicity(of.sinusoids(128, 64)) > 0.5
    assert of.periodicity(noise) < 0.2
    assert of.periodicity(np.zeros((8, 2))) == 0


def test_a_path_on_its_axes_keeps_distances() -> None:
    table = np.random.default_rng(2).normal(size=(9, 3))
    path, shares = of.principal(table)
    apart = np.linalg.norm(path[:, None] - path, axis=-1)
    np.testing.assert_allclose(apart, np.linalg.norm(table[:, None] - table, axis=-1))
    assert shares.sum() == pytest.approx(1)
    assert (np.diff(shares) <= 0).all()
    np.testing.assert_allclose(np.diag(of.cosines(table)), 1)
    assert (of.cosines(np.zeros((2, 2))) == 0).all()


def test_rotary_of_equal_vectors_is_the_sinusoids_pattern_of_others_has_direction() -> None:
    ones = np.ones(32) / np.sqrt(2)
    table = of.sinusoids(60, 32)
    np.testing.assert_allclose(
        of.rotary(ones, ones, 20), of.offset_curve(table @ table.T, 20), atol=1e-10
    )
    q, k = np.random.default_rng(0).normal(size=(2, 32))
    assert of.asymmetry(of.rotary(q, k, 20)) > 0.01


def test_rotary_depends_on_the_offset_as_transformers_computes_it() -> None:
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

    config = LlamaConfig(hidden_size=16, num_attention_heads=1, head_dim=16)
    q, k = np.random.default_rng(3).normal(size=(2, 16))
    halves = np.concatenate([np.arange(0, 16, 2), np.arange(1, 16, 2)])  # Llama pairs i and i + 8
    with torch.no_grad():
        cos, sin = LlamaRotaryEmbedding(config)(torch.zeros(1, 21, 16), torch.arange(21)[None])
        many = [torch.tensor(v[halves], dtype=torch.float32).expand(1, 1, 21, 16) for v in (q, k)]
        queries, keys = apply_rotary_pos_emb(*many, cos, sin)
    found = (queries[0, 0, 10] @ keys[0, 0].T).numpy()
    np.testing.assert_allclose(found, of.rotary(q, k, 10), atol=1e-4)


def test_t5_buckets_as_transformers_counts_them() -> None:
    from transformers.models.t5.modeling_t5 import T5Attention

    offsets = np.arange(-200, 201)
    ours = of.t5_bucket(offsets)
    theirs = T5Attention._relative_position_bucket(torch.tensor(offsets), True, 32, 128)
    assert ours.tolist() == theirs.tolist()


def test_alibi_falls_with_distance_and_more_in_the_first_head() -> None:
    steep, gentle = of.alibi(1, 8, 4), of.alibi(8, 8, 4)
    assert steep.tolist() == [-2, -1.5, -1, -0.5, 0, -0.5, -1, -1.5, -2]
    assert gentle[0] == -4 / 256
