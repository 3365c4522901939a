"""Models that others made: their tokenizers may have no start token, or no mask."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tokenizers import ByteLevelBPETokenizer
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    GPT2Tokenizer,
    PreTrainedTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
)

import models
from models.errors import Unusable
from models.loading import Model, open_model
from models.results import Sentence
from tests.unit.conftest import ENGLISH
from tests.unit.kinds import wordpieces


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """As published: byte-level, nothing before a text, no mask; ``<|endoftext|>`` between texts."""
    folder = tmp_path_factory.mktemp("gpt2")
    trainer = ByteLevelBPETokenizer()
    trainer.train_from_iterator(ENGLISH * 5, vocab_size=400, special_tokens=["<|endoftext|>"])
    trainer.save_model(str(folder))
    vocabulary, merges = str(folder / "vocab.json"), str(folder / "merges.txt")
    tokenizer = GPT2Tokenizer(vocab=vocabulary, merges=merges)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=len(tokenizer), n_embd=16, n_layer=2, n_head=2, n_positions=64,
        bos_token_id=0, eos_token_id=0, initializer_range=0.5,
    )  # fmt: skip
    GPT2LMHeadModel(config).save_pretrained(folder)
    return open_model("gpt2", folder)


@torch.inference_mode()
def next_word(model: Model, *texts: str) -> torch.Tensor:
    ids = [i for text in texts for i in model.tokenizer(text)["input_ids"]]
    return model.network(torch.tensor([ids])).logits[0, -1].double().softmax(-1)


def test_a_typed_mask_is_a_blank_and_its_space_part_of_the_answer(gpt2: Model) -> None:
    assert gpt2.objective == "causal" and gpt2.tokenizer.mask_token is None
    (blank,) = models.predict(gpt2, Sentence("The cat [MASK] on the mat"), 5).blanks
    expected = next_word(gpt2, "The cat")
    assert blank.span == (8, 14)
    for candidate in blank.candidates:
        assert candidate.probability == pytest.approx(float(expected[candidate.token_id]), abs=1e-6)


def test_a_blank_at_the_start_follows_the_end_of_a_text(gpt2: Model) -> None:
    (blank,) = models.predict(gpt2, Sentence("[MASK] cat sat")).blanks
    expected = next_word(gpt2, "<|endoftext|>")
    assert blank.best.probability == pytest.approx(float(expected[blank.best.token_id]), abs=1e-6)


def test_a_trace_reads_a_guess_where_a_mask_was_typed(gpt2: Model) -> None:
    (blank,) = models.predict(gpt2, Sentence("The cat [MASK] on")).blanks
    tokens = models.trace(gpt2, "The cat [MASK] on").stack.tokens
    assert [token.id for token in tokens if token.kind == "special"] == [blank.best.token_id]
    assert max(token.id for token in tokens) < gpt2.network.config.vocab_size


def test_an_encoder_decoder_without_a_mask_can_be_traced_but_fills_no_blanks(
    tmp_path: Path,
) -> None:
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=wordpieces().backend_tokenizer, pad_token="[PAD]", unk_token="[UNK]",
        eos_token="[SEP]",
    )  # fmt: skip
    tokenizer.save_pretrained(tmp_path)
    config = T5Config(
        vocab_size=len(tokenizer), d_model=16, d_kv=4, d_ff=24, num_layers=2, num_heads=4,
        decoder_start_token_id=0, pad_token_id=0,
    )  # fmt: skip
    T5ForConditionalGeneration(config).save_pretrained(tmp_path)
    model = open_model("t5", tmp_path)
    assert model.objective == "denoising"
    with pytest.raises(Unusable) as refusal:
        models.predict(model, Sentence("the [MASK] sat"))
    assert refusal.value.reason == "mask"
    seen = models.trace(model, "the [MASK] sat", target="a [MASK]")
    size = len(tokenizer)
    assert all(token.id < size for stack in (seen.encoder, seen.decoder) for token in stack.tokens)
    assert seen.encoder.tokens[2].id == tokenizer.unk_token_id
