"""Where a run computes: one CPU core, one GPU, or several processes that share each step.

`accelerate launch -m models.training bert-en` (or torchrun) starts one process a GPU and tells each
its number through the environment. Every process draws a batch of its own; gradients are averaged,
so that all take the same step. Nothing of this is needed for one process.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import distributed, nn


@dataclass(frozen=True)
class World:
    """This process among those of a run."""

    rank: int
    size: int
    device: torch.device

    @property
    def first(self) -> bool:
        """Whether this process is the one that saves and reports."""
        return self.rank == 0

    def average_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Replace each gradient by its mean over the processes."""
        if self.size == 1:
            return
        for parameter in parameters:
            if parameter.grad is not None:
                distributed.all_reduce(parameter.grad)
                parameter.grad /= self.size

    def total(self, count: int) -> int:
        """The sum of every process's count."""
        if self.size == 1:
            return count
        held = torch.tensor(count, device=self.device)
        distributed.all_reduce(held)
        return int(held)


ALONE = World(0, 1, torch.device("cpu"))


def join() -> World:
    """The world that the environment describes: RANK, WORLD_SIZE and LOCAL_RANK, if there are any.

    The first GPU is used where there is one; several processes take one each.
    """
    rank, size = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    gpu = torch.cuda.is_available()
    device = torch.device(f"cuda:{os.environ.get('LOCAL_RANK', '0')}" if gpu else "cpu")
    if size > 1 and not distributed.is_initialized():
        distributed.init_process_group("nccl" if gpu else "gloo")
    return World(rank, size, device)


def bf16_pays(device: torch.device) -> bool:
    """Whether the device multiplies bfloat16 natively (elsewhere it is slower than float32)."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported()
    return bool(torch.cpu._is_avx512_bf16_supported())
