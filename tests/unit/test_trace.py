"""What `trace` shows is what transformers' own eager code computes, for every family."""

from __future__ import annotations

import importlib
import pickle
import pickletools
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
import torch
from transformers import BertModel, MambaConfig, MambaForCausalLM

import models
from models.errors import CannotTrace
from models.inputs import read
from models.recording import to_numpy
from models.traces import ATTENTION, Record, Trace
from models.tracing import trace
from tests.unit.tracing_models import (
    CONFIGS,
    FAMILIES,
    OUTSIDE,
    SEQ2SEQ,
    SIZE,
    TARGET,
    TEXT,
    build_network,
    shared,
)

CLOSE = {"atol": 1e-5, "rtol": 0}


def run(family: str, *record: str | Record) -> Trace:
    target = TARGET if family in SEQ2SEQ else None
    return trace(shared(family), TEXT, record=record, target=target)


def reference(family: str):
    """A second network with the same weights, which tracing never touched."""
    inputs = read(shared(family), TEXT, target=TARGET).tensors
    with torch.inference_mode():
        return build_network(family)(**inputs, output_attentions=True, output_hidden_states=True)


@pytest.mark.parametrize("family", CONFIGS)
def test_parity_with_eager(family):
    seen, eager = run(family, "weights", "hidden_states", "logits"), reference(family)
    assert not seen.missing
    np.testing.assert_allclose(seen.logits, eager.logits[0], **CLOSE)
    for stack in filter(None, (seen.encoder, seen.decoder)):
        prefix = f"{stack.name}_" if family in SEQ2SEQ else ""
        attentions, states = eager[f"{prefix}attentions"], eager[f"{prefix}hidden_states"]
        assert len(stack.attention) == len(attentions) == stack.depth
        assert len(stack.hidden_states) == len(states) == stack.depth + 1
        np.testing.assert_allclose(stack.weights(), torch.cat(attentions), **CLOSE)
        for layer, state in enumerate(states):
            np.testing.assert_allclose(stack.hidden_states[layer], state[0], **CLOSE)


@pytest.mark.parametrize("family", SEQ2SEQ)
def test_cross_attention_has_the_decoders_depth(family):
    seen, eager = run(family, "weights"), reference(family)
    encoder, decoder = seen.encoder, seen.decoder
    assert encoder.depth != decoder.depth
    assert sorted(encoder.attention) == list(range(encoder.depth))
    assert sorted(decoder.cross) == list(range(decoder.depth))
    np.testing.assert_allclose(
        decoder.weights(cross=True), torch.cat(eager.cross_attentions), **CLOSE
    )
    assert decoder.cross[0]["weights"].shape[1:] == (len(decoder.tokens), len(encoder.tokens))
    assert not encoder.cross


@pytest.mark.parametrize("family", SEQ2SEQ)
def test_without_a_target_the_decoder_reads_its_own_answer(family):
    model = shared(family)
    seen = trace(model, TEXT, record="logits")
    again = trace(model, TEXT, record="logits", target=seen.target)
    np.testing.assert_array_equal(seen.logits, again.logits)
    assert seen.decoder.tokens[0].kind == "special"
    assert seen.decoder.tokens[0].id == model.network.config.decoder_start_token_id


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_comes_unasked(family):
    seen = run(family, Record("query", layers=(1,), heads=(1,)))
    for stack in filter(None, (seen.encoder, seen.decoder)):
        assert list(stack.attention) == [1]
        assert stack.attention[1].heads == {"query": (1,)}
        assert not stack.hidden_states
        assert not stack.activations
        assert not stack.residual
        assert stack.attention[1].mask is None
    assert seen.logits is None


@pytest.mark.parametrize("what", [w for w in ATTENTION if w != "mask"])
def test_one_head_is_that_head_of_all(what):
    every = run("llama", what).decoder.attention[2]
    some = run("llama", Record(what, layers=(2,), heads=(3, 1))).decoder.attention[2]
    assert some.heads[what] == (1, 3)
    np.testing.assert_allclose(some[what], every[what][[1, 3]], **CLOSE)
    np.testing.assert_array_equal(some.head(what, 3), some[what][1])
    with pytest.raises(KeyError):
        some.head(what, 0)


def test_a_recorded_view_does_not_keep_the_whole_tensor_alive():
    whole = torch.arange(12.0).reshape(3, 4)
    part, everything = to_numpy(whole[:, :2]), to_numpy(whole)
    whole.zero_()
    assert part.tolist() == [[0, 1], [4, 5], [8, 9]]  # a copy of what was asked for
    assert not everything.any()  # the same memory: nothing is copied that is kept anyway


def test_quantities_may_be_asked_of_different_heads():
    seen = run("bert", "weights", Record("query", layers=(2,), heads=(3,)))
    assert seen.encoder.attention[2].heads == {"weights": (0, 1, 2, 3), "query": (3,)}
    assert seen.encoder.attention[0].heads == {"weights": (0, 1, 2, 3)}


def test_hidden_states_by_layer():
    every, some = run("bart", "hidden_states"), run("bart", Record("hidden_states", layers=(0, 3)))
    assert list(some.encoder.hidden_states) == [0]  # two layers: no state after a third
    assert list(some.decoder.hidden_states) == [0, 3]
    np.testing.assert_array_equal(some.decoder.hidden_states[3], every.decoder.hidden_states[3])


def test_a_trace_is_plain_frozen_and_picklable():
    seen = run("t5", *ATTENTION, "hidden_states", "activations", "residual", "logits")
    again = pickle.loads(pickle.dumps(seen))
    np.testing.assert_array_equal(again.decoder.weights(), seen.decoder.weights())
    modules = {op[1].split()[0] for op in pickletools_globals(pickle.dumps(seen, protocol=2))}
    assert not {name.split(".")[0] for name in modules} - {
        "models",
        "numpy",
        "copyreg",
        "_codecs",
        "__builtin__",
    }
    with pytest.raises(FrozenInstanceError):
        seen.text = "another"
    with pytest.raises(ValueError, match="read-only"):
        seen.logits[0] = 0


def pickletools_globals(data: bytes):
    return [(op.name, arg) for op, arg, _ in pickletools.genops(data) if op.name == "GLOBAL"]


def test_a_trace_knows_where_it_comes_from():
    model = shared("bert")
    assert run("bert", "weights").provenance is model.provenance


@pytest.mark.parametrize("family", OUTSIDE)
def test_families_outside_the_interface_say_what_is_missing(family):
    seen = run(family, *ATTENTION)
    assert {m.what for m in seen.missing} == set(ATTENTION) - {"weights"}
    assert {m.reason for m in seen.missing} == {"own attention"}
    assert seen.stack.weights().shape[:2] == (seen.stack.depth, seen.stack.heads)


def test_a_model_without_attention_says_so():
    config = MambaConfig(vocab_size=SIZE, hidden_size=8, state_size=4, num_hidden_layers=1)
    model = replace(shared("gpt2"), network=MambaForCausalLM(config).eval())
    seen = trace(model, TEXT, record=("weights", "hidden_states"))
    assert [(m.what, m.reason) for m in seen.missing] == [("weights", "no attention")]
    assert list(seen.stack.hidden_states) == [0, 1]


@pytest.mark.parametrize(
    "record", ["wieghts", Record("weights", layers=(3,)), Record("weights", heads=(4,))]
)
def test_what_does_not_exist_is_refused(record):
    with pytest.raises(ValueError, match=r"run from 0 to|cannot record"):
        run("bert", record)


def test_a_pair_is_read_as_two_texts():
    seen = trace(shared("bert"), "the cat sat", record="weights", pair="a dog ran")
    sequences = [t.sequence for t in seen.encoder.tokens]
    assert sequences == [None, 0, 0, 0, None, 1, 1, 1, None]
    assert [t.text for t in seen.encoder.tokens][5:8] == ["a", "dog", "ran"]
    inputs = read(shared("bert"), "the cat sat", pair="a dog ran").tensors
    assert inputs["token_type_ids"].tolist() == [[0, 0, 0, 0, 0, 1, 1, 1, 1]]
    with torch.inference_mode():
        eager = build_network("bert")(**inputs, output_attentions=True)
    np.testing.assert_allclose(seen.encoder.weights(), torch.cat(eager.attentions), **CLOSE)


def test_what_is_too_long_is_cut_and_named():
    text = "the cat " * 20
    seen = trace(shared("bert"), text)
    assert len(seen.encoder.tokens) == 32
    assert seen.cut[0].strip()
    assert text[: seen.encoder.tokens[-2].end + 1] + seen.cut[0] == text


def test_a_network_that_is_not_built_like_its_family_is_not_guessed_at():
    config = build_network("bert").config
    model = replace(shared("bert"), network=BertModel(config).eval())  # no head, other names
    assert trace(model, TEXT).encoder.weights().shape[0] == 3
    with pytest.raises(CannotTrace, match="family"):
        trace(model, TEXT, record="residual")


def test_pages_ask_the_narrow_waist():
    importlib.import_module("models.trace")  # a module of the same name must not hide the function
    seen = models.trace(shared("bert"), TEXT, "logits", pair="a dog")
    assert seen.pair == "a dog"
    np.testing.assert_array_equal(
        seen.logits, trace(shared("bert"), TEXT, "logits", pair="a dog").logits
    )
