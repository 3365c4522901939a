"""Integrated gradients: complete, nothing for what stays, and a third opinion on edges."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import models
from models.embedded import Embedded, looked_up, word_tables
from models.errors import CannotTrace
from models.loading import Model
from models.measures import agreement
from models.measuring import gradients
from models.questions import ask
from models.results import Sentence
from tests.unit.test_looking import HIDDEN, TEXT
from tests.unit.tracing_models import FAMILIES, SEQ2SEQ, shared

KINDS = ("bert", "gpt", "seq")
SIDES = {"bert": ("input_ids",), "gpt": ("input_ids",), "seq": ("input_ids", "decoder_input_ids")}
LATE = Sentence(TEXT, ((42, 45),))  # "cat": a model that reads from the left has words before it


@pytest.mark.parametrize("kind", KINDS)
def test_they_add_up_to_the_difference(kinds: dict[str, Model], kind: str) -> None:
    found = models.attributions(kinds[kind], LATE)
    assert tuple(found.values) == SIDES[kind]
    total = sum(np.nansum(one) for one in found.values.values())
    assert total == pytest.approx(found.original - found.baseline + found.error)
    assert abs(found.error) < 0.02 * max(1.0, abs(found.original - found.baseline))
    (blank,) = models.predict(kinds[kind], LATE).blanks
    assert np.exp(found.original) == pytest.approx(blank.original_probability, rel=1e-4)
    assert found.mean_baseline == (kind == "gpt")


@pytest.mark.parametrize("kind", KINDS)
def test_they_are_the_integral_done_by_hand(kinds: dict[str, Model], kind: str) -> None:
    model = kinds[kind]
    question, found = ask(model, LATE), models.attributions(model, LATE)
    words = {name: torch.tensor(np.isfinite(one)) for name, one in found.values.items()}
    ends, starts = gradients._ends(model, question, words)
    middles = (torch.arange(200)[:, None, None] + 0.5) / 200
    at = tuple((a + middles * (b - a)).requires_grad_() for a, b in zip(starts, ends, strict=True))
    gradients._answer(model, question, found.answer, at, None).sum().backward()
    sums = [one.grad.mean(0) for one in at]
    for value, slope, a, b in zip(found.values.values(), sums, starts, ends, strict=True):
        by_hand = (slope * (b - a)).sum(-1)[0].numpy()
        assert np.nan_to_num(value) == pytest.approx(by_hand, abs=0.02)


def test_special_tokens_and_masks_have_none(kinds: dict[str, Model]) -> None:
    (values,) = models.attributions(kinds["bert"], HIDDEN).values.values()
    assert np.isnan(values[[0, 2, -1]]).all()
    assert np.isfinite(values).sum() == len(values) - 3


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_reads_the_vectors_put_in(family: str) -> None:
    network = shared(family).network
    ids = {"input_ids": torch.tensor([[2, 7, 9, 3]])}
    if family in SEQ2SEQ:
        ids["decoder_input_ids"] = torch.tensor([[2, 8, 6]])
    vectors = [looked_up(network, each, side) for side, each in enumerate(ids.values())]
    with torch.no_grad():
        plain = network(**ids).logits
        with Embedded(network, vectors) as same:
            given = network(**ids).logits
        others = [torch.roll(each, 1, dims=1) for each in vectors]
        with Embedded(network, others):
            moved = network(**ids).logits
    assert same.done
    assert torch.equal(plain, given)
    assert not torch.allclose(plain, moved, atol=1e-3)


def test_another_thread_reads_its_own(kinds: dict[str, Model]) -> None:
    from concurrent.futures import ThreadPoolExecutor

    network = kinds["bert"].network
    ids = torch.tensor([[3, 8, 9, 4]])
    plain = network(input_ids=ids).logits
    nothing = torch.zeros(1, 4, word_tables(network)[0].shape[1])
    with ThreadPoolExecutor(1) as pool, Embedded(network, [nothing]):
        other = pool.submit(lambda: network(input_ids=ids).logits).result()
    assert torch.equal(plain, other)


def test_the_third_opinion_ranks_the_edges_of_words(kinds: dict[str, Model]) -> None:
    model = kinds["bert"]
    attribution = models.attributions(model, HIDDEN)
    found = models.at_blank(model, HIDDEN, 1, attribution=attribution)
    (values,) = attribution.values.values()
    words = np.isfinite(values)
    each = np.tile(values[words], (len(found.weights), 1))
    assert found.third.attention == pytest.approx(agreement(found.weights[:, words], each))
    assert found.third.effects == pytest.approx(agreement(abs(found.effects[:, words]), each))
    assert found.third.elsewhere == pytest.approx(0)
    assert models.at_blank(model, HIDDEN, 1).third is None


def test_of_an_encoder_decoder_each_side_has_its_own(kinds: dict[str, Model]) -> None:
    model = kinds["seq"]
    attribution = models.attributions(model, LATE)
    source, prefix = attribution.values.values()
    own = models.at_blank(model, LATE, 0, attribution=attribution)
    cross = models.at_blank(model, LATE, 0, kind="cross", attribution=attribution)
    assert (own.kind, cross.kind) == ("decoder", "cross")
    assert len(own.keys) == len(prefix)
    assert len(cross.keys) == len(source)
    assert own.third.elsewhere == pytest.approx(np.nansum(source))
    assert cross.third.elsewhere == pytest.approx(np.nansum(prefix))


def test_a_blank_with_nothing_before_it_has_no_opinion(kinds: dict[str, Model]) -> None:
    first = Sentence(TEXT, ((0, 3),))
    attribution = models.attributions(kinds["gpt"], first)
    found = models.at_blank(kinds["gpt"], first, 0, attribution=attribution)
    assert np.isnan(found.third.attention)


def test_elmo_is_refused(kinds: dict[str, Model]) -> None:
    with pytest.raises(CannotTrace):
        models.attributions(kinds["elmo"], HIDDEN)


def test_a_cancelled_visitor_is_not_computed_for(kinds: dict[str, Model]) -> None:
    left = iter(range(8))

    def check() -> None:
        if next(left, None) is None:
            raise models.Cancelled

    with pytest.raises(models.Cancelled):
        models.attributions(kinds["bert"], HIDDEN, check=check)
    assert models.attributions(kinds["bert"], HIDDEN).steps == 64


def test_gradients_reach_no_parameter(kinds: dict[str, Model]) -> None:
    models.attributions(kinds["bert"], HIDDEN)
    assert all(parameter.grad is None for parameter in kinds["bert"].network.parameters())
    assert not any(p.requires_grad for p in kinds["bert"].network.parameters())
