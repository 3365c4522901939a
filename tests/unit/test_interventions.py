"""Each intervention equals the same change made by hand to the weights of a second network."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn
from transformers import AttentionInterface
from transformers.masking_utils import AttentionMaskInterface, eager_mask
from transformers.pytorch_utils import Conv1D

from models.assembly import CannotTrace
from models.inputs import read
from models.interventions import (
    BypassHead,
    CutEdges,
    Dropout,
    NoFeedForward,
    NoPositions,
    NoSkip,
    ReplaceHead,
    SilenceHeads,
)
from models.runs import answers
from models.traces import Record
from models.tracing import trace
from models.wiring import find
from tests.unit.changed_by_hand import by_hand, last_stack, logits, tower_blocks
from tests.unit.tracing_models import (
    CAUSAL,
    CONFIGS,
    FAMILIES,
    OUTSIDE,
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

OUTPUT = {  # the output projection of a block's (self-)attention
    "bert": "attention.output.dense", "bert-decoder": "attention.output.dense",
    "roberta": "attention.output.dense",
    "electra": "attention.output.dense", "distilbert": "attention.out_lin",
    "albert": "attention.dense", "modernbert": "attn.Wo", "gpt2": "attn.c_proj",
    "gpt_neox": "attention.dense", "gpt_neox-serial": "attention.dense",
    "t5": "layer.0.SelfAttention.o", "t5-gated": "layer.0.SelfAttention.o",
    "bart": "self_attn.out_proj", "marian": "self_attn.out_proj", "opt": "self_attn.out_proj",
    "opt-postnorm": "self_attn.out_proj",
}  # fmt: skip


@pytest.mark.parametrize("family", [f for f in FAMILIES if f != "albert"])
def test_silencing_is_zeroing_the_slice_by_hand(family):
    network, stack = build_network(family), last_stack(family)
    projection = find(tower_blocks(network, stack)[1], OUTPUT.get(family, "self_attn.o_proj"))
    weight = projection.weight.T if isinstance(projection, Conv1D) else projection.weight
    size = weight.shape[1] // (2 if family in ("bart", "marian") else 4)
    with torch.no_grad():
        weight[:, size : 2 * size] = 0.0
    silenced = logits(family, SilenceHeads(layer=1, heads=(1,), attention=stack))
    np.testing.assert_allclose(silenced, by_hand(network, family), **CLOSE)
    assert abs(silenced - logits(family)).max() > 1e-3


def test_silencing_one_layer_of_albert_leaves_the_others_that_share_its_weights():
    seen = trace(
        shared("albert"), TEXT, record="context",
        interventions=[SilenceHeads(layer=1, heads=(2,))],
    )  # fmt: skip
    silent = [not seen.encoder.attention[layer].head("context", 2).any() for layer in range(3)]
    assert silent == [False, True, False]


def forbid(edges, heads, layer, attention):
    """Plain eager attention in which some edges do not exist: cut before the softmax."""

    def attend(module, query, key, value, attention_mask, scaling=None, position_bias=None, **_):
        groups = query.shape[1] // key.shape[1]
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
        scores = query @ key.mT * (query.shape[-1] ** -0.5 if scaling is None else scaling)
        for more in (position_bias, attention_mask):
            scores = scores if more is None else scores + more
        is_cross = attention == "cross"
        if module.layer_idx == layer and (query.shape[2] != key.shape[2]) == is_cross:
            for query_at, key_at in edges:
                scores[:, list(heads), query_at, key_at] = -torch.inf
        weights = scores.softmax(-1)
        return (weights @ value).transpose(1, 2).contiguous(), weights

    AttentionInterface.register("forbid", attend)
    AttentionMaskInterface.register("forbid", eager_mask)
    return "forbid"


@pytest.mark.parametrize(
    ("family", "attention"),
    [("bert", None), ("gpt2", None), ("llama", None), ("modernbert", None), ("opt", None),
     ("marian", "cross"), ("bart", "cross"), ("t5", "cross")],
)  # fmt: skip
def test_a_cut_edge_is_an_edge_that_never_was(family, attention):
    edges, heads = ((3, 1), (3, 3), (2, 0)), (0, 1)
    network = build_network(family, forbid(edges, heads, 1, attention))
    cut = logits(family, CutEdges(1, edges, heads, attention))
    np.testing.assert_allclose(cut, by_hand(network, family), **CLOSE)
    assert abs(cut - logits(family)).max() > 1e-4


def test_a_cut_edge_has_weight_0_and_the_rest_is_renormalised():
    edit = CutEdges(layer=0, edges=((3, 1), (3, 2)), heads=(2,))
    plain = trace(shared("bert"), TEXT).encoder.attention[0]["weights"]
    cut = trace(shared("bert"), TEXT, interventions=[edit]).encoder.attention[0]["weights"]
    expected = plain.copy()
    expected[2, 3, [1, 2]] = 0
    expected[2, 3] /= expected[2, 3].sum()
    np.testing.assert_allclose(cut, expected, **CLOSE)
    assert (cut[2, 3, [1, 2]] == 0).all()


def test_a_row_without_edges_says_nothing():
    every = tuple((0, key) for key in range(len(TEXT.split()) + 2))
    seen = trace(
        shared("bert"), TEXT, record=("weights", "context"), interventions=[CutEdges(0, every)]
    ).encoder.attention[0]
    assert not seen["weights"][:, 0].any()
    assert not seen["context"][:, 0].any()
    assert seen["context"][:, 1].any()


def test_a_head_replaced_by_its_own_output_changes_nothing():
    own = trace(shared("gpt2"), TEXT, record="context").decoder.attention[1].head("context", 2)
    np.testing.assert_allclose(logits("gpt2", ReplaceHead(1, 2, own)), logits("gpt2"), **CLOSE)


def test_a_head_replaced_by_another_sentences_output_says_that():
    theirs = trace(shared("gpt2"), OTHER, record="context").decoder.attention[1].head("context", 2)
    patch = ReplaceHead(1, 2, theirs[[3, 5]], positions=(3, 5))
    seen = trace(shared("gpt2"), TEXT, record="context", interventions=[patch])
    plain = trace(shared("gpt2"), TEXT, record="context")
    context, before = (t.decoder.attention[1].head("context", 2) for t in (seen, plain))
    np.testing.assert_array_equal(context[[3, 5]], theirs[[3, 5]])
    np.testing.assert_allclose(context[[0, 1, 2, 4]], before[[0, 1, 2, 4]], **CLOSE)
    np.testing.assert_allclose(  # causal: nothing before the patch can change
        logits("gpt2", patch)[:3], logits("gpt2")[:3], **CLOSE
    )
    assert abs(logits("gpt2", patch)[3:] - logits("gpt2")[3:]).max() > 1e-4


@pytest.mark.parametrize("family", ["bert", "bart", "gpt_neox"])
def test_dropout_is_drawn_from_its_seed_and_never_trains_the_model(family):
    model = shared(family)
    first, again = (logits(family, Dropout(seed=1, p=0.3)) for _ in range(2))
    other = logits(family, Dropout(seed=2, p=0.3))
    np.testing.assert_array_equal(first, again)
    assert abs(first - other).max() > 1e-2
    np.testing.assert_allclose(logits(family, Dropout(seed=1, p=0.0)), logits(family), **CLOSE)
    assert not any(module.training for module in model.network.modules())


def test_dropout_silences_the_asked_share_of_weights_and_scales_the_rest():
    plain = trace(shared("bert"), TEXT).encoder.attention[0]["weights"]
    shares = []
    for seed in range(20):
        dropped = trace(
            shared("bert"), TEXT, interventions=[Dropout(seed, p=0.25)]
        ).encoder.attention[0]["weights"]
        kept = dropped != 0
        shares.append(1 - kept.mean())
    assert abs(np.mean(shares) - 0.25) < 0.02
    assert plain.shape == dropped.shape


def test_dropout_uses_each_places_own_probability():
    model = build("distilbert", dropout=0.0, attention_dropout=0.5)
    seen = trace(model, TEXT, interventions=[Dropout(seed=0)]).encoder.attention[0]["weights"]
    assert 0.3 < (seen == 0).mean() < 0.7
    quiet = build("distilbert", dropout=0.0, attention_dropout=0.0)
    assert (trace(quiet, TEXT, interventions=[Dropout(0)]).encoder.weights() > 0).all()


def test_interventions_combine():
    network = build_network("bert")
    for layer in network.bert.encoder.layer:
        nn.init.zeros_(layer.output.dense.weight)
        nn.init.zeros_(layer.output.dense.bias)
    with torch.no_grad():
        network.bert.encoder.layer[2].attention.output.dense.weight[:, :8] = 0.0
        network.bert.embeddings.position_embeddings.weight.zero_()
    both = logits("bert", NoFeedForward(), SilenceHeads(2, (0, 1)), NoPositions())
    np.testing.assert_allclose(both, by_hand(network, "bert"), **CLOSE)


@pytest.mark.parametrize("family", ["bert", "gpt2", "opt", "marian", "albert"])
def test_many_runs_in_one_batch_equal_each_by_itself(family):
    stack = last_stack(family)
    edits = [
        (),
        (SilenceHeads(0, (1,), stack),),
        (CutEdges(1, ((2, 1),), (0,), stack), NoFeedForward((1,), stack)),
        (SilenceHeads(2 if family != "opt" else 1, (0, 1), stack),),
    ]
    model = shared(family)
    tensors = read(model, TEXT, target=TARGET if family in SEQ2SEQ else None).tensors
    together = answers(model.network, tensors, [1, 3], edits)
    for row, edit in zip(together, edits, strict=True):
        alone = torch.tensor(logits(family, *edit)).double().log_softmax(-1)[[1, 3]]
        np.testing.assert_allclose(row, alone, **CLOSE)


@pytest.mark.parametrize("family", OUTSIDE)
@pytest.mark.parametrize("edit", [SilenceHeads(0, (0,)), Dropout(0), CutEdges(0, ((0, 0),))])
def test_families_outside_the_interface_refuse_changes_in_attention(family, edit):
    with pytest.raises(CannotTrace) as refusal:
        trace(shared(family), TEXT, interventions=[edit])
    assert refusal.value.reason == "own attention"


@pytest.mark.parametrize("family", OUTSIDE)
@pytest.mark.parametrize("edit", [NoFeedForward(), NoSkip(), NoPositions(), BypassHead()])
def test_families_outside_the_table_refuse_changes_in_the_stream(family, edit):
    with pytest.raises(CannotTrace) as refusal:
        trace(shared(family), TEXT, interventions=[edit])
    assert (refusal.value.what, refusal.value.reason) == (type(edit).__name__, "family")


@pytest.mark.parametrize("what", ["residual", "activations"])
def test_families_outside_the_table_refuse_the_stream(what):
    with pytest.raises(CannotTrace, match="family"):
        trace(shared("xlnet"), TEXT, record=what)


def test_a_head_that_changes_the_width_cannot_be_bypassed():
    with pytest.raises(CannotTrace, match="width"):
        trace(shared("albert"), TEXT, interventions=[BypassHead()])
    with pytest.raises(CannotTrace, match="no transform"):
        trace(shared("gpt2"), TEXT, interventions=[BypassHead()])


@pytest.mark.parametrize(
    "edit",
    [
        SilenceHeads(3, (0,)),
        SilenceHeads(0, (4,)),
        NoFeedForward((9,)),
        ReplaceHead(0, 7, np.ones(1)),
    ],
)
def test_layers_and_heads_that_do_not_exist_are_refused(edit):
    with pytest.raises(ValueError, match="run from 0 to"):
        trace(shared("bert"), TEXT, interventions=[edit])


def test_an_edge_that_does_not_exist_is_refused():
    with pytest.raises(IndexError):
        trace(shared("bert"), TEXT, interventions=[CutEdges(0, ((0, 99),))])


def test_an_output_of_another_shape_is_refused():
    with pytest.raises(ValueError, match="does not fit"):
        trace(shared("bert"), TEXT, interventions=[ReplaceHead(0, 0, np.ones((2, 4)))])


def test_dropout_that_leaves_nothing_is_refused():
    with pytest.raises(ValueError, match="not in"):
        Dropout(seed=0, p=1.0)


def test_unused_record_is_fine_beside_interventions():
    seen = trace(shared("bert"), TEXT, record=Record("mask"), interventions=[NoFeedForward()])
    assert seen.encoder.attention[0].mask.all()


def test_causal_families_are_covered():
    assert {"gpt2", "llama", "opt", "gpt_neox", "qwen3"} <= set(CAUSAL)
