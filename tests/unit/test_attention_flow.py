"""Flow: what really arrives beside what is looked at, and both through all layers."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import models
from models import looking_flow, maps
from models.errors import CannotTrace
from models.heads import Reads
from models.loading import Model
from models.measures import carried, rollout, spearman
from models.results import Sentence
from models.tracing import trace
from tests.unit.test_looking import HIDDEN
from tests.unit.tracing_models import FAMILIES, OUTSIDE, SEQ2SEQ, TARGET, TEXT, shared


@given(st.integers(0, 99))
def test_lengths_are_those_of_the_summed_vectors(seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights, says = rng.random((3, 4, 5)), rng.normal(size=(3, 5, 6))
    vectors = np.einsum("hqk,hkd->qkd", weights, says)
    assert carried(weights, says) == pytest.approx(np.linalg.norm(vectors, axis=-1))


def kinds_of(family: str) -> tuple[str, ...]:
    return maps.kinds(shared(family))


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_carried_adds_up_to_what_the_layer_says(family: str) -> None:
    model, target = shared(family), TARGET if family in SEQ2SEQ else None
    seen = trace(model, TEXT, ["weights", "value"], target=target)
    for kind in kinds_of(family):
        names = looking_flow.projections(model, kind)
        said: list[torch.Tensor] = []
        module = model.network.get_submodule(names[-1])
        hook = module.register_forward_hook(lambda m, i, out, said=said: said.append(out))
        trace(model, TEXT, "weights", target=target)
        hook.remove()
        layer = seen.attention(kind, len(names) - 1)
        vectors = looking_flow.projected(model, names[-1], layer["value"])
        found = np.einsum("hqk,hkd->qd", layer["weights"].astype(float), vectors)
        bias = 0 if getattr(module, "bias", None) is None else module.bias.numpy()
        assert found + bias == pytest.approx(said[-1].reshape(found.shape).numpy(), abs=1e-4)


@pytest.mark.parametrize(
    ("kind", "attention"), [("bert", "encoder"), ("gpt", "decoder"), ("seq", "cross")]
)
def test_three_ways_of_telling_it(kinds: dict[str, Model], kind: str, attention: str) -> None:
    model = kinds[kind]
    look = models.all_heads(model, HIDDEN, kind=attention)
    found = models.flow(model, look.reads, look.kind)
    true = maps.recorded(trace(model, HIDDEN, target=look.reads.target), look.kind).astype(float)
    assert found.mean == pytest.approx(true.mean(axis=1), abs=1e-6)
    assert found.carried.sum(axis=-1) == pytest.approx(1, abs=1e-6)
    if attention == "cross":
        assert found.reached is None, "there is no way back from the source to the target"
        return
    assert found.reached == pytest.approx(rollout(true), abs=1e-6)
    assert found.reached.sum(axis=-1) == pytest.approx(1, abs=1e-6)
    last = found.depth - 1
    if attention == "decoder":
        assert (np.triu(found.reached[last], 1) == 0).all()
        count = len(found.queries)
        step = 0.5 * np.tril(np.ones((count, count))) / np.arange(1, count + 1)[:, None]
        step += 0.5 * np.eye(count)
        assert found.even[-1] == pytest.approx((step @ step)[-1, 0])
    else:
        assert found.even is None
        both = found.mean[last].ravel(), found.carried[last].ravel()
        assert found.agreement[last] == pytest.approx(spearman(*both), abs=1e-3)


def test_a_word_without_a_value_brings_nothing(kinds: dict[str, Model]) -> None:
    weights = np.array([[[0.9, 0.1], [0.5, 0.5]]])
    says = np.array([[[0.0, 0.0], [3.0, 4.0]]])
    assert carried(weights, says) == pytest.approx(np.array([[0.0, 0.5], [0.0, 2.5]]))


def test_long_texts_come_in_blocks(
    kinds: dict[str, Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maps, "MOST_CELLS", 5)
    monkeypatch.setattr(maps, "MOST_BLOCKS", 5)
    look = models.all_heads(kinds["bert"], HIDDEN)
    found = models.flow(kinds["bert"], look.reads, look.kind)
    assert found.block == look.block
    assert max(found.reached.shape[1:]) <= 5
    assert len(found.queries) == len(look.queries)


def test_families_with_code_of_their_own_show_weights_and_rollout() -> None:
    for family in set(OUTSIDE) - {"xlnet"}:
        model = shared(family)
        kind = maps.checked(model, None)
        found = models.flow(model, Reads(Sentence(TEXT)), kind)
        assert found.carried is None
        assert np.isnan(found.agreement).all()
        assert found.reached.sum(axis=-1) == pytest.approx(1, abs=1e-5)


def test_never_for_a_model_without_attention(kinds: dict[str, Model]) -> None:
    with pytest.raises(CannotTrace):
        maps.checked(kinds["elmo"], None)
