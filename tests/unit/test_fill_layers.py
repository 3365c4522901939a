"""Lens, head and loss: the answer from inside, on tiny real models."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from transformers.activations import ACT2FN

import models
from models.answers import Standing
from models.errors import CannotTrace
from models.families import anatomy
from models.interventions import BypassHead
from models.loading import Model
from models.prediction import predict
from models.results import Sentence
from models.tracing import trace
from tests.unit.masked_by_hand import BLANKS, MASKED
from tests.unit.tracing_models import CONFIGS, OUTSIDE, TEXT, shared

# --- lens and head


@pytest.mark.parametrize("family", MASKED)
def test_the_lens_ends_in_the_prediction(family: str) -> None:
    model, sentence = shared(family), Sentence(TEXT, ((8, 11),))
    found = models.lens(model, sentence, top_k=5)
    (blank,) = predict(model, sentence, top_k=5).blanks
    last = found.layers[-1]
    assert [c.token_id for c in last.best] == [c.token_id for c in blank.candidates]
    assert last.original_rank == blank.original_rank
    assert last.original_probability == pytest.approx(blank.original_probability, abs=1e-5)
    assert last.entropy_bits == pytest.approx(blank.entropy_bits, abs=1e-4)
    assert found.original == "sat"
    assert len(found.layers) == model.network.config.num_hidden_layers + 1
    assert all(len(layer.best) == 5 and layer.original_rank for layer in found.layers)
    assert models.lens(model, Sentence("a [MASK]")).layers[0].original_rank is None


@pytest.mark.parametrize("family", ["bert", "albert"])
def test_the_final_answer_is_followed_through_the_layers(family: str) -> None:
    model = shared(family)
    found = models.lens(model, Sentence("a [MASK]"), top_k=30)
    best = found.layers[-1].best[0]
    assert found.final[-1] == Standing(1, pytest.approx(best.probability))
    for layer, standing in zip(found.layers, found.final, strict=True):
        ids = [each.token_id for each in layer.best]
        if best.token_id in ids:  # else it is below the thirty best
            place = ids.index(best.token_id)
            assert standing.probability == layer.best[place].probability
            assert standing.rank == place + 1
        else:
            assert standing.rank > 30


@pytest.mark.parametrize("family", MASKED)
def test_the_head_step_by_step_is_the_models_own(family: str) -> None:
    model, sentence = shared(family), Sentence(TEXT, ((8, 11),))
    found = models.head_steps(model, sentence, top_k=5)
    lens = models.lens(model, sentence, top_k=5)
    network = model.network
    last = len(lens.layers) - 1
    assert found.layer == last
    for layer in range(last + 1):
        steps = models.head_steps(model, sentence, layer=layer)
        assert [c.token_id for c in steps.answer.best] == [
            c.token_id for c in lens.layers[layer].best
        ]
        assert steps.answer.original_probability == pytest.approx(
            lens.layers[layer].original_probability, abs=1e-5
        )
    # Each step from the one before it, by formula.
    dense, norm = (network.get_submodule(n) for n in anatomy(network.config).transform)
    with torch.inference_mode():
        by_hand = dense(torch.tensor(found.hidden))
        np.testing.assert_allclose(found.dense, by_hand, atol=1e-5)
        act = network.config.to_dict().get("hidden_act") or "gelu"
        if family == "modernbert":
            act = network.config.classifier_activation
        np.testing.assert_allclose(found.activation, ACT2FN[act](by_hand), atol=1e-5)
        normed = norm(torch.tensor(found.activation))
        np.testing.assert_allclose(found.layer_norm, normed, atol=1e-5)
        output = network.get_output_embeddings()
        logits = output.weight @ normed + output.bias
        np.testing.assert_allclose(found.logits, logits, atol=1e-4)


@pytest.mark.parametrize("family", MASKED)
def test_without_the_transform_equals_the_bypass_of_a_trace(family: str) -> None:
    model, sentence = shared(family), Sentence(TEXT, ((8, 11),))
    if family == "albert":  # its head changes the width
        found = models.head_steps(model, sentence)
        assert found.without is None and found.without_logits is None
        assert found.best_without is None
        return
    seen = trace(model, sentence, "logits", interventions=[BypassHead()])
    found = models.head_steps(model, sentence)
    np.testing.assert_allclose(found.without_logits, seen.logits[3], atol=1e-4)
    assert found.without.original_rank is not None
    best = found.answer.best[0].token_id
    assert found.best_without.rank == 1 + sum(
        found.without_logits[model.vocabulary.is_word] > found.without_logits[best]
    )
    assert abs(found.without_logits - found.logits).max() > 1e-3
    after = models.head_steps(model, sentence)
    np.testing.assert_array_equal(after.logits, found.logits)  # nothing was left behind


@pytest.mark.parametrize("family", [f for f in OUTSIDE if CONFIGS[f][0] == "masked"])
def test_unknown_families_still_answer_what_needs_no_map(family: str) -> None:
    model = shared(family)
    assert models.fill_jointly(model, Sentence(BLANKS)).joint.words
    assert models.pseudo_perplexity(model, TEXT).pieces == 8
    assert models.corrupt(model, TEXT).loss > 0
    for ask in (models.lens, models.head_steps):
        with pytest.raises(CannotTrace):
            ask(model, Sentence(BLANKS))


def test_there_must_be_such_a_layer() -> None:
    with pytest.raises(ValueError, match="layer 4 of 3"):
        models.head_steps(shared("bert"), Sentence(BLANKS), layer=4)


# --- the loss


@pytest.mark.parametrize("family", MASKED)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_loss_is_that_of_the_models_own_code(family: str, seed: int) -> None:
    model = shared(family)
    found = models.corrupt(model, TEXT, seed=seed, rate=0.5)
    ids = [token.id for token in found.tokens]
    labels = [-100] * len(ids)
    for one in found.selected:
        labels[one.token] = ids[one.token]
        shown = model.tokenizer.convert_tokens_to_ids(one.shown)
        assert (one.fate == "masked") == (one.shown == "[MASK]")
        ids[one.token] = shown
    with torch.inference_mode():
        loss = model.network(torch.tensor([ids]), labels=torch.tensor([labels])).loss
    assert found.loss == pytest.approx(float(loss), abs=1e-5)
    assert found.loss == pytest.approx(np.mean([one.nats for one in found.selected]))
    assert found.total == pytest.approx(sum(one.nats for one in found.selected))
    for one in found.selected:
        assert one.answer.original_probability == pytest.approx(np.exp(-one.nats))
        assert one.answer.original_rank >= 1 and len(one.answer.best) == 5
    assert models.corrupt(model, TEXT, seed=seed, rate=0.5) == found


def test_only_words_are_selected(tiny_bert: Model) -> None:
    found = models.corrupt(tiny_bert, "the \u2603 [MASK] sat", rate=1.0)
    assert [found.tokens[one.token].text for one in found.selected] == ["the", "sat"]
    nothing = models.corrupt(tiny_bert, "\u2603 [MASK]")
    assert (nothing.selected, nothing.loss, nothing.total) == ((), None, 0)
