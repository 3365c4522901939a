"""The feed-forward network of a block: expanded, activated, contracted; and its neurons."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from models.block_records import ACTIVATIONS, Convolved, FeedForward, Neuron, Swapped
from models.blocks import snippets
from models.blocks.stream import promoted
from models.blocks.walk import Asked, Block, Ending, asked, blocks_of, carried, walk
from models.interventions import ReplaceActivation
from models.masked.asking import standing
from models.measures.likeness import States
from models.results import Sentence
from models.traces import Trace

if TYPE_CHECKING:
    from models.loading import Model

NEURONS, PROMOTED, TIMES = 8, 5, 7
QUIET = 0.01
"""Of the layer's largest activation: what is below counts as silent (`measures.md`, Sparsity)."""


@torch.inference_mode()
def feed_forward(
    model: Model,
    sentence: Sentence,
    layer: int,
    blank: int = 0,
    check: Callable[[], None] | None = None,
) -> FeedForward:
    """Take one feed-forward network apart; see `models.blocks_asked.feed_forward`."""
    question = asked(model, sentence, blank, check)
    seen = question.run(["hidden_states", "context", "activations"], check=check)
    blocks = walk(question, seen)
    if not 0 <= layer < len(blocks):
        raise ValueError(f"layer {layer} of {len(blocks)}")
    block, activations = blocks[layer], [a for _, a in sorted(seen.stack.activations.items())]
    return FeedForward(
        followed=question.followed,
        layer=layer,
        layers=len(blocks),
        activation=str(model.network.config.hidden_act),
        input=block.middle.numpy(),
        expanded=block.expanded.numpy(),
        activated=block.activated.numpy(),
        contracted=block.ffn.numpy(),
        output=block.output.numpy(),
        parameters=tuple(parameters(model.network).items()),
        sparsity=np.array([sparsity(each) for each in activations]),
        silent=np.array([float((each <= 0).mean()) for each in activations]),
        swapped=swapped(question, check),
        neurons=neurons(question, blocks, layer, activations[layer]),
        convolved=convolved(blocks_of(model)[layer], middles(question, seen, layer)),
        provenance=model.provenance,
        snippet=snippets.feed_forward(question, layer),
    )


def parameters(network: Any) -> dict[str, int]:
    """How many numbers each part of a BERT has; shared ones count once, where they come first."""
    found = dict.fromkeys(("embeddings", "attention", "ffn", "norms", "head"), 0)
    for name, weights in network.named_parameters():
        found[_part(name)] += weights.numel()
    return found


def _part(name: str) -> str:
    if ".encoder." not in name:
        return "embeddings" if ".embeddings." in name else "head"
    if ".LayerNorm." in name:
        return "norms"
    return "attention" if ".attention." in name else "ffn"


def sparsity(activations: Float[np.ndarray, "position neuron"]) -> float:
    """Share of |activation| below 1 % of the layer's maximum; NaN without neurons."""
    sizes = np.abs(activations)
    return float((sizes < QUIET * sizes.max()).mean()) if sizes.size else float("nan")


def swapped(question: Asked, check: Callable[[], None] | None) -> tuple[Swapped, ...]:
    """The answer under each activation, in all blocks at once."""
    found, word = [], question.followed.word.token_id
    for name in ACTIVATIONS:
        log_p = question.log_p_of(question.run((), [ReplaceActivation(name)], check))
        rank = standing(question.model, log_p.numpy(), word).rank
        found.append(Swapped(name, float(log_p[word]), rank, question.answered(log_p)))
    return tuple(found)


def neurons(
    question: Asked, blocks: list[Block], layer: int, activations: Float[np.ndarray, "position _"]
) -> tuple[Neuron, ...]:
    """Those that add most at the answering position, and the words that they promote.

    A neuron adds its activation times a column of the second matrix. On its direct way, past all
    later blocks, that is a change of every logit (Geva et al. 2022).
    """
    block, model = blocks[layer], question.model
    second: Tensor = blocks_of(model)[layer].output.dense.weight  # (dim, neuron)
    sizes = block.activated.abs() * second.norm(dim=0)
    strongest = sizes.topk(min(NEURONS, len(sizes))).indices
    added = (second * block.activated)[:, strongest].T  # (neuron, dim)
    added = carried(added, block.scales[1])
    for later in blocks[layer + 1 :]:
        added = carried(carried(added, later.scales[0]), later.scales[1])
    ending = Ending(model.network, blocks[-1].output)
    logits = ending.carry(added) @ ending.matrix.T
    logits = logits - logits.mean(-1, keepdim=True)
    found = []
    for number, row in zip(strongest.tolist(), logits, strict=True):
        words = promoted(model, row, PROMOTED)
        lifts = tuple(float(row[word.token_id]) for word in words)
        share = float(sizes[number] / sizes.sum())
        found.append(Neuron(number, activations[:, number].copy(), words, lifts, share))
    return tuple(found)


def middles(question: Asked, seen: Trace, layer: int) -> States:
    """What the feed-forward network of a layer reads, at every position."""
    block = blocks_of(question.model)[layer]
    said = torch.from_numpy(seen.stack.attention[layer]["context"].copy())
    came = torch.from_numpy(seen.stack.hidden_states[layer].copy())
    joined = said.transpose(0, 1).flatten(1)  # (position, dim)
    out = block.attention.output
    states: States = out.LayerNorm(came + out.dense(joined)).numpy()
    return states


@torch.inference_mode()
def convolved(block: Any, states: States) -> Convolved:
    """The feed-forward network as it is, and as two convolutions of width 1 along the sentence.

    A convolution of width 1 multiplies every position with the same matrix and mixes none with
    another: that is what "position-wise" means (Vaswani et al. 2017, §3.3).
    """
    rows = torch.from_numpy(states)
    first, second = block.intermediate.dense, block.output.dense
    act = block.intermediate.intermediate_act_fn

    def linear() -> Tensor:
        return second(act(first(rows)))

    def convolution() -> Tensor:
        inner = F.conv1d(rows.T[None], first.weight[..., None], first.bias)
        return F.conv1d(act(inner), second.weight[..., None], second.bias)[0].T

    one, other = linear(), convolution()
    return Convolved(
        difference=float((one - other).abs().max()),
        scale=float(one.abs().max()),
        linear_ms=_milliseconds(linear),
        convolution_ms=_milliseconds(convolution),
    )


def _milliseconds(run: Callable[[], object]) -> float:
    times = []
    for _ in range(TIMES):
        begun = perf_counter()
        run()
        times.append(perf_counter() - begun)
    return 1_000 * float(np.median(times))
