"""Every step of a forward pass, one formula after the other.

A model's own classes compute the same inside of fused modules; here nothing is fused, so that each
tensor on the way has a name. Tests hold every one of them to what transformers computes.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal, cast

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from models.blueprints import Side
from models.building.towers import Anatomy, Attention, Head, Layer, Recurrent, Tower
from models.elmo import ElmoLayer, turned

if TYPE_CHECKING:
    from models.inputs import Inputs

Check = Callable[[], None] | None
Seen = dict[tuple[Side, int | None, str], Tensor]
"""By tower, layer (None outside of them) and name; without the batch axis."""
Branch = Literal["attention", "cross"]


@torch.inference_mode()
def walk(anatomy: Anatomy, inputs: Inputs, check: Check = None) -> Seen:
    """All tensors of one forward pass.

    Args:
        anatomy: Of the network.
        inputs: What it reads.
        check: Called at every layer; raise from it to give up.
    """
    seen: Seen = {}
    memory: Tensor | None = None
    for tower in anatomy.towers:
        reads_target = tower.side == "decoder" and len(anatomy.towers) > 1
        ids = inputs.tensors["decoder_input_ids" if reads_target else "input_ids"][0]
        memory = _tower(tower, ids, memory, seen, check)
    if memory is not None:
        _head(anatomy.head, memory, seen, "")
    for one in anatomy.recurrent:
        _recurrent(one, anatomy.head, inputs.tensors["input_ids"][0], seen, check)
    return seen


def normed(norm: nn.LayerNorm, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    """γ (x − μ) / √(σ² + ε) + β (Ba et al. 2016)."""
    spread = (x.var(-1, unbiased=False, keepdim=True) + norm.eps).sqrt()
    return norm.weight * (x - x.mean(-1, keepdim=True)) / spread + norm.bias


def split(x: Float[Tensor, "n d"], heads: int) -> Float[Tensor, "head n d_head"]:
    """Each head's part of every vector."""
    return x.view(len(x), heads, -1).transpose(0, 1)


def _tower(
    tower: Tower, ids: Int[Tensor, " n"], memory: Tensor | None, seen: Seen, check: Check
) -> Float[Tensor, "n d"]:
    side = tower.side
    found = {"words": tower.words.weight[ids], "positions": tower.positions.weight[: len(ids)]}
    total = tower.scale * found["words"] + found["positions"]
    if tower.segments is not None:
        found["segments"] = tower.segments.weight[torch.zeros_like(ids)]
        total = total + found["segments"]
    found["sum"] = total
    if tower.norm is not None:
        found["first norm"] = total = normed(tower.norm, total)
    seen |= {(side, None, name): tensor for name, tensor in found.items()}
    allowed = torch.ones(len(ids), len(ids), dtype=torch.bool)
    allowed = allowed.tril() if tower.causal else allowed
    for i, layer in enumerate(tower.layers):
        if check is not None:
            check()
        found = {}
        total = _layer(layer, total, memory, allowed, found)
        seen |= {(side, i, name): tensor for name, tensor in found.items()}
    return total


def _layer(
    layer: Layer,
    x: Float[Tensor, "n d"],
    memory: Tensor | None,
    allowed: Bool[Tensor, "n n"],
    found: dict[str, Tensor],
) -> Float[Tensor, "n d"]:
    """Attention, add & norm, perhaps cross-attention, feed-forward, add & norm."""
    found["input"] = x
    found["attention sum"] = x + _attend(layer.attention, x, x, allowed, found, "attention")
    found["attention norm"] = x = normed(layer.attention_norm, found["attention sum"])
    if layer.cross is not None and layer.cross_norm is not None and memory is not None:
        every = torch.ones(len(x), len(memory), dtype=torch.bool)
        found["cross sum"] = x + _attend(layer.cross, x, memory, every, found, "cross")
        found["cross norm"] = x = normed(layer.cross_norm, found["cross sum"])
    found["expand"] = F.linear(x, layer.expand.weight, layer.expand.bias)
    found["activation"] = layer.activation(found["expand"])
    found["ffn"] = F.linear(found["activation"], layer.contract.weight, layer.contract.bias)
    found["ffn sum"] = x + found["ffn"]
    found["ffn norm"] = normed(layer.ffn_norm, found["ffn sum"])
    return found["ffn norm"]


def _attend(
    attention: Attention,
    x: Float[Tensor, "n d"],
    memory: Float[Tensor, "m d"],
    allowed: Bool[Tensor, "n m"],
    found: dict[str, Tensor],
    branch: Branch,
) -> Float[Tensor, "n d"]:
    """Scaled dot-product attention of several heads (Vaswani et al. 2017, §3.2)."""
    own: dict[str, Tensor] = {}
    for name, linear, read in (
        ("query", attention.query, x),
        ("key", attention.key, memory),
        ("value", attention.value, memory),
    ):
        own[name] = F.linear(read, linear.weight, linear.bias)
    q, k, v = (split(own[name], attention.heads) for name in ("query", "key", "value"))
    own["scores"] = q @ k.mT / sqrt(q.shape[-1])  # (head, query, key)
    own["masked"] = own["scores"].masked_fill(~allowed, -torch.inf)
    own["weights"] = own["masked"].softmax(-1)
    own["joined"] = (own["weights"] @ v).transpose(0, 1).flatten(1)
    found |= {_named(branch, name): tensor for name, tensor in own.items()}
    found[branch] = F.linear(own["joined"], attention.out.weight, attention.out.bias)
    return found[branch]


def _named(branch: Branch, name: str) -> str:
    return name if branch == "attention" else f"cross {name}"


def _head(head: Head, x: Float[Tensor, "n d"], seen: Seen, side: Side) -> None:
    if head.dense is not None and head.activation is not None and head.norm is not None:
        seen["", None, "dense"] = F.linear(x, head.dense.weight, head.dense.bias)
        seen["", None, "activation"] = head.activation(seen["", None, "dense"])
        seen["", None, "head norm"] = x = normed(head.norm, seen["", None, "activation"])
    seen[side, None, "logits"] = F.linear(x, head.weight, head.bias)
    seen[side, None, "probabilities"] = seen[side, None, "logits"].softmax(-1)


def _recurrent(
    one: Recurrent, head: Head, ids: Int[Tensor, " n"], seen: Seen, check: Check
) -> None:
    """One of ELMo's directions; positions stand in the order of the text, not of the reading."""
    order = turned(ids[None], None)[0] if one.side == "backward" else torch.arange(len(ids))
    x = head.weight[ids[order]]
    seen["", None, "words"] = head.weight[ids]
    for i, layer in enumerate(one.stack.layers):
        if check is not None:
            check()
        found = lstm(cast(ElmoLayer, layer), x)
        x = found["output"] = x + found["dense of lstm"]
        seen |= {(one.side, i, name): tensor[order] for name, tensor in found.items()}
    last = normed(one.stack.norm, x)[order]
    seen[one.side, None, "last norm"] = last
    _head(head, last, seen, one.side)


def lstm(layer: ElmoLayer, x: Float[Tensor, "n d"]) -> dict[str, Tensor]:
    """An LSTM layer position after position (Hochreiter & Schmidhuber 1997), then its matrix.

    Gates are torch's: i, f, g, o from W x + U h + b; c = f c + i g; h = o tanh(c).
    """
    own: Any = layer.lstm
    hidden = cell = torch.zeros(own.hidden_size)
    gates, cells, states = [], [], []
    for vector in x:
        raw = F.linear(vector, own.weight_ih_l0, own.bias_ih_l0) + F.linear(
            hidden, own.weight_hh_l0, own.bias_hh_l0
        )
        entry, forget, new, out = raw.chunk(4)
        entry, forget, new, out = entry.sigmoid(), forget.sigmoid(), new.tanh(), out.sigmoid()
        cell = forget * cell + entry * new
        hidden = out * cell.tanh()
        gates.append(torch.cat([entry, forget, new, out]))
        cells.append(cell)
        states.append(hidden)
    found = {"gates": torch.stack(gates), "cell": torch.stack(cells), "lstm": torch.stack(states)}
    found["input"] = x
    found["dense of lstm"] = F.linear(found["lstm"], layer.dense.weight, layer.dense.bias)
    return found
