"""The measures meet models: what is asked, what is exactly zero, and agreement with slower ways."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models import measures, measuring
from models.assembly import CannotTrace
from models.interventions import CutEdges, NoFeedForward, SilenceHeads
from models.questions import ask, ask_for_every_token
from models.results import Sentence
from models.tracing import trace
from tests.unit.tracing_models import (
    CAUSAL,
    CONFIGS,
    FAMILIES,
    OUTSIDE,
    SEQ2SEQ,
    SIZE,
    TEXT,
    build_network,
    shared,
)

CLOSE = {"atol": 1e-5, "rtol": 1e-4}
COUNTS = np.arange(SIZE) % 7 + 1
HIDDEN = Sentence(TEXT, ((8, 11), (19, 22)))  # the cat ___ on the ___ mat .
MASKED = tuple(f for f in FAMILIES if CONFIGS[f][0] == "masked")


def answer(family: str, question) -> np.ndarray:
    """Log-probabilities at the blank, from plain eager code."""
    with torch.inference_mode():
        logits = build_network(family)(**question.tensors).logits[0, question.position]
    return logits.double().log_softmax(-1).numpy()


# --- questions


def test_a_masked_model_reads_both_sides():
    question = ask(shared("bert"), HIDDEN, blank=1)
    assert question.tensors["input_ids"][0].tolist().count(4) == 2
    assert question.tensors["input_ids"][0, question.position] == 4
    assert question.original == shared("bert").tokenizer.convert_tokens_to_ids("old")
    assert [
        TEXT[a:b] for a, b in (w.span for w in question.words)
    ] == "the cat on the mat .".split()


def test_a_causal_model_reads_the_left_with_its_own_guesses():
    model = shared("gpt2")
    first, second = ask(model, HIDDEN), ask(model, HIDDEN, blank=1)
    assert first.tensors["input_ids"].shape == (1, 3)  # start, the, cat
    assert second.tensors["input_ids"].shape == (1, 6)
    likely = answer("gpt2", first)
    likely[~model.vocabulary.is_word] = -np.inf
    assert {blank: word.token_id for blank, word in second.guesses.items()} == {0: likely.argmax()}
    assert second.tensors["input_ids"][0, 3] == likely.argmax()
    read = {TEXT[w.span[0] : w.span[1]]: bool(w.places) for w in second.words if w.span[0] > 3}
    assert read == {"cat": True, "on": True, "the": True, "mat": False, ".": False}


def test_an_encoder_decoder_reads_the_masked_source_and_the_true_left_words():
    model = shared("bart")
    question = ask(model, HIDDEN, blank=1)
    assert question.tensors["input_ids"][0].tolist().count(4) == 2
    left = model.tokenizer.convert_ids_to_tokens(question.tensors["decoder_input_ids"][0].tolist())
    guess = model.tokenizer.convert_ids_to_tokens(question.guesses[0].token_id)
    assert left == ["[CLS]", "the", "cat", guess, "on", "the"]  # a hidden word is hidden from it
    assert question.position == 5
    places = {TEXT[w.span[0] : w.span[1]]: w.places for w in question.words}
    assert places["cat"] == ((("input_ids", 1), ("decoder_input_ids", 2)),)
    assert places["mat"] == ((("input_ids", 6),),)
    source, prefix = (ask(model, HIDDEN, 1, view).words[1].places for view in ("source", "prefix"))
    assert source + prefix == ((("input_ids", 1),), (("decoder_input_ids", 2),))


def test_a_typed_blank_before_the_focus_is_guessed_by_an_encoder_decoder():
    question = ask(shared("bart"), Sentence("the [MASK] sat on [MASK]"), blank=1)
    assert len(question.guesses) == 1
    assert question.tensors["decoder_input_ids"].shape == (1, 5)
    assert question.original is None


def test_a_blank_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="blank 2 of 2"):
        ask(shared("bert"), HIDDEN, blank=2)


# --- influence and visibility


@pytest.mark.parametrize("family", ["bert", "gpt2", "marian", "modernbert", "bert-decoder"])
def test_influence_by_hand(family):
    model = shared(family)
    found = measuring.influence(model, HIDDEN, COUNTS, blank=1, substitutes=3)
    question = ask(model, HIDDEN, blank=1)
    assert found.words == tuple(w.span for w in question.words)
    original = np.exp(answer(family, question))
    for value, word in zip(found.values, question.words, strict=True):
        if not word.places:  # to the right of the blank, where a causal model does not look
            assert value == 0
            continue
        counts = COUNTS * model.vocabulary.is_word
        begins, kinds = np.zeros(SIZE, bool), np.arange(SIZE) // (SIZE - 1)  # "." comes last
        drawn = measures.draw_substitutes(np.array(word.ids), counts, begins, kinds, 3)
        by_hand = []
        for ids in drawn:
            tensors = {name: tensor.clone() for name, tensor in question.tensors.items()}
            for id_, places in zip(ids, word.places, strict=True):
                for name, position in places:
                    assert tensors[name][0, position] == word.ids[0]
                    tensors[name][0, position] = id_
            changed = type(question)(tensors, question.position, (), None, {})
            by_hand.append(measures.jensen_shannon_bits(original, np.exp(answer(family, changed))))
        assert value == pytest.approx(np.mean(by_hand), abs=1e-6)
    assert (found.values > 0).any()


@pytest.mark.parametrize("family", [f for f in CAUSAL if f != "mistral"])
def test_a_causal_model_sees_nothing_ahead_to_the_bit(family):
    seen = measuring.visibility(shared(family), TEXT, COUNTS).values
    position, word = np.indices(seen.shape)
    ahead = position <= word  # the start token is position 0, word j stands at position j + 1
    assert (seen[ahead] == 0).all()
    assert (seen[~ahead] > 0).all()


@pytest.mark.parametrize("family", ["bert", "albert", "t5"])
def test_a_bidirectional_model_sees_everything(family):
    assert (measuring.visibility(shared(family), TEXT, COUNTS).values > 0).all()


def test_visibility_in_batches_equals_visibility_at_once(monkeypatch):
    whole = measuring.visibility(shared("gpt2"), TEXT, COUNTS).values
    monkeypatch.setattr("models.runs.BATCH_TOKENS", 30)
    pieces = measuring.visibility(shared("gpt2"), TEXT, COUNTS).values
    np.testing.assert_allclose(whole, pieces, **CLOSE)
    assert ((whole == 0) == (pieces == 0)).all()


# --- effects


@pytest.mark.parametrize("family", ["bert", "albert", "gpt2", "bert-decoder", "t5", "bart"])
def test_effects_equal_one_trace_each(family):
    model = shared(family)
    question = ask(model, HIDDEN, blank=1)
    stack = "encoder" if family in MASKED else "decoder"
    plain = answer(family, question)

    def traced(edit) -> float:
        text, target = (HIDDEN, None)
        if stack == "decoder" and family not in SEQ2SEQ:
            ids = question.tensors["input_ids"][0, 1:].tolist()
            text = " ".join(model.tokenizer.convert_ids_to_tokens(ids))
        if family in SEQ2SEQ:
            ids = question.tensors["decoder_input_ids"][0, 1:].tolist()
            target = " ".join(model.tokenizer.convert_ids_to_tokens(ids))
        seen = trace(model, text, record="logits", interventions=[edit], target=target)
        logits = torch.tensor(seen.logits[question.position]).double()
        return float(logits.log_softmax(-1)[question.original] - plain[question.original])

    heads = measuring.head_effects(model, HIDDEN, blank=1)
    assert heads.answer == question.original
    assert heads.values[1, 1] == pytest.approx(traced(SilenceHeads(1, (1,), stack)), abs=1e-5)
    networks = measuring.ffn_effects(model, HIDDEN, blank=1)
    assert networks.values[1] == pytest.approx(traced(NoFeedForward((1,), stack)), abs=1e-5)
    edges = measuring.edge_effects(model, HIDDEN, layer=0, blank=1)
    cut = CutEdges(0, ((question.position, 2),), (1,), stack)
    assert edges.values[1, 2] == pytest.approx(traced(cut), abs=1e-5)
    assert abs(heads.values).max() > 1e-3
    assert abs(edges.values).max() > 1e-4


def test_cross_attention_has_effects_too():
    model = shared("marian")
    heads = measuring.head_effects(model, HIDDEN, attention="cross")
    edges = measuring.edge_effects(model, HIDDEN, layer=2, attention="cross")
    assert heads.values.shape == (3, 2)
    assert edges.values.shape == (2, 9)  # the source's keys
    assert abs(edges.values).max() > 1e-5


def test_without_an_original_the_top_answer_is_followed():
    found = measuring.head_effects(shared("bert"), Sentence("the cat [MASK] on the mat"))
    question = ask(shared("bert"), Sentence("the cat [MASK] on the mat"))
    assert found.answer == answer("bert", question).argmax()


def test_agreement_by_hand():
    model = shared("gpt2")
    question = ask(model, HIDDEN)
    edges = measuring.edge_effects(model, HIDDEN, layer=1)
    seen = trace(model, "the cat")
    row = seen.decoder.attention[1]["weights"][:, question.position]
    found = measuring.agreement(model, HIDDEN, layer=1)
    assert found.values == pytest.approx(measures.agreement(row, edges.values), abs=1e-6)
    assert -1 <= found.values <= 1


@pytest.mark.parametrize("family", OUTSIDE)
def test_families_outside_refuse_what_they_cannot_show(family):
    for measure in (measuring.head_effects, measuring.ffn_effects, measuring.lens):
        with pytest.raises(CannotTrace):
            measure(shared(family), HIDDEN)


# --- lens, rollout, statistics, surprisal


@pytest.mark.parametrize("family", FAMILIES)
def test_the_last_lens_layer_is_the_models_own_answer(family):
    found = measuring.lens(shared(family), HIDDEN, blank=1)
    question = ask(shared(family), HIDDEN, blank=1)
    np.testing.assert_allclose(found.values[-1], np.exp(answer(family, question)), **CLOSE)
    np.testing.assert_allclose(found.values.sum(-1), 1, atol=1e-9)
    assert len(found.values) == trace(shared(family), TEXT, target="").stack.depth + 1
    assert abs(found.values[0] - found.values[-1]).max() > 1e-2


@pytest.mark.parametrize("family", ["bert", "gpt2", "marian"])
def test_rollout_of_a_model(family):
    found = measuring.rollout(shared(family), TEXT)
    np.testing.assert_allclose(found.values.sum(-1), 1, atol=1e-6)
    ahead = np.triu(np.ones(found.values.shape[1:], bool), 1)
    assert (found.values[:, ahead] == 0).all() == (family == "gpt2")


def test_head_statistics_of_a_model():
    found = measuring.head_statistics(shared("bert"), TEXT)
    assert found.values.shape == (len(measures.STATISTICS), 3, 4)
    weights = trace(shared("bert"), TEXT).encoder.weights()
    diagonal = np.diagonal(weights, axis1=-2, axis2=-1).mean(-1)
    np.testing.assert_allclose(
        found.values[measures.STATISTICS.index("diagonal")], diagonal, **CLOSE
    )
    assert np.isfinite(found.values).all()  # "the" comes twice


def test_surprisal_of_a_causal_model_reads_the_left():
    found = measuring.surprisal(shared("gpt2"), TEXT)
    seen = trace(shared("gpt2"), TEXT, record="logits")
    log_p = torch.tensor(seen.logits).double().log_softmax(-1).numpy()
    ids = [t.id for t in seen.decoder.tokens]
    by_hand = [-log_p[i - 1, ids[i]] / np.log(2) for i in range(1, len(ids))]
    np.testing.assert_allclose(found.values[0], by_hand, **CLOSE)
    np.testing.assert_allclose(found.values[1], measures.entropy_bits(np.exp(log_p[:-1])), **CLOSE)
    assert [TEXT[a:b] for a, b in found.words] == TEXT.split()


def test_surprisal_of_a_masked_model_hides_one_word_at_a_time():
    found = measuring.surprisal(shared("bert"), TEXT)
    assert found.values.shape == (2, len(TEXT.split()))
    question = ask(shared("bert"), Sentence(TEXT, ((8, 11),)))
    expected = -answer("bert", question)[question.original] / np.log(2)
    assert found.values[0, 2] == pytest.approx(expected, abs=1e-5)


def test_surprisal_of_an_encoder_decoder_is_that_of_the_target():
    found = measuring.surprisal(shared("t5"), TEXT, target="a dog ran")
    assert found.values.shape == (2, 3)
    assert len(ask_for_every_token(shared("t5"), TEXT, "a dog ran")) == 1


def test_every_measure_says_where_it_comes_from():
    model = shared("bert")
    for found in (
        measuring.influence(model, HIDDEN, COUNTS), measuring.visibility(model, TEXT, COUNTS),
        measuring.lens(model, HIDDEN), measuring.rollout(model, TEXT),
        measuring.head_statistics(model, TEXT), measuring.head_effects(model, HIDDEN),
        measuring.edge_effects(model, HIDDEN, 0), measuring.ffn_effects(model, HIDDEN),
        measuring.agreement(model, HIDDEN, 0), measuring.surprisal(model, TEXT),
    ):  # fmt: skip
        assert found.provenance is model.provenance
        assert "from_pretrained" in found.snippet
        assert found.name in dir(measuring)
