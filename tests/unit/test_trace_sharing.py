"""One model, many visitors: traces never mix, and leave nothing behind, finished or not."""

from __future__ import annotations

import gc
import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier

import numpy as np
import pytest
import torch

from models.inputs import read
from models.interventions import (
    CutEdges,
    Dropout,
    NoFeedForward,
    NoPositions,
    NoSkip,
    SilenceHeads,
)
from models.recording import current
from models.traces import ATTENTION, QUANTITIES, Record, Trace
from models.tracing import trace
from tests.unit.tracing_models import (
    SEQ2SEQ,
    TARGET,
    TEXT,
    WORDS,
    build,
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


def test_threads_that_share_a_model_never_mix():
    """8 threads, 50 texts each, all asking for different things of one model at once."""
    model = build("bert")
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS, size=rng.integers(3, 9))) for _ in range(50)]
    asks = [
        {"record": Record("weights", layers=(1,))},
        {"record": ("weights", "logits")},
        {"record": "logits", "interventions": [SilenceHeads(1, (0, 2))]},
        {"record": "logits", "interventions": [NoFeedForward()]},
        {"record": "residual"},
        {"record": "logits", "interventions": [Dropout(seed=3, p=0.2)]},
        {"record": "activations", "interventions": [NoSkip(), NoPositions()]},
        {"record": "hidden_states"},
    ]
    alone = [[pickle.dumps(trace(model, text, **ask)) for text in texts] for ask in asks]
    start = Barrier(len(asks))

    def visitor(ask: dict) -> list[bytes]:
        start.wait()
        return [pickle.dumps(trace(model, text, **ask)) for text in texts]

    with ThreadPoolExecutor(len(asks)) as pool:
        together = list(pool.map(visitor, asks))
    assert together == alone


class GivenUpError(Exception):
    pass


@pytest.mark.parametrize("family", ["bert", "gpt2", "t5"])
@pytest.mark.parametrize("layer", [0, 1, 3])
def test_a_cancelled_trace_leaves_the_model_untouched(family, layer):
    model = shared(family)
    before = state(model.network), run(family, "weights", "logits")
    calls = count()

    def give_up() -> None:
        if next(calls) == layer:
            raise GivenUpError

    with pytest.raises(GivenUpError):
        trace(
            model, TEXT, record=ATTENTION, check=give_up, target=TARGET,
            interventions=[NoFeedForward(), Dropout(0, 0.5)],
        )  # fmt: skip
    assert current() is None
    assert state(model.network) == before[0]
    after = run(family, "weights", "logits")
    np.testing.assert_array_equal(after.logits, before[1].logits)
    np.testing.assert_array_equal(after.stack.weights(), before[1].stack.weights())
    again = reference(family).logits[0]
    with torch.inference_mode():  # the plain forward pass of the same model, not traced
        plain = model.network(**read(model, TEXT, target=TARGET).tensors).logits[0]
    np.testing.assert_allclose(plain, again, **CLOSE)


def state(network) -> tuple:
    """Everything of a model that a trace could have left changed."""
    return (
        [(name, module.training, len(module._forward_hooks), len(module._forward_pre_hooks))
         for name, module in network.named_modules()],
        [(name, p.data_ptr(), float(p.sum())) for name, p in network.named_parameters()],
        network.config.to_json_string(),
    )  # fmt: skip


def test_a_failed_trace_ends_its_request():
    with pytest.raises(IndexError):
        trace(shared("bert"), TEXT, interventions=[CutEdges(0, ((0, 99),))])
    assert current() is None


def test_a_model_that_nobody_uses_any_more_is_freed():
    model = build("bert")
    trace(model, TEXT, record=QUANTITIES, interventions=[NoSkip()])
    gone = weakref.ref(model.network)
    del model
    gc.collect()
    assert gone() is None
