"""Long texts: what they cost, their parts, one layer at a time, blocks whose peaks stay visible."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import models
from models import costs, maps
from models.catalog import folder
from models.heads import TrainedOn
from models.loading import Model
from models.measures.weights import averaged, pooled
from models.results import Sentence
from models.traces import Record
from models.tracing import trace
from models.trained import longest, trained_on
from models.training.recipe import Recipe

TEXT = "the cat was walking on the mat, the cat in the garden"
HIDDEN = Sentence(TEXT, ((4, 7),))


@given(arrays(np.float32, (7, 5), elements=st.floats(0, 1, width=32)), st.integers(1, 4))
def test_a_block_is_also_the_mean_of_the_weights_that_it_has(
    weights: np.ndarray, side: int
) -> None:
    small = averaged(weights, side)
    assert small.shape == pooled(weights, side).shape
    for i in range(small.shape[0]):
        for j in range(small.shape[1]):
            block = weights[i * side : (i + 1) * side, j * side : (j + 1) * side]
            assert small[i, j] == pytest.approx(block.mean(dtype=float), abs=1e-7)


def test_a_peak_stays_visible_in_both_and_is_itself_in_one(
    kinds: dict[str, Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maps, "MOST_CELLS", 5)
    monkeypatch.setattr(maps, "MOST_BLOCKS", 5)
    look = models.all_heads(kinds["bert"], HIDDEN)
    true = trace(kinds["bert"], HIDDEN).encoder.weights()
    largest = look.levels * look.scales[..., None]
    assert largest.max(axis=(2, 3)) == pytest.approx(true.max(axis=(2, 3)), rel=1e-5)
    assert look.means is not None and look.mean_scales is not None
    means = look.means * look.mean_scales[..., None]
    block = true[..., : look.block, : look.block].mean(axis=(2, 3), dtype=float)
    assert means[..., 0, 0] == pytest.approx(block, abs=float(means.max()) / 500)
    assert (means <= largest + largest.max() / 250).all()


def test_short_texts_have_a_cell_for_each_weight_and_no_means(kinds: dict[str, Model]) -> None:
    look = models.all_heads(kinds["bert"], HIDDEN)
    assert (look.block, look.means) == (1, None)


@pytest.mark.parametrize("family", ["bert", "gpt", "seq"])
def test_layers_are_looked_at_one_by_one_and_not_kept(kinds: dict[str, Model], family: str) -> None:
    found: dict[tuple[str, int], np.ndarray] = {}
    model = kinds[family]
    seen = trace(
        model, HIDDEN, Record("weights"), target=TEXT if family == "seq" else None,
        each=lambda kind, layer, weights: found.update({(kind, layer): weights}),
    )  # fmt: skip
    stacks = [stack for stack in (seen.encoder, seen.decoder) if stack]
    assert all(not stack.attention and not stack.cross for stack in stacks)
    kept = trace(model, HIDDEN, "weights", target=seen.target)
    assert {kind for kind, _ in found} == set(maps.kinds(model))
    for (kind, layer), weights in found.items():
        assert (weights == kept.attention(kind, layer)["weights"]).all()


@pytest.mark.parametrize("layer", [0, 1])
def test_one_layer_has_every_weight(kinds: dict[str, Model], layer: int) -> None:
    look = models.all_heads(kinds["gpt"], HIDDEN)
    found = models.one_layer(kinds["gpt"], look.reads, look.kind, layer)
    true = trace(kinds["gpt"], HIDDEN).decoder.attention[layer]["weights"]
    error = abs(found.levels * found.scales[..., None].astype(float) - true)
    assert (error <= true.max(axis=-1, keepdims=True) / 510 * (1 + 1e-4)).all()
    assert len(found.keys) == true.shape[-1]
    assert f"layer = {layer}" in found.snippet


def test_what_bertviz_gets_is_the_trace(kinds: dict[str, Model]) -> None:
    look = models.all_heads(kinds["seq"], HIDDEN, kind="cross")
    found = models.vectors(kinds["seq"], look.reads, "cross", with_vectors=True)
    seen = trace(kinds["seq"], HIDDEN, ("weights", "query", "key"), target=look.reads.target)
    assert (found.weights == seen.decoder.weights(cross=True)).all()
    assert found.query_vectors is not None and found.key_vectors is not None
    for layer in range(len(found.weights)):
        one = seen.attention("cross", layer)
        assert (found.query_vectors[layer] == one["query"]).all()
        assert (found.key_vectors[layer] == one["key"]).all()
    assert models.vectors(kinds["seq"], look.reads, "cross").query_vectors is None


def test_the_bytes_that_were_told_are_those_that_are_sent(tiny_bert: Model) -> None:
    sentence = Sentence(" ".join(["cat", "dog", "mat"] * 20))
    look = models.all_heads(tiny_bert, sentence)
    tokens = len(look.keys)
    told = costs.cost(tiny_bert, tokens)
    head = models.one_head(tiny_bert, look.reads, look.kind, [(0, 0)])
    numbers = look.levels.nbytes + look.scales.nbytes + head.weights.nbytes
    assert told.sent == numbers + costs.PAGE + costs.PER_TOKEN * tokens
    layer = models.one_layer(tiny_bert, look.reads, look.kind, 0)
    assert told.layer == layer.levels.nbytes + layer.scales.nbytes + costs.PER_TOKEN * tokens


def test_longer_costs_more_and_a_larger_model_too(tiny_bert: Model, tiny_roberta: Model) -> None:
    short, long = costs.cost(tiny_bert, 16), costs.cost(tiny_bert, 64)
    assert (short.seconds, short.memory) < (long.seconds, long.memory)
    assert costs.cost(tiny_roberta, 64).sent < long.sent, "it has one layer of two"


def test_as_much_is_looked_at_as_the_limits_allow(
    tiny_bert: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert costs.affordable(tiny_bert) == tiny_bert.max_tokens
    monkeypatch.setattr(costs, "MOST_SENT", costs.cost(tiny_bert, 40).sent)
    assert costs.affordable(tiny_bert) == 40
    size = models.text_size(tiny_bert, Sentence("cat " * 100))
    assert (size.tokens, size.added, size.most, size.cost.tokens) == (102, 2, 40, 40)


def test_a_part_has_the_same_tokens_and_keeps_what_is_hidden(tiny_bert: Model) -> None:
    text = "the cat sat on the mat, and the unhappy dog was walking in the garden in paris"
    start = text.index("dog")
    sentence = Sentence(text, ((4, 7), (start, start + 3)))
    whole = trace(tiny_bert, text).encoder.tokens
    first, last = 7, 13
    part = models.part_of(tiny_bert, sentence, first, last)
    inside = trace(tiny_bert, part.text).encoder.tokens
    assert [t.id for t in inside[1:-1]] == [t.id for t in whole[1:-1]][first : last + 1]
    assert [part.text[a:b] for a, b in part.hidden] == ["dog"], "the cat is not in this part"


def test_a_part_begins_with_a_word(tiny_bert: Model) -> None:
    text = "the unhappy dog"
    tokens = [token.text for token in trace(tiny_bert, text).encoder.tokens[1:-1]]
    assert tokens[:3] == ["the", "un", "happy"]
    assert models.part_of(tiny_bert, Sentence(text), 2, 3).text == "unhappy dog"


@pytest.mark.parametrize(("first", "last"), [(-5, 2), (50, 90), (3, 1)])
def test_any_window_is_some_part(tiny_bert: Model, first: int, last: int) -> None:
    assert models.part_of(tiny_bert, Sentence(TEXT), first, last).text in TEXT
    assert models.part_of(tiny_bert, Sentence(""), first, last).text == ""


def test_the_longest_text_of_a_recipe() -> None:
    recipe = Recipe("x", short=0.5, block=0.4, long=0.1)
    assert longest(recipe, 100) == TrainedOn(512, pytest.approx(0.1), 128)


def test_stages_count_by_what_was_read_in_them() -> None:
    later = ((75, (("short", 1.0), ("block", 0.0), ("long", 0.0))),)
    recipe = Recipe("x", short=0.5, block=0.4, long=0.1, later=later)
    found = longest(recipe, 100)
    assert found is not None
    assert (found.tokens, found.share) == (512, pytest.approx(0.075))
    never = longest(replace(recipe, long=0.0), 100)
    assert never is not None
    assert (never.tokens, never.next_longest) == (128, recipe.longest)
    assert longest(replace(recipe, objective="translation"), 100) is None


@pytest.mark.parametrize("name", ["bert-en", "bert-s-en"])
def test_it_is_read_from_what_lies_beside_the_weights(name: str) -> None:
    file = folder(name) / "training.json"
    long = json.loads(file.read_text(encoding="utf-8"))["recipe"]["long"]
    found = trained_on(name)
    assert found is not None
    assert found.tokens == (512 if long else 128)


def test_of_a_stranger_s_model_nothing_is_known() -> None:
    assert trained_on("dir:somewhere") is None
