"""Where things are inside a model of each family: module names, and nothing else.

The attention function needs no table, since every family calls it. What surrounds attention is
spelled differently in each: this small, explicit table says where the residual stream is read and
written, and a family that is not in it is refused instead of guessed. Read against
transformers 5.24; `tests/unit/test_trace_identities.py` proves every row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from transformers import PretrainedConfig

from models.interventions import BranchKind
from models.traces import StackName


@dataclass(frozen=True)
class Branch:
    """One way out of the residual stream and back: ``stream + branch(stream)``."""

    kind: BranchKind
    reads: str
    """The first module to receive the stream (its input *is* the stream)."""
    writes: str
    """The module whose output is added to the stream."""
    norm: str = ""
    """The norm applied to that sum, where the family norms after adding (BERT)."""
    project: str = ""
    """Of attention: the matrix that carries what the heads say, side by side, to the stream."""


@dataclass(frozen=True)
class Block:
    """One layer; all names are relative to it."""

    branches: tuple[Branch, ...]
    activation: str
    down: str
    """The feed-forward network's second matrix."""
    parallel: bool = False
    """All branches read the same stream and share one skip connection (GPT-NeoX)."""

    @property
    def modules(self) -> tuple[str, ...]:
        """Every module a block of this kind must have."""
        of_branch = ((b.reads, b.writes, b.norm, b.project) for b in self.branches)
        named = [name for names in of_branch for name in names if name]
        return (*named, self.activation, self.down)


@dataclass(frozen=True)
class Tower:
    """The list of a stack's blocks, and what a block looks like."""

    blocks: str
    block: Block


@dataclass(frozen=True)
class Anatomy:
    """A family's map from the embeddings to the logits; names are relative to the whole model."""

    towers: dict[StackName, Tower]
    positions: dict[str, Literal["added", "rotary"]]
    """Modules that make positions: vectors or biases that are added, or rotations (cos, sin)."""
    closing: tuple[str, ...] = ()
    """What follows the last block and is part of the last hidden state (the final norm)."""
    head: tuple[str, ...] = ()
    """Modules from the last hidden state to the logits, in order."""
    transform: tuple[str, str] | None = None
    """First and last module of the masked-LM head before its vocabulary matrix."""


def pre_norm(
    attention: tuple[str, str], ffn: tuple[str, str], act: str, down: str, project: str
) -> Block:
    """A block that norms what a branch reads: (norm, output) of either branch."""
    looks = Branch("attention", *attention, project=project)
    return Block((looks, Branch("ffn", *ffn)), act, down)


def _bert(
    base: str, head: tuple[str, ...], transform: str, norm: str, stack: StackName = "encoder"
) -> Anatomy:
    out = "attention.output"
    block = Block(
        (
            Branch(
                "attention", "attention.self", f"{out}.dropout", f"{out}.LayerNorm", f"{out}.dense"
            ),
            Branch("ffn", "intermediate", "output.dropout", "output.LayerNorm"),
        ),
        activation="intermediate.intermediate_act_fn",
        down="output.dense",
    )
    return Anatomy(
        {stack: Tower(f"{base}.encoder.layer", block)},
        positions={f"{base}.embeddings.position_embeddings": "added"},
        head=head,
        transform=(f"{transform}.dense", f"{transform}.{norm}"),
    )


def _bert_or_gpt(config: PretrainedConfig) -> Anatomy:
    """BERT, or the very same layers under a causal mask."""
    stack: StackName = "decoder" if config.is_decoder else "encoder"
    return _bert("bert", ("cls",), "cls.predictions.transform", "LayerNorm", stack)


def _electra() -> Anatomy:
    transform = "generator_predictions"
    return _bert("electra", (transform, "generator_lm_head"), transform, "LayerNorm")


def _distilbert() -> Anatomy:
    block = Block(
        (
            Branch("attention", "attention", "attention", "sa_layer_norm", "attention.out_lin"),
            Branch("ffn", "ffn", "ffn", "output_layer_norm"),
        ),
        activation="ffn.activation",
        down="ffn.lin2",
    )
    return Anatomy(
        {"encoder": Tower("distilbert.transformer.layer", block)},
        positions={"distilbert.embeddings.position_embeddings": "added"},
        head=("vocab_transform", "activation", "vocab_layer_norm", "vocab_projector"),
        transform=("vocab_transform", "vocab_layer_norm"),
    )


def _albert() -> Anatomy:
    block = Block(
        (
            Branch(
                "attention",
                "attention",
                "attention.output_dropout",
                "attention.LayerNorm",
                "attention.dense",
            ),
            Branch("ffn", "ffn", "ffn_output", "full_layer_layer_norm"),
        ),
        activation="activation",
        down="ffn_output",
    )
    return Anatomy(
        {"encoder": Tower("albert.encoder.albert_layer_groups.*.albert_layers", block)},
        positions={"albert.embeddings.position_embeddings": "added"},
        head=("predictions",),
        transform=("predictions.dense", "predictions.LayerNorm"),
    )


def _modernbert() -> Anatomy:
    block = pre_norm(
        ("attn_norm", "attn"), ("mlp_norm", "mlp"), "mlp.act", "mlp.Wo", project="attn.Wo"
    )
    return Anatomy(
        {"encoder": Tower("model.layers", block)},
        positions={"model.rotary_emb": "rotary"},
        closing=("model.final_norm",),
        head=("head", "decoder"),
        transform=("head.dense", "head.norm"),
    )


def _gpt2() -> Anatomy:
    block = pre_norm(
        ("ln_1", "attn"), ("ln_2", "mlp"), "mlp.act", "mlp.c_proj", project="attn.c_proj"
    )
    return Anatomy(
        {"decoder": Tower("transformer.h", block)},
        positions={"transformer.wpe": "added"},
        closing=("transformer.ln_f",),
        head=("lm_head",),
    )


def _gpt_neox(config: PretrainedConfig) -> Anatomy:
    block = Block(
        (
            Branch(
                "attention", "input_layernorm", "post_attention_dropout", project="attention.dense"
            ),
            Branch("ffn", "post_attention_layernorm", "post_mlp_dropout"),
        ),
        activation="mlp.act",
        down="mlp.dense_4h_to_h",
        parallel=config.use_parallel_residual,
    )
    return Anatomy(
        {"decoder": Tower("gpt_neox.layers", block)},
        positions={"gpt_neox.rotary_emb": "rotary"},
        closing=("gpt_neox.final_layer_norm",),
        head=("lm_head",),
    )


def _llama() -> Anatomy:
    block = pre_norm(
        ("input_layernorm", "self_attn"),
        ("post_attention_layernorm", "mlp"),
        act="mlp.act_fn",
        down="mlp.down_proj",
        project="self_attn.o_proj",
    )
    return Anatomy(
        {"decoder": Tower("model.layers", block)},
        positions={"model.rotary_emb": "rotary"},
        closing=("model.norm",),
        head=("lm_head",),
    )


def _fc_block(*, cross: bool, norm_first: bool = False) -> Block:
    """The layer of BART, Marian and OPT, whose feed-forward matrices stand in the block itself."""
    own, other = "self_attn.out_proj", "encoder_attn.out_proj"
    if norm_first:
        branches = [
            Branch("attention", "self_attn_layer_norm", "self_attn", project=own),
            Branch("ffn", "final_layer_norm", "fc2"),
        ]
    else:
        branches = [
            Branch("attention", "self_attn", "self_attn", "self_attn_layer_norm", own),
            Branch("cross", "encoder_attn", "encoder_attn", "encoder_attn_layer_norm", other),
            Branch("ffn", "fc1", "fc2", "final_layer_norm"),
        ]
    branches = [branch for branch in branches if cross or branch.kind != "cross"]
    return Block(tuple(branches), activation="activation_fn", down="fc2")


def _opt(config: PretrainedConfig) -> Anatomy:
    block = _fc_block(cross=False, norm_first=config.do_layer_norm_before)
    return Anatomy(
        {"decoder": Tower("model.decoder.layers", block)},
        positions={"model.decoder.embed_positions": "added"},
        closing=("model.decoder.final_layer_norm", "model.decoder.project_out"),
        head=("lm_head",),
    )


def _bart() -> Anatomy:
    return Anatomy(
        {
            "encoder": Tower("model.encoder.layers", _fc_block(cross=False)),
            "decoder": Tower("model.decoder.layers", _fc_block(cross=True)),
        },
        positions={
            "model.encoder.embed_positions": "added",
            "model.decoder.embed_positions": "added",
        },
        head=("lm_head",),
    )


def _t5() -> Anatomy:
    project = {"attention": ".SelfAttention.o", "cross": ".EncDecAttention.o"}

    def block(*kinds: BranchKind) -> Block:
        at = [f"layer.{i}" for i in range(len(kinds))]
        branches = (
            Branch(
                kind,
                f"{name}.layer_norm",
                f"{name}.dropout",
                project=f"{name}{project[kind]}" if kind in project else "",
            )
            for kind, name in zip(kinds, at, strict=True)
        )
        ffn = f"{at[-1]}.DenseReluDense"
        return Block(tuple(branches), activation=f"{ffn}.act", down=f"{ffn}.wo")

    bias = "{}.block.0.layer.0.SelfAttention.relative_attention_bias"
    return Anatomy(
        {
            "encoder": Tower("encoder.block", block("attention", "ffn")),
            "decoder": Tower("decoder.block", block("attention", "cross", "ffn")),
        },
        positions={bias.format("encoder"): "added", bias.format("decoder"): "added"},
        closing=("decoder.final_layer_norm",),
        head=("lm_head",),
    )


FAMILIES: dict[str, Callable[[PretrainedConfig], Anatomy]] = {
    "albert": lambda _: _albert(),
    "bart": lambda _: _bart(),
    "bert": _bert_or_gpt,
    "distilbert": lambda _: _distilbert(),
    "electra": lambda _: _electra(),
    "gpt2": lambda _: _gpt2(),
    "gpt_neox": _gpt_neox,
    "llama": lambda _: _llama(),
    "marian": lambda _: _bart(),
    "mistral": lambda _: _llama(),
    "modernbert": lambda _: _modernbert(),
    "opt": _opt,
    "qwen2": lambda _: _llama(),
    "qwen3": lambda _: _llama(),
    "roberta": lambda _: _bert("roberta", ("lm_head",), "lm_head", "layer_norm"),
    "t5": lambda _: _t5(),
}


def anatomy(config: PretrainedConfig) -> Anatomy | None:
    """The map of a model of this configuration; None where the family is not known."""
    known = FAMILIES.get(config.model_type)
    return None if known is None else known(config)
