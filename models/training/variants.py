"""Variants: small models that differ from one base in one thing each, to check what is claimed.

The base is a matched BERT, smaller, so that there can be many. Everything that is not named is
equal: text, pieces, first word vectors, steps, tokens. Two more seeds of the base tell how large a
difference chance alone makes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from models.training.recipe import Recipe

TOKENS = 3_000_000
NARROW = 96  # the width of all variants
PART, PASSES = 200_000, 20  # of the text, read so often: where over-fitting exists

# after the first step, then by steps that grow: a curve is read on a logarithmic axis
MOMENTS = (1, 20_000, 80_000, 250_000, 700_000, 1_600_000)

BASE = Recipe(
    "bert-v",
    text="english-xs",
    start="bert-v",
    vocabulary_size=4_096,
    short=0.5,
    block=0.5,
    long=0.0,
    tokens_per_step=1_280,
    peak_rate=2e-3,
    warmup_steps=200,
    full_rate_tokens=1_500_000,
    target_tokens=TOKENS,
    frozen=(),
    keep_at=MOMENTS,
    look_every=200_000,
)


def variant(name: str, differs: str, base: Recipe = BASE, **fields: Any) -> Recipe:
    """The base with one thing changed."""
    return replace(base, name=name, differs=differs, **({"keep_at": ()} | fields))


def changed(name: str, differs: str, base: Recipe = BASE, **changes: Any) -> Recipe:
    """The base with an entry of its configuration changed."""
    return variant(name, differs, base, changes=tuple(changes.items()))


_POSITIONS = ("bert.embeddings.position_embeddings.weight",)
_FEW = {"only_tokens": PART, "target_tokens": PART * PASSES}


def _dropout(name: str, differs: str, share: float, **fields: Any) -> Recipe:
    changes = (("hidden_dropout_prob", share), ("attention_probs_dropout_prob", share))
    return variant(name, differs, changes=changes, **fields)


_GPT = variant("gpt-v", "a causal mask: a GPT of the same size", start="gpt-v", objective="causal")

VARIANTS = [
    BASE,
    variant("bert-v-seed1", "another seed: other first weights, other batches", seed=1),
    variant("bert-v-seed2", "another seed: other first weights, other batches", seed=2),
    changed("bert-v-no-ffn", "no feed-forward layers", intermediate_size=0),
    changed("bert-v-ffn-1x", "feed-forward layers as wide as the states, not 4x",
            intermediate_size=NARROW),
    changed("bert-v-identity", "no activation in the feed-forward layers", hidden_act="linear"),
    changed("bert-v-relu", "ReLU instead of GELU", hidden_act="relu"),
    variant("bert-v-sinusoids", "positions are sinusoids, not learned", positions="sinusoids",
            frozen=_POSITIONS),
    variant("bert-v-no-positions", "no positions at all", positions="none", frozen=_POSITIONS),
    changed("bert-v-1-head", "1 head in each layer, not 4", num_attention_heads=1),
    changed("bert-v-2-heads", "2 heads in each layer, not 4", num_attention_heads=2),
    changed("bert-v-8-heads", "8 heads in each layer, not 4", num_attention_heads=8),
    changed("bert-v-attention", "attention alone, in 12 layers: as many parameters",
            intermediate_size=0, num_hidden_layers=12),
    changed("bert-v-1-layer", "1 layer, not 4", num_hidden_layers=1),
    changed("bert-v-2-layers", "2 layers, not 4", num_hidden_layers=2),
    variant("bert-v-pairs", "reads pairs of passages, is not asked whether they belong together",
            start="bert-v-pairs", objective="pairs", short=0.0, block=1.0),
    variant("bert-v-next-sentence", "reads pairs of passages, and is asked whether the second "
            "goes on where the first ends", start="bert-v-pairs", objective="next-sentence",
            short=0.0, block=1.0),
    _dropout("bert-v-dropout-10", "dropout 0.1", 0.1),
    _dropout("bert-v-dropout-30", "dropout 0.3", 0.3),
    _dropout("bert-v-few", "200,000 tokens of the text, twenty times", 0.0, **_FEW),
    _dropout("bert-v-few-dropout-10", "200,000 tokens, twenty times, dropout 0.1", 0.1, **_FEW),
    _dropout("bert-v-few-dropout-30", "200,000 tokens, twenty times, dropout 0.3", 0.3, **_FEW),
    _GPT,
    changed("gpt-v-1-layer", "a GPT of 1 layer", _GPT, num_hidden_layers=1),
    changed("gpt-v-2-layers", "a GPT of 2 layers", _GPT, num_hidden_layers=2),
    *(
        variant(f"lstm-v-{layers}-layer{'s'[: layers > 1]}",
                f"an LSTM from the left, {layers} layer{'s'[: layers > 1]}, as many parameters as "
                "the GPT of as many layers", start="lstm-v", objective="two-way",
                changes=(("num_hidden_layers", layers),))
        for layers in (1, 2, 4)
    ),
]  # fmt: skip
