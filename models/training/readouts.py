"""From states to loss and scores: the softmax over the vocabulary, a few rows at a time.

With a vocabulary of thousands, the logits of a batch are its largest tensor by far. They are
computed for some hundred rows at once, and their gradient with them, so that they never have to
be kept: half the time on a CPU, and a fraction of the memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F

ROWS = 256


@dataclass(frozen=True)
class Readout:
    """States, the softmax layer they meet, and the tokens they should give.

    counts: which targets count when a model is scored; None for all of them.
    rows: the text that each target belongs to, where a text is right only as a whole.
    avoided: tokens that should not be answered, besides; the target itself where there are fewer.
    avoidance: weight of the loss on these.
    """

    hidden: Float[Tensor, "target width"]
    weight: Float[Tensor, "piece width"]
    bias: Float[Tensor, " piece"]
    targets: Int[Tensor, " target"]
    counts: Bool[Tensor, " target"] | None = None
    rows: Int[Tensor, " target"] | None = None
    avoided: Int[Tensor, "target some"] | None = None
    avoidance: float = 0.5

    def loss(self) -> Float[Tensor, ""]:
        """Mean negative log likelihood of the targets, in nats, and what is avoided beside it."""
        layer = self.hidden, self.weight, self.bias
        loss: Tensor = ChunkedLoss.apply(*layer, self.targets, self.avoided, self.avoidance)
        return loss

    @torch.no_grad()
    def log_probabilities(self) -> Float[Tensor, "counted piece"]:
        """The answers, in nats, where targets count."""
        hidden = self.hidden if self.counts is None else self.hidden[self.counts]
        return F.log_softmax(F.linear(hidden, self.weight, self.bias).float(), dim=-1)

    @property
    def counted(self) -> Int[Tensor, " counted"]:
        """The targets that count."""
        return self.targets if self.counts is None else self.targets[self.counts]


def mean_loss(readouts: Sequence[Readout]) -> Float[Tensor, ""]:
    """The loss of a batch: of each direction, then over the directions."""
    return torch.stack([readout.loss() for readout in readouts]).mean()


class ChunkedLoss(torch.autograd.Function):
    """Cross-entropy of a linear layer, whose gradient is worked out on the way forward."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        weight: Tensor,
        bias: Tensor,
        targets: Tensor,
        avoided: Tensor | None,
        avoidance: float,
    ) -> Tensor:
        """Mean loss in float32; gradients of the three inputs are kept for `backward`."""
        total, count = torch.zeros((), device=hidden.device), len(targets)
        grad_hidden = torch.empty_like(hidden)
        grad_weight = torch.zeros_like(weight, dtype=torch.float32)
        grad_bias = torch.zeros_like(bias, dtype=torch.float32)
        for start in range(0, count, ROWS):
            rows = slice(start, start + ROWS)
            logits = F.linear(hidden[rows], weight, bias).float()
            total += F.cross_entropy(logits, targets[rows], reduction="sum")
            p = logits.softmax(dim=-1)
            grad = p.clone()
            grad[torch.arange(len(grad), device=grad.device), targets[rows]] -= 1.0
            if avoided is not None:
                loss, slope = unlikelihood(p, targets[rows], avoided[rows])
                total += avoidance * loss
                grad += avoidance * slope
            grad_bias += grad.sum(dim=0)
            grad = grad.to(hidden.dtype)
            grad_hidden[rows] = grad @ weight
            if ctx.needs_input_grad[1]:
                grad_weight += grad.T @ hidden[rows]
        ctx.save_for_backward(grad_hidden / count, grad_weight / count, grad_bias / count)
        ctx.dtypes = hidden.dtype, weight.dtype, bias.dtype
        return total / count

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The kept gradients, times that of the loss."""
        kept = zip(ctx.saved_tensors, ctx.dtypes, ctx.needs_input_grad, strict=False)
        found = [(grads[0] * grad).to(dtype) if needed else None for grad, dtype, needed in kept]
        return (*found, None, None, None)


def unlikelihood(
    p: Float[Tensor, "target piece"],
    targets: Int[Tensor, " target"],
    avoided: Int[Tensor, "target some"],
) -> tuple[Float[Tensor, ""], Float[Tensor, "target piece"]]:
    """-log(1 - p) of tokens that should not be answered, and its gradient (Welleck et al. 2019).

    A token named twice counts once; the target itself does not count.
    """
    avoided = avoided.sort(dim=1).values
    again = F.pad(avoided[:, 1:] == avoided[:, :-1], (1, 0))
    off = again | (avoided == targets[:, None])
    q = p.gather(1, avoided).masked_fill(off, 0.0).clamp(max=0.999)
    odds = q / (1.0 - q)
    slope = torch.zeros_like(p).scatter_add(1, avoided, odds) - p * odds.sum(dim=1, keepdim=True)
    return -torch.log1p(-q).sum(), slope
