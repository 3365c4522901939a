"""Changes in the residual stream equal the same change made by hand, for every family."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from models.families import anatomy
from models.interventions import (
    BypassHead,
    NoFeedForward,
    NoPositions,
    NoSkip,
    ReplaceActivation,
)
from models.tracing import trace
from models.wiring import find
from tests.unit.changed_by_hand import by_hand, last_stack, logits, tower_blocks
from tests.unit.tracing_models import (
    CAUSAL,
    CONFIGS,
    FAMILIES,
    SEQ2SEQ,
    TARGET,
    TEXT,
    build,
    build_network,
    shared,
)

CLOSE = {"atol": 1e-5, "rtol": 1e-5}
MASKED = tuple(f for f in FAMILIES if CONFIGS[f][0] == "masked")
OTHER = "a big dog ran in the mat ."


@pytest.mark.parametrize("family", FAMILIES)
def test_no_feed_forward_is_a_second_matrix_of_zeros(family):
    network, stack = build_network(family), last_stack(family)
    plan = anatomy(network.config).towers[stack].block
    some = (0, 1, 2) if family == "albert" else (0, 1)
    for block in tower_blocks(network, stack)[:2]:
        down = find(block, plan.down)
        nn.init.zeros_(down.weight)
        if down.bias is not None:
            nn.init.zeros_(down.bias)
    off = logits(family, NoFeedForward(some, stack))
    np.testing.assert_allclose(off, by_hand(network, family), **CLOSE)
    assert abs(off - logits(family)).max() > 1e-3


@pytest.mark.parametrize("family", [f for f in FAMILIES if f != "mistral"])
def test_without_positions_order_means_nothing(family):
    """Words swapped: outputs move with their words (encoders) or stay (causal, later words)."""
    model = shared(family)
    if family == "modernbert":
        model = build(family, local_attention=80)
    elif family in CAUSAL:  # deeper ones tell positions from how much a word can see (Haviv 2022)
        model = build(family, **{"n_layer" if family == "gpt2" else "num_hidden_layers": 1})
    swapped = "cat the on sat the old mat ."
    off, moved = (logits(family, NoPositions(), text=t, model=model) for t in (TEXT, swapped))
    with_positions = logits(family, text=TEXT, model=model)
    if CONFIGS[family][0] == "masked":
        order = [0, 2, 1, 4, 3, 5, 6, 7, 8, 9]
        np.testing.assert_allclose(off[order], moved, **CLOSE)
    else:  # the decoder of an encoder-decoder sees the source as a bag of words
        start = 0 if family in SEQ2SEQ else 5  # later words see the same bag before them
        np.testing.assert_allclose(off[start:], moved[start:], **CLOSE)
    assert abs(off - with_positions).max() > 1e-3


def test_order_means_something_with_positions():
    swapped = "cat the on sat the old mat ."
    assert abs(logits("t5")[-1] - logits("t5", text=swapped)[-1]).max() > 1e-4
    assert abs(logits("gpt2")[-1] - logits("gpt2", text=swapped)[-1]).max() > 1e-4


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("around", ["attention", "ffn", "both"])
def test_without_skips_a_branch_replaces_the_stream(family, around):
    """The block's real output is measured, and made of what is left of the parts alone."""
    kinds = ("attention", "cross", "ffn") if around == "both" else (around,)
    seen = trace(
        shared(family), TEXT, record="residual", target=TARGET if family in SEQ2SEQ else None,
        interventions=[NoSkip(around=kinds)],
    )  # fmt: skip
    parallel = family == "gpt_neox"  # one skip connection for both branches
    for stack in filter(None, (seen.encoder, seen.decoder)):
        for layer, residual in stack.residual.items():
            np.testing.assert_allclose(residual.parts.sum(0), residual.output, atol=1e-4)
            left = set(residual.names) - {"bias"}
            if parallel:
                assert left == (
                    {"input", "attention", "ffn"} - ({"input"} if around != "ffn" else set())
                )
            elif around == "attention":
                assert "input" not in left
                assert {"attention", "ffn"} <= left
            else:
                assert left == {"ffn"}
            assert layer < stack.depth


def test_no_skip_in_one_layer_of_one_stack():
    seen = trace(
        shared("t5"), TEXT, record="residual", target=TARGET,
        interventions=[NoSkip(layers=(1,), stack="decoder")],
    )  # fmt: skip
    kept = [("input" in r.names) for r in seen.decoder.residual.values()]
    assert kept == [True, False, True]
    assert all("input" in r.names for r in seen.encoder.residual.values())


ACTIVATION = {
    "distilbert": "activation", "modernbert": "hidden_activation", "gpt2": "activation_function",
    "opt": "activation_function", "opt-postnorm": "activation_function",
    "bart": "activation_function", "marian": "activation_function", "t5": "feed_forward_proj",
    "t5-gated": "feed_forward_proj",
}  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
def test_another_activation_is_the_one_a_configuration_would_name(family):
    by = "gated-tanh" if family == "t5-gated" else "tanh"
    network = build_network(family, **{ACTIVATION.get(family, "hidden_act"): by})
    plain = build_network(family)
    for name, module in plain.named_modules():  # heads of masked models name the same one: keep it
        if name.endswith(("transform_act_fn", "predictions.activation")) or name == "activation":
            parent, _, leaf = name.rpartition(".")
            setattr(find(network, parent) if parent else network, leaf, module)
    replaced = logits(family, ReplaceActivation("tanh"))
    np.testing.assert_allclose(replaced, by_hand(network, family), **CLOSE)
    assert abs(replaced - logits(family)).max() > 1e-4


def test_identity_makes_the_feed_forward_network_linear():
    seen = trace(
        shared("gpt2"), TEXT, record=("activations",), interventions=[ReplaceActivation("identity")]
    )
    assert seen.decoder.activations[0].min() < -0.2  # gelu never goes below -0.17


@pytest.mark.parametrize("family", [f for f in MASKED if f != "albert"])
def test_bypassing_the_head_sends_states_straight_to_the_vocabulary(family):
    network = shared(family).network
    seen = trace(
        shared(family), TEXT, record=("logits", "hidden_states"), interventions=[BypassHead()]
    )
    states = torch.tensor(seen.encoder.hidden_states[seen.encoder.depth])
    with torch.inference_mode():
        straight = network.get_output_embeddings()(states)
    np.testing.assert_allclose(seen.logits, straight, **CLOSE)
    assert abs(seen.logits - logits(family)).max() > 1e-3
