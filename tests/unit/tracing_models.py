"""A tiny random model of every family, built offline, with a tokenizer that knows a few words."""

from __future__ import annotations

from functools import cache
from typing import Any

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForSeq2SeqLM,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)

from models.catalog import Objective
from models.loading import Model
from models.reading import Reader
from models.results import Provenance
from models.vocabulary import Vocabulary

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = "the a cat dog sat on mat saw and ran old new red blue big small it was in .".split()
SIZE = len(SPECIAL) + len(WORDS)
TEXT = "the cat sat on the old mat ."
TARGET = "a dog ran in"

BASE = dict(vocab_size=SIZE, pad_token_id=0, bos_token_id=2, eos_token_id=3)  # noqa: C408
BERT = {
    **BASE, "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 4,
    "intermediate_size": 24, "max_position_embeddings": 40, "type_vocab_size": 2,
    "initializer_range": 0.4,
}  # fmt: skip
LLAMA = {
    **BASE, "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 4, "intermediate_size": 24,
    "max_position_embeddings": 40, "initializer_range": 0.4,
}  # fmt: skip
SEQ = {
    **BASE, "d_model": 16, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 4,
    "decoder_attention_heads": 2, "encoder_ffn_dim": 24, "decoder_ffn_dim": 20,
    "max_position_embeddings": 40, "decoder_start_token_id": 2, "init_std": 0.4,
    "forced_eos_token_id": None,
}  # fmt: skip

CONFIGS: dict[str, tuple[str, dict[str, Any]]] = {
    "bert": ("masked", BERT),
    "roberta": ("masked", {**BERT, "type_vocab_size": 1}),
    "distilbert": (
        "masked",
        {**BASE, "dim": 16, "n_layers": 3, "n_heads": 4, "hidden_dim": 24,
         "max_position_embeddings": 40, "initializer_range": 0.4},
    ),
    "albert": ("masked", {**BERT, "embedding_size": 8}),
    "electra": ("masked", {**BERT, "embedding_size": 16}),
    "modernbert": (
        "masked",
        {**BASE, "hidden_size": 16, "num_hidden_layers": 4, "num_attention_heads": 4,
         "intermediate_size": 24, "max_position_embeddings": 40, "local_attention": 4,
         "global_attn_every_n_layers": 3, "cls_token_id": 2, "sep_token_id": 3,
         "initializer_range": 0.4, "initializer_cutoff_factor": 2.0},
    ),
    "gpt2": (
        "causal",
        {**BASE, "n_embd": 16, "n_layer": 3, "n_head": 4, "n_positions": 40,
         "initializer_range": 0.4},
    ),
    "gpt_neox": ("causal", {**BERT, "rotary_pct": 0.5}),
    "opt": (
        "causal",
        {**BASE, "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 4, "ffn_dim": 24,
         "word_embed_proj_dim": 16, "max_position_embeddings": 40, "init_std": 0.4},
    ),
    "llama": ("causal", LLAMA),
    "qwen3": ("causal", LLAMA),
    "mistral": ("causal", {**LLAMA, "sliding_window": 4}),
    "qwen2": ("causal", LLAMA),
    "t5": (
        "seq",
        {**BASE, "d_model": 16, "d_kv": 4, "d_ff": 24, "num_layers": 2, "num_decoder_layers": 3,
         "num_heads": 4, "decoder_start_token_id": 0, "relative_attention_num_buckets": 8,
         "initializer_factor": 2.0},
    ),
    "bart": ("seq", SEQ),
    "marian": ("seq", SEQ),
    # Families whose code does not go through the attention interface:
    "deberta-v2": ("masked", {**BERT, "relative_attention": True, "pos_att_type": ["p2c", "c2p"]}),
    "gpt_neo": (
        "causal",
        {**BASE, "hidden_size": 16, "num_layers": 2, "num_heads": 4, "max_position_embeddings": 40,
         "attention_types": [[["global", "local"], 1]], "window_size": 4},
    ),
    "xlnet": ("causal", {**BASE, "d_model": 16, "n_layer": 2, "n_head": 4, "d_inner": 24}),
    # Variants of a family that change where things are:
    "bert-decoder": ("causal", {**BERT, "is_decoder": True}),  # our GPT
    "opt-postnorm": (
        "causal",
        {**BASE, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "ffn_dim": 24,
         "word_embed_proj_dim": 8, "max_position_embeddings": 40, "init_std": 0.4,
         "do_layer_norm_before": False},
    ),
    "gpt_neox-serial": ("causal", {**BERT, "use_parallel_residual": False}),
    "t5-gated": (
        "seq",
        {**BASE, "d_model": 16, "d_kv": 4, "d_ff": 24, "num_layers": 3, "num_decoder_layers": 2,
         "num_heads": 4, "decoder_start_token_id": 0, "feed_forward_proj": "gated-gelu",
         "tie_word_embeddings": False},
    ),
}  # fmt: skip

OUTSIDE = ("deberta-v2", "gpt_neo", "xlnet")
FAMILIES = tuple(name for name in CONFIGS if name not in OUTSIDE)
CAUSAL = tuple(n for n in FAMILIES if CONFIGS[n][0] == "causal")
SEQ2SEQ = tuple(n for n in FAMILIES if CONFIGS[n][0] == "seq")
OBJECTIVES: dict[str, Objective] = {"masked": "masked", "causal": "causal", "seq": "denoising"}
CLASSES = {
    "masked": AutoModelForMaskedLM,
    "causal": AutoModelForCausalLM,
    "seq": AutoModelForSeq2SeqLM,
}


def build_network(family: str, attention: str = "eager", **changed: object) -> PreTrainedModel:
    """A fresh network with the same weights every time; `changed` overrides its configuration."""
    kind, settings = CONFIGS[family]
    torch.manual_seed(0)
    base = family if family in OUTSIDE else family.split("-", maxsplit=1)[0]
    config = AutoConfig.for_model(base, **{**settings, **changed})
    network = CLASSES[kind].from_config(config, attn_implementation=attention).eval()
    for name, weights in network.named_parameters():
        if weights.ndim == 1:  # biases and norms at 0 and 1 would hide mistakes
            torch.nn.init.normal_(weights, mean=float("norm" in name.lower()), std=0.2)
    if hasattr(network, "final_logits_bias"):
        network.final_logits_bias.normal_()
    return network.requires_grad_(False)


def build_tokenizer(kind: str) -> PreTrainedTokenizerFast:
    """Whole words only; BERT's frame, a start token alone for GPT, an end token alone for seq."""
    vocabulary = {word: i for i, word in enumerate([*SPECIAL, *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    frame = {
        "masked": ("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1"),
        "causal": ("[CLS] $A", "[CLS] $A [SEP] $B"),
        "seq": ("$A [SEP]", "$A $B [SEP]"),
    }[kind]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=frame[0], pair=frame[1], special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    mask = {"mask_token": "[MASK]"} if kind != "causal" else {}
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]",
        sep_token="[SEP]", bos_token="[CLS]", eos_token="[SEP]", **mask,
    )  # fmt: skip


def build(family: str, **changed: object) -> Model:
    """A fresh tiny model, as `models.load` would give it."""
    network = build_network(family, **changed)
    tokenizer = build_tokenizer(CONFIGS[family][0])
    return Model(
        name=f"tiny-{family}",
        network=network,
        tokenizer=tokenizer,
        reader=Reader(tokenizer),
        vocabulary=Vocabulary(tokenizer, SIZE),
        max_tokens=32,
        provenance=Provenance(f"tiny-{family}", "0" * 12, "float32", (("torch", "0"),)),
        objective=OBJECTIVES[CONFIGS[family][0]],
    )


@cache
def shared(family: str) -> Model:
    """One tiny model per family for all tests, as visitors share one: no test may change it."""
    return build(family)
