"""What must hold of every trace, whatever the weights: each family's row of the table is proven."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.families import anatomy
from models.traces import Record, Trace
from models.tracing import trace
from models.wiring import blocks, find
from tests.unit.tracing_models import CAUSAL, FAMILIES, SEQ2SEQ, TARGET, TEXT, build, shared

CLOSE = {"atol": 1e-5, "rtol": 1e-5}


def run(family: str, *record: str | Record) -> Trace:
    return trace(shared(family), TEXT, record=record, target=TARGET if family in SEQ2SEQ else None)


def layers(seen: Trace):
    """Every recorded attention layer, of every kind."""
    for stack in filter(None, (seen.encoder, seen.decoder)):
        for kind, found in ((stack.name, stack.attention), ("cross", stack.cross)):
            for layer in found.values():
                yield kind, layer


@pytest.mark.parametrize("family", FAMILIES)
def test_attention_adds_up(family):
    seen = run(family, "weights", "scores", "mask", "query", "key", "value", "context")
    for _, layer in layers(seen):
        weights = layer["weights"]
        np.testing.assert_allclose(weights.sum(-1), 1.0, **CLOSE)
        np.testing.assert_allclose(weights @ layer["value"], layer["context"], **CLOSE)
        exponents = np.exp(layer["scores"] - layer["scores"].max(-1, keepdims=True)) * layer.mask
        np.testing.assert_allclose(exponents / exponents.sum(-1, keepdims=True), weights, atol=1e-4)
        assert ((weights > 0) <= layer.mask).all()


@pytest.mark.parametrize("family", [f for f in FAMILIES if not f.startswith("t5")])
def test_scores_are_scaled_products(family):
    seen = run(family, "scores", "query", "key")
    for _, layer in layers(seen):
        products = layer["query"] @ layer["key"].transpose(0, 2, 1)
        scale = 1.0 if family.startswith("opt") else layer["query"].shape[-1] ** -0.5
        np.testing.assert_allclose(products * scale, layer["scores"], atol=1e-4)


def test_t5_scores_are_products_and_a_bias_of_distance_alone():
    for kind, layer in layers(run("t5", "scores", "query", "key")):
        bias = layer["scores"] - layer["query"] @ layer["key"].transpose(0, 2, 1)
        if kind == "cross":
            np.testing.assert_allclose(bias, 0.0, atol=1e-4)
        else:
            np.testing.assert_allclose(bias[:, 1:, 1:], bias[:, :-1, :-1], atol=1e-3)
            assert abs(bias).max() > 0.01


@pytest.mark.parametrize("family", [*CAUSAL, *SEQ2SEQ])
def test_decoders_never_look_ahead(family):
    for layer in run(family, "weights", "mask").decoder.attention.values():
        ahead = np.triu(np.ones(layer.mask.shape, bool), 1)
        assert (layer["weights"][:, ahead] == 0.0).all()
        assert not layer.mask[ahead].any()


@pytest.mark.parametrize("family", ["bert", "t5", "bart"])
def test_encoders_look_everywhere(family):
    for layer in run(family, "weights", "mask").encoder.attention.values():
        assert layer.mask.all()
        assert (layer["weights"] > 0).all()


@pytest.mark.parametrize("family", ["mistral", "modernbert"])
def test_a_sliding_window_is_in_the_mask(family):
    masks = [layer.mask for _, layer in layers(run(family, "mask"))]
    distance = abs(np.subtract.outer(np.arange(len(masks[0])), np.arange(len(masks[0]))))
    assert any(not mask[distance > 3].any() for mask in masks)


def test_grouped_queries_repeat_keys():
    layer = run("llama", "key", "query").decoder.attention[0]
    np.testing.assert_array_equal(layer["key"][0], layer["key"][1])
    assert not np.allclose(layer["key"][1], layer["key"][2])
    assert not np.allclose(layer["query"][0], layer["query"][1])


@pytest.mark.parametrize("family", FAMILIES)
def test_residual_parts_sum_to_the_blocks_output(family):
    seen = run(family, "residual", "hidden_states")
    for stack in filter(None, (seen.encoder, seen.decoder)):
        assert sorted(stack.residual) == list(range(stack.depth))
        for layer, residual in stack.residual.items():
            np.testing.assert_allclose(residual.parts.sum(0), residual.output, atol=1e-4)
            assert set(residual.names) >= {"input", "attention", "ffn"}
            assert ("cross" in residual.names) == (stack.name == "decoder" and family in SEQ2SEQ)
            if layer + 1 < stack.depth:  # the last state comes after the final norm
                np.testing.assert_array_equal(residual.output, stack.hidden_states[layer + 1])
            assert (abs(residual.parts) > 1e-3).any(axis=(1, 2)).all(), "a part is empty"


@pytest.mark.parametrize("family", FAMILIES)
def test_activations_are_what_the_second_matrix_reads(family):
    model = shared(family)
    seen = run(family, "activations", "residual")
    for name, tower in anatomy(model.network.config).towers.items():
        stack = getattr(seen, name)
        block = blocks(model.network, tower)[0]
        if tower.block.branches[-1].norm:
            continue  # after a norm the branch is no longer visible by itself
        down = find(block, tower.block.down)
        with torch.inference_mode():
            branch = down(torch.tensor(stack.activations[0]))
        recorded = stack.residual[0].parts[stack.residual[0].names.index("ffn")]
        np.testing.assert_allclose(branch, recorded, **CLOSE)
    for stack in filter(None, (seen.encoder, seen.decoder)):
        assert sorted(stack.activations) == list(range(stack.depth))


def test_activations_of_bert_by_hand():
    model, kept = build("bert"), {}
    intermediate = model.network.bert.encoder.layer[1].intermediate
    intermediate.register_forward_hook(lambda _module, _args, out: kept.update(out=out[0]))
    seen = trace(model, TEXT, record="activations")
    assert seen.encoder.activations[1].shape == (len(seen.encoder.tokens), 24)
    np.testing.assert_array_equal(seen.encoder.activations[1], kept["out"])
