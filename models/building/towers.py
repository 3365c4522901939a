"""A network as its towers and head: the modules that compute, by what they do.

BERT, GPT (the very same layers under a causal mask), the Transformer (Marian's classes) and ELMo.
Other families spell themselves otherwise and are refused instead of guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from torch import Tensor, nn
from transformers import PreTrainedModel

from models.blueprints import Side
from models.elmo import ElmoForPreTraining, ElmoStack
from models.errors import Unusable


@dataclass(frozen=True)
class Attention:
    """The four matrices of attention."""

    query: nn.Linear
    key: nn.Linear
    value: nn.Linear
    out: nn.Linear
    heads: int


@dataclass(frozen=True)
class Layer:
    """One layer that norms after adding (Vaswani et al. 2017); names are relative to it."""

    path: str
    names: dict[str, str]
    """What each block's output is called, by kind."""
    attention: Attention
    attention_norm: nn.LayerNorm
    expand: nn.Linear
    activation: Callable[[Tensor], Tensor]
    contract: nn.Linear
    ffn_norm: nn.LayerNorm
    cross: Attention | None = None
    cross_norm: nn.LayerNorm | None = None


@dataclass(frozen=True)
class Tower:
    """What turns ids into states."""

    side: Side
    words: nn.Embedding
    scale: float
    """Of the word vectors."""
    positions: nn.Embedding
    names: dict[str, str]
    """Full names, by kind."""
    layers: tuple[Layer, ...]
    causal: bool
    segments: nn.Embedding | None = None
    norm: nn.LayerNorm | None = None


@dataclass(frozen=True)
class Head:
    """What turns states into logits."""

    weight: Tensor
    bias: Tensor
    names: dict[str, str]
    dense: nn.Linear | None = None
    activation: Callable[[Tensor], Tensor] | None = None
    norm: nn.LayerNorm | None = None


@dataclass(frozen=True)
class Recurrent:
    """One of ELMo's two language models."""

    side: Side
    path: str
    stack: ElmoStack


@dataclass(frozen=True)
class Anatomy:
    """A whole model."""

    towers: tuple[Tower, ...]
    """An encoder, a decoder, or both."""
    recurrent: tuple[Recurrent, ...]
    head: Head


def anatomy(name: str, network: PreTrainedModel) -> Anatomy:
    """Where everything is.

    Raises:
        Unusable: A family that is not known here.
    """
    if isinstance(network, ElmoForPreTraining):
        return _elmo(network)
    known: dict[str, Callable[[Any], Anatomy]] = {"bert": _bert, "marian": _marian}
    make = known.get(network.config.model_type)
    if make is None:
        raise Unusable(name, "architecture")
    return make(network)


def _bert(network: Any) -> Anatomy:
    own, config = network.bert.embeddings, network.config
    base = "bert.embeddings"
    tower = Tower(
        side="decoder" if config.is_decoder else "encoder",
        words=own.word_embeddings,
        scale=1.0,
        positions=own.position_embeddings,
        segments=own.token_type_embeddings,
        norm=own.LayerNorm,
        names={
            "words": f"{base}.word_embeddings",
            "positions": f"{base}.position_embeddings",
            "segments": f"{base}.token_type_embeddings",
            "first norm": f"{base}.LayerNorm",
        },
        layers=tuple(
            _bert_layer(layer, f"bert.encoder.layer.{i}", config.num_attention_heads)
            for i, layer in enumerate(network.bert.encoder.layer)
        ),
        causal=bool(config.is_decoder),
    )
    found, at = network.cls.predictions, "cls.predictions"
    head = Head(
        weight=found.decoder.weight,
        bias=found.decoder.bias,
        dense=found.transform.dense,
        activation=found.transform.transform_act_fn,
        norm=found.transform.LayerNorm,
        names={
            "dense": f"{at}.transform.dense",
            "activation": f"{at}.transform.transform_act_fn",
            "head norm": f"{at}.transform.LayerNorm",
            "vocabulary": f"{at}.decoder",
        },
    )
    return Anatomy((tower,), (), head)


def _bert_layer(layer: Any, path: str, heads: int) -> Layer:
    own = layer.attention.self
    return Layer(
        path=path,
        names={
            "attention": "attention.output.dense",
            "attention norm": "attention.output.LayerNorm",
            "ffn": "output.dense",
            "ffn norm": "output.LayerNorm",
        },
        attention=Attention(own.query, own.key, own.value, layer.attention.output.dense, heads),
        attention_norm=layer.attention.output.LayerNorm,
        expand=layer.intermediate.dense,
        activation=layer.intermediate.intermediate_act_fn,
        contract=layer.output.dense,
        ffn_norm=layer.output.LayerNorm,
    )


def _marian(network: Any) -> Anatomy:
    model, config = network.model, network.config
    towers = tuple(
        Tower(
            side=cast(Side, side),
            words=stack.embed_tokens,
            scale=float(stack.embed_scale),
            positions=stack.embed_positions,
            names={
                "words": f"model.{side}.embed_tokens",
                "positions": f"model.{side}.embed_positions",
            },
            layers=tuple(
                _marian_layer(layer, f"model.{side}.layers.{i}")
                for i, layer in enumerate(stack.layers)
            ),
            causal=side == "decoder",
        )
        for side, stack in (("encoder", model.encoder), ("decoder", model.decoder))
    )
    bias = network.final_logits_bias[0, : config.vocab_size]
    return Anatomy(towers, (), Head(network.lm_head.weight, bias, {"vocabulary": "lm_head"}))


def _marian_layer(layer: Any, path: str) -> Layer:
    cross = getattr(layer, "encoder_attn", None)
    names = {
        "attention": "self_attn.out_proj",
        "attention norm": "self_attn_layer_norm",
        "ffn": "fc2",
        "ffn norm": "final_layer_norm",
    }
    if cross is not None:
        names |= {"cross": "encoder_attn.out_proj", "cross norm": "encoder_attn_layer_norm"}
    return Layer(
        path=path,
        names=names,
        attention=_marian_attention(layer.self_attn),
        attention_norm=layer.self_attn_layer_norm,
        expand=layer.fc1,
        activation=layer.activation_fn,
        contract=layer.fc2,
        ffn_norm=layer.final_layer_norm,
        cross=None if cross is None else _marian_attention(cross),
        cross_norm=None if cross is None else layer.encoder_attn_layer_norm,
    )


def _marian_attention(own: Any) -> Attention:
    return Attention(own.q_proj, own.k_proj, own.v_proj, own.out_proj, own.num_heads)


def _elmo(network: ElmoForPreTraining) -> Anatomy:
    stacks = [("forward", "elmo.left_to_right", network.elmo.left_to_right)]
    if network.elmo.right_to_left is not None:
        stacks.append(("backward", "elmo.right_to_left", network.elmo.right_to_left))
    recurrent = tuple(Recurrent(cast(Side, side), path, stack) for side, path, stack in stacks)
    head = Head(network.elmo.embeddings.weight, network.bias, {})
    return Anatomy((), recurrent, head)
