"""Optimization on a float32 master copy of a bf16 model, with a running average of the weights.

Matrix products in bfloat16 are two to five times as fast on a CPU that has the instructions,
but its 8 bits of precision swallow small updates: weights are therefore kept in float32, and
the bf16 model is a copy made after each step (Micikevicius et al. 2018).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn


class MasterAdamW:
    """Optimizes ``model`` (bf16 or float32) through a float32 copy of its trained parameters.

    ``average`` is an exponential moving average of the master weights. It is what gets
    evaluated and published: averaging removes the noise of the last steps, which otherwise
    only a decay of the learning rate to zero removes (Polyak & Juditsky 1992).
    """

    def __init__(self, model: nn.Module, weight_decay: float, average_steps: int) -> None:
        self.parameters = {n: p for n, p in model.named_parameters() if p.requires_grad}
        self.master = {
            name: nn.Parameter(p.detach().float().clone()) for name, p in self.parameters.items()
        }
        self.average = {name: p.detach().clone() for name, p in self.master.items()}
        self.average_steps = average_steps
        matrices = [p for name, p in self.master.items() if p.ndim == 2 and "embed" not in name]
        others = [p for name, p in self.master.items() if p.ndim != 2 or "embed" in name]
        self.adamw = torch.optim.AdamW(
            [{"params": matrices, "weight_decay": weight_decay},
             {"params": others, "weight_decay": 0.0}],
            betas=(0.9, 0.98), eps=1e-6, fused=True,
        )  # fmt: skip

    def step(self, rate: float, steps_done: int, clip: float = 1.0) -> float:
        """Apply the gradients of the model; return their norm before clipping."""
        for name, parameter in self.parameters.items():
            grad = parameter.grad
            self.master[name].grad = None if grad is None else grad.float()
            parameter.grad = None
        norm = nn.utils.clip_grad_norm_(self.master.values(), clip)
        for group in self.adamw.param_groups:
            group["lr"] = rate
        self.adamw.step()
        self._publish(steps_done)
        return float(norm)

    @torch.no_grad()
    def _publish(self, steps_done: int) -> None:
        """Copy the master weights into the model and into the average."""
        # early on the horizon is short, or the average would remember the untrained start
        keep = 1.0 - 1.0 / min(self.average_steps, 1 + steps_done / 5)
        names = list(self.master)
        masters = [self.master[n].detach() for n in names]
        torch._foreach_copy_([self.parameters[n].detach() for n in names], masters)
        torch._foreach_lerp_([self.average[n] for n in names], masters, 1.0 - keep)

    def state_dict(self) -> dict[str, Any]:
        """Master weights, their average and what the optimizers remember."""
        return {"master": {n: p.detach() for n, p in self.master.items()},
                "average": self.average, "adamw": self.adamw.state_dict()}  # fmt: skip

    @torch.no_grad()
    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take up what ``state_dict`` gave, in the model too."""
        for name, value in state["master"].items():
            self.master[name].copy_(value)
            self.parameters[name].copy_(value)
            self.average[name].copy_(state["average"][name])
        self.adamw.load_state_dict(state["adamw"])
