"""Where runs begin: for each architecture, a model with its first weights.

The five of a matched family have one body size: width 256, four layers of four heads (or LSTM
cells as wide as makes the parameters equal), and start from the same word vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertForPreTraining,
    BertLMHeadModel,
    MarianConfig,
    MarianMTModel,
    PreTrainedModel,
)

from models.elmo import ElmoConfig, ElmoForPreTraining
from models.training.objectives import Special
from models.training.variants import NARROW

WIDTH, HEADS, LAYERS, POSITIONS = 256, 4, 4, 128
VECTOR_SCALE = 0.05  # standard deviation of a word vector's entries
FRAME = -3.0  # log share of the tokens that begin and end a sentence, roughly


def bert_config(size: int, special: Special, **changes: Any) -> BertConfig:
    """The matched BERT, and with ``is_decoder=True`` the matched GPT: they differ in the mask.

    No dropout: a run sees every sentence a handful of times, masked differently each time.
    """
    facts = {
        "vocab_size": size, "hidden_size": WIDTH, "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS, "intermediate_size": 4 * WIDTH,
        "max_position_embeddings": POSITIONS, "type_vocab_size": 1,
        "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0,
        "pad_token_id": special.pad, "bos_token_id": special.cls, "eos_token_id": special.sep,
    }  # fmt: skip
    config = BertConfig(**(facts | changes))
    config._attn_implementation = "eager"
    return config


def bert(size: int, special: Special, **changes: Any) -> BertForMaskedLM:
    """A BERT: every position sees every other."""
    return BertForMaskedLM(bert_config(size, special, **changes))


def gpt(size: int, special: Special, **changes: Any) -> BertLMHeadModel:
    """A GPT: the very same layers under a causal mask."""
    return BertLMHeadModel(bert_config(size, special, is_decoder=True, **changes))


def bert_of_pairs(size: int, special: Special, **changes: Any) -> BertForPreTraining:
    """A BERT with both of its heads, and two kinds of positions: first and second passage."""
    return BertForPreTraining(bert_config(size, special, **({"type_vocab_size": 2} | changes)))


def narrow(make: Callable[..., PreTrainedModel]) -> Callable[..., PreTrainedModel]:
    """The same architecture as narrow as the variants are."""
    widths = {"hidden_size": NARROW, "intermediate_size": 4 * NARROW}
    return lambda size, special, **changes: make(size, special, **(widths | changes))


def narrow_lstm(size: int, special: Special, num_hidden_layers: int) -> ElmoForPreTraining:
    """An LSTM from the left with as many parameters as the narrow GPT of as many layers."""
    twin = narrow(gpt)(size, special, num_hidden_layers=num_hidden_layers).num_parameters()

    def made(cells: int) -> ElmoForPreTraining:
        config = ElmoConfig(size, NARROW, cells, num_hidden_layers, bidirectional=False,
                            pad_token_id=special.pad)  # fmt: skip
        return ElmoForPreTraining(config)

    cells = min(range(64, 257, 4), key=lambda c: abs(made(c).num_parameters() - twin))
    return made(cells)


def elmo(size: int, special: Special) -> ElmoForPreTraining:
    """An ELMo: two LSTM layers from each side."""
    return ElmoForPreTraining(ElmoConfig(size, WIDTH, 320, pad_token_id=special.pad))


def lstm(size: int, special: Special) -> ElmoForPreTraining:
    """An LSTM that reads from the left only, with as many parameters."""
    config = ElmoConfig(size, WIDTH, 504, bidirectional=False, pad_token_id=special.pad)
    return ElmoForPreTraining(config)


def seq(size: int, special: Special, objective: str = "denoising", **changes: Any) -> MarianMTModel:
    """The original Transformer, small: sinusoids, post-LN, ReLU, cross-attention.

    Encoder and decoder have two layers each, since the decoder's are the larger ones.
    """
    facts: dict[str, Any] = {
        "vocab_size": size, "decoder_vocab_size": size, "d_model": WIDTH,
        "encoder_layers": LAYERS // 2, "decoder_layers": LAYERS // 2,
        "encoder_attention_heads": HEADS, "decoder_attention_heads": HEADS,
        "encoder_ffn_dim": 880, "decoder_ffn_dim": 880, "max_position_embeddings": POSITIONS,
        "activation_function": "relu", "scale_embedding": True,
        "share_encoder_decoder_embeddings": True,
        "dropout": 0.0, "attention_dropout": 0.0, "activation_dropout": 0.0,
        "pad_token_id": special.pad, "bos_token_id": special.cls, "eos_token_id": special.sep,
        "decoder_start_token_id": special.cls, "forced_eos_token_id": None,
        "objective": objective,  # kept in config.json, where `models.loading` looks for it
    }  # fmt: skip
    config = MarianConfig(**(facts | changes))
    config._attn_implementation = "eager"
    return MarianMTModel(config)


def translator(size: int, special: Special, width: int, dropout: float) -> MarianMTModel:
    """A Transformer that writes another text than it reads, greedily unless asked otherwise."""
    model = seq(size, special, "translation", d_model=width, encoder_ffn_dim=4 * width,
                decoder_ffn_dim=4 * width, init_std=width**-0.5, dropout=dropout)  # fmt: skip
    model.generation_config.max_length = POSITIONS
    model.generation_config.num_beams = 1
    return model


def dates(size: int, special: Special) -> MarianMTModel:
    """Narrow: dates are a small language."""
    return translator(size, special, width=128, dropout=0.0)


def help_pages(size: int, special: Special) -> MarianMTModel:
    """Wider, and with dropout, since the text is read many times over."""
    return translator(size, special, width=192, dropout=0.1)


STARTS: dict[str, Callable[..., PreTrainedModel]] = {
    "bert": bert, "gpt": gpt, "elmo": elmo, "lstm": lstm, "seq": seq,
    "dates": dates, "help": help_pages,
    "bert-v": narrow(bert), "gpt-v": narrow(gpt), "bert-v-pairs": narrow(bert_of_pairs),
    "lstm-v": narrow_lstm,
}  # fmt: skip
"""Each takes the number of pieces, the special ids, and changes of its configuration."""


@torch.no_grad()
def start_model(
    name: str,
    special: Special,
    counts: Int[Tensor, " piece"],
    vectors: Float[Tensor, "piece wide"] | None,
    seed: int,
    changes: Mapping[str, Any] = MappingProxyType({}),
) -> PreTrainedModel:
    """A fresh model of the architecture ``name``.

    Args:
        name: one of `STARTS`.
        special: the tokenizer's special ids.
        counts: how often each piece occurs in the text: the softmax's bias starts at the log of
            the unigram, so that training begins where knowing no context ends.
        vectors: first word vectors, cut to the model's width; random ones if None.
        seed: of all other weights.
        changes: of its configuration.
    """
    torch.manual_seed(seed)
    model = STARTS[name](len(counts), special, **changes)
    words: Tensor = model.get_input_embeddings().weight  # type: ignore[assignment]
    if vectors is not None:
        width = words.shape[1]
        # A Transformer of 2017 multiplies its word vectors by the root of the width
        scale = width**-0.5 if name == "seq" else VECTOR_SCALE
        narrow = reduced(vectors, width)
        words.copy_(narrow / narrow.std() * scale)
    frequency = counts.float() + 1.0
    bias = (frequency / frequency.sum()).log()
    bias[[special.pad, special.unk, special.mask]] = -20.0  # never an answer
    bias[[special.cls, special.sep]] = FRAME
    softmax_bias(model).copy_(bias)
    return model


@torch.no_grad()
def fix_positions(model: Any, positions: str) -> None:
    """Replace the positions that a BERT would learn, by sinusoids or by nothing.

    The sinusoids are as large beside the first word vectors as in Vaswani et al. 2017 (§3.4, §3.5):
    there, words are multiplied by the root of the width, and have a standard deviation of 1.

    Args:
        model: a BERT; its position embeddings are to be frozen.
        positions: ``sinusoids``, ``none``, or ``learned``: then nothing happens.
    """
    if positions == "learned":
        return
    table: Tensor = model.bert.embeddings.position_embeddings.weight
    table.copy_(VECTOR_SCALE * sinusoids(*table.shape) if positions == "sinusoids" else table * 0)


def sinusoids(count: int, width: int) -> Float[Tensor, "position width"]:
    """Sines and cosines whose periods grow from 2 pi to 10000 * 2 pi (Vaswani et al. 2017)."""
    angles = torch.arange(count)[:, None] / 10_000 ** (torch.arange(0, width, 2) / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def softmax_bias(model: Any) -> Tensor:
    """The bias of a model's softmax layer; (piece,)."""
    if isinstance(model, MarianMTModel):
        return model.final_logits_bias[0]
    if isinstance(model, ElmoForPreTraining):
        return model.bias
    bias: Tensor = model.cls.predictions.bias
    return bias


def reduced(vectors: Float[Tensor, "piece wide"], width: int) -> Float[Tensor, "piece width"]:
    """Word vectors on their ``width`` first principal axes."""
    centred = vectors - vectors.mean(dim=0)
    axes = torch.linalg.svd(centred, full_matrices=False).Vh[:width]
    return centred @ axes.T
