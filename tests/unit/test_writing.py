"""Encoder-decoders write as `generate` does; where they looked, and what a given target costs."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

import models
from models.generated import Lengths
from models.generating.decoder import decoder_of
from models.generating.writing import source_of, start_of
from models.loading import Model, open_model
from models.results import Sentence
from tests.unit.kinds import wordpieces
from tests.unit.test_generating import run

TEXT = Sentence("the cat sat on the mat", ((4, 7),))


@pytest.fixture(scope="module")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """Deeper on one side than on the other, with position biases, and no start token of its own."""
    folder = tmp_path_factory.mktemp("t5")
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=wordpieces().backend_tokenizer, pad_token="[PAD]", unk_token="[UNK]",
        eos_token="[SEP]",
    )  # fmt: skip
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=len(tokenizer), d_model=16, d_kv=4, d_ff=24, num_layers=2, num_heads=4,
        num_decoder_layers=3, decoder_start_token_id=0, pad_token_id=0, eos_token_id=4,
        initializer_factor=1.0,
    )  # fmt: skip
    T5ForConditionalGeneration(config).save_pretrained(folder)
    return open_model("t5", folder)


@pytest.fixture(params=["seq", "translator", "t5"])
def writer(request: pytest.FixtureRequest, kinds: dict[str, Model]) -> Model:
    """A model that mends a text, the same as if it had learned to translate, and a T5."""
    if request.param == "t5":
        model: Model = request.getfixturevalue("t5")
        return model
    objective = "denoising" if request.param == "seq" else "translation"
    return replace(kinds["seq"], objective=objective)


def test_it_writes_what_generate_writes(writer: Model) -> None:
    found = models.write(writer, TEXT)
    source = source_of(writer, TEXT).tensors
    theirs = writer.network.generate(
        **source, do_sample=False, num_beams=1, max_new_tokens=64, use_cache=False
    )[0, 1:]
    assert [step.token.id for step in found.steps] == theirs[: len(found.steps)].tolist()
    assert found.ended == (found.steps[-1].token.id in (3, 4))
    for step in found.steps:
        best = step.candidates[0]
        assert (best.token_id, step.token.rank) == (step.token.id, 1)
        assert best.probability == pytest.approx(2 ** -(step.token.bits or 0), rel=1e-4)


def test_where_it_looked_is_where_the_network_looks(writer: Model) -> None:
    found = models.write(writer, TEXT)
    ids = [start_of(writer), *(step.token.id for step in found.steps[:-1])]
    source = source_of(writer, TEXT)
    writer.network.set_attn_implementation("eager")
    try:
        output = writer.network(
            **source.tensors, decoder_input_ids=torch.tensor([ids]), output_attentions=True
        )
    finally:
        writer.network.set_attn_implementation("traced")
    expected = torch.cat(output.cross_attentions).detach().numpy()
    assert found.cross.shape == expected.shape
    assert found.cross.shape[2:] == (len(found.steps), len(found.source))
    assert found.cross == pytest.approx(expected, abs=1e-5)
    assert np.allclose(found.cross.sum(-1), 1, atol=1e-5)


def test_reading_on_is_reading_again(writer: Model) -> None:
    source, ids = source_of(writer, TEXT).tensors, torch.tensor([[start_of(writer), 7, 9, 8]])
    whole = writer.network(**source, decoder_input_ids=ids, use_cache=False).logits[0]
    decoder = decoder_of(writer, source)
    parts = torch.cat([decoder.read(ids[:, :2]), decoder.read(ids[:, 2:])], dim=1)[0]
    assert parts == pytest.approx(whole, abs=1e-4)


def test_a_hidden_word_is_a_mask_only_to_what_mends(writer: Model) -> None:
    texts = [token.text for token in models.write(writer, TEXT).source]
    mends = writer.objective == "denoising" and writer.reader.mask_id is not None
    assert ("[MASK]" in texts) == mends
    assert ("cat" in texts) != mends


def test_its_own_text_forced_is_what_it_would_write(writer: Model) -> None:
    found = models.write(writer, TEXT)
    again = models.force(writer, TEXT, found.text)
    ids = [step.token.id for step in again.steps]
    if ids == [step.token.id for step in found.steps]:  # the text spells the same tokens again
        assert all(step.agrees for step in again.steps)
        assert again.log_p == pytest.approx(found.log_p, abs=1e-3)


def test_a_given_target_costs_what_the_network_says(writer: Model) -> None:
    found = models.force(writer, TEXT, "she is happy")
    ids = [step.token.id for step in found.steps]
    source = source_of(writer, TEXT).tensors
    given = torch.tensor([[start_of(writer), *ids[:-1]]])
    log_p = writer.network(**source, decoder_input_ids=given).logits[0].double().log_softmax(-1)
    assert found.log_p == pytest.approx(float(log_p[range(len(ids)), ids].sum()), abs=1e-3)
    assert [step.guess.token_id for step in found.steps] == log_p.argmax(-1).tolist()
    assert [step.token.text.strip() for step in found.steps[-4:-1]] == ["she", "is", "happy"]
    assert found.steps[-1].token.special, "the end is part of a target"


def test_what_has_no_decoder_gives_one_answer_per_token(kinds: dict[str, Model]) -> None:
    bert, seq = kinds["bert"], kinds["seq"]
    for text in ("the cat", "the cat sat on the mat in paris"):
        found = models.every_position(bert, Sentence(text))
        assert len(found.tokens) == len(found.answers) == len(text.split()) + 2
        assert models.lengths(bert, Sentence(text)) == Lengths(len(found.tokens), len(found.tokens))
        both = models.lengths(seq, Sentence(text))
        assert both.read == len(text.split()) + 2
        assert both.given == len(models.write(seq, Sentence(text)).steps)
    with pytest.raises(models.Refusal):
        models.every_position(seq, TEXT)


@pytest.mark.parametrize("kind", ["bert", "gpt", "elmo"])
def test_only_what_has_a_decoder_writes(kinds: dict[str, Model], kind: str) -> None:
    with pytest.raises(models.Refusal):
        models.write(kinds[kind], TEXT)


def test_too_long_a_text_is_cut_and_said(kinds: dict[str, Model]) -> None:
    found = models.write(kinds["seq"], Sentence("cat " * 100))
    assert len(found.source) <= kinds["seq"].max_tokens
    assert found.cut.strip().startswith("cat")


def test_dates_in_figures_are_read_both_ways() -> None:
    first, second = models.date_readings("due 03/04/2012")
    assert (first.order, first.iso) == ("day first", "2012-04-03")
    assert (second.order, second.iso) == ("month first", "2012-03-04")


def test_programs_print_the_same_numbers(kinds: dict[str, Model]) -> None:
    """All of them in one fresh process: what costs time is to start one."""
    seq, bert = (replace(kinds[k], name=f"dir:{kinds[k].folder}") for k in ("seq", "bert"))
    found, given = models.write(seq, TEXT), models.force(seq, TEXT, "she is happy")
    beside, both = models.every_position(bert, TEXT), models.lengths(seq, TEXT)
    programs = (found.snippet, given.snippet, beside.snippet, models.lengths_snippet(seq, [TEXT]))
    *lines, counted = run("\n\n".join(programs))
    ids, cross, bits, guesses, answers = map(json.loads, lines)
    assert ids == [step.token.id for step in found.steps]
    assert np.array(cross) == pytest.approx(found.cross, abs=1e-5)
    assert bits == pytest.approx([step.token.bits for step in given.steps], abs=1e-3)
    assert guesses == [step.guess.token_id for step in given.steps]
    assert answers == [answer.token_id for answer in beside.answers]
    assert counted == f"{both.read} {both.given}"
