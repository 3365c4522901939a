"""The training loop: step, look at held-out loss now and then, save, stop when asked."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from transformers import BertForMaskedLM

from models.training.batches import TokenStore, batch
from models.training.evaluation import MaskedItem
from models.training.objectives import Special, masked_lm
from models.training.optimizer import MasterAdamW
from models.training.recipes import Recipe, learning_rate

Report = Callable[[dict[str, float]], None]


@dataclass
class Progress:
    """How far a run has come; saved with the weights."""

    step: int = 0
    tokens: int = 0
    core_seconds: float = 0.0


@dataclass(frozen=True)
class Budget:
    """When to stop, save and look; minutes of wall clock, for this start of the run."""

    minutes: float
    save_minutes: float = 4.0
    look_minutes: float = 6.0


class Run:
    """One training run: model, optimizer and progress, kept in a folder."""

    def __init__(
        self,
        model: BertForMaskedLM,
        store: TokenStore,
        special: Special,
        recipe: Recipe,
        folder: Path,
    ) -> None:
        self.recipe, self.store, self.special, self.folder = recipe, store, special, folder
        for name, parameter in model.named_parameters():
            parameter.requires_grad_(name not in recipe.frozen)
        self.optimizer = MasterAdamW(model, recipe.weight_decay, recipe.average_steps)
        self.model = model.bfloat16() if bf16_pays() else model
        # .bfloat16() replaces the data of the parameters, which the optimizer therefore still holds
        self.progress = Progress()
        folder.mkdir(parents=True, exist_ok=True)

    def train_step(self) -> float:
        """One batch forward, backward and update; return its loss."""
        recipe, progress = self.recipe, self.progress
        ids = torch.from_numpy(batch(self.store, recipe, progress.step))
        generator = torch.Generator().manual_seed(recipe.seed * 1_000_003 + progress.step)
        loss = masked_lm(self.model, ids, self.special, recipe.mask_rate, generator)
        loss.backward()
        rate = learning_rate(recipe, progress.step, progress.tokens)
        self.optimizer.step(rate, progress.step)
        progress.step += 1
        progress.tokens += ids.numel()
        return loss.item()

    def averaged(self) -> dict[str, Tensor]:
        """The averaged weights: what is evaluated and published."""
        return self.optimizer.average

    def save(self) -> None:
        """Write the checkpoint beside the old one, then swap: a kill never leaves half a file."""
        new = self.folder / "checkpoint.new"
        torch.save({"optimizer": self.optimizer.state_dict(), "progress": vars(self.progress)}, new)
        new.replace(self.folder / "checkpoint.pt")

    def resume(self) -> bool:
        """Take up the checkpoint of this folder, if there is one."""
        path = self.folder / "checkpoint.pt"
        if not path.exists():
            return False
        state = torch.load(path, weights_only=True)
        self.optimizer.load_state_dict(state["optimizer"])
        self.progress = Progress(**state["progress"])
        return True


def bf16_pays() -> bool:
    """Whether this CPU multiplies bfloat16 natively (elsewhere it is slower than float32)."""
    return bool(torch.cpu._is_avx512_bf16_supported())


def train(
    run: Run, budget: Budget, look: Callable[[dict[str, Tensor]], dict[str, float]], report: Report
) -> None:
    """Train until the token target, the time budget or a SIGTERM; save in each case.

    Args:
        run: the run to continue.
        budget: how long.
        look: evaluates averaged weights; its figures go into the log with the speed and the ETA.
        report: receives one record per look.
    """
    stop: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: stop.append(number))
    begun = saved = looked = time.monotonic()
    losses: list[float] = []
    cores = time.process_time()
    tokens = run.progress.tokens
    run.model.train()
    while run.progress.tokens < run.recipe.target_tokens and not stop:
        losses.append(run.train_step())
        run.progress.core_seconds += time.process_time() - cores
        cores = time.process_time()
        now = time.monotonic()
        finished = now - begun > 60 * budget.minutes
        if finished or now - looked > 60 * budget.look_minutes:
            speed = (run.progress.tokens - tokens) / (now - looked)
            figures = look(run.averaged())
            report(_record(run, losses, speed) | figures)
            looked, tokens, losses, cores = (
                time.monotonic(),
                run.progress.tokens,
                [],
                time.process_time(),
            )
        if finished or now - saved > 60 * budget.save_minutes:
            run.save()
            saved = now
        if finished:
            return
    run.save()


def _record(run: Run, losses: Sequence[float], speed: float) -> dict[str, float]:
    left = run.recipe.target_tokens - run.progress.tokens
    return {
        "step": run.progress.step,
        "tokens": run.progress.tokens,
        "core_minutes": round(run.progress.core_seconds / 60, 1),
        "training_loss": round(sum(losses) / len(losses), 4),
        "tokens_per_second": round(speed),
        "eta_minutes": round(left / speed / 60),
    }


def log_to(path: Path) -> Report:
    """A report that appends JSON lines to a file and prints them."""

    def report(record: dict[str, float]) -> None:
        line = json.dumps(record)
        print(line, flush=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    return report


@torch.inference_mode()
def quick_loss(model: BertForMaskedLM, items: Sequence[MaskedItem]) -> dict[str, float]:
    """Held-out loss (nats) and top-1 over a few items: cheap enough for every look."""
    loss = hits = count = 0.0
    for item in items:
        hidden = model.bert(input_ids=item.ids[None]).last_hidden_state
        answers = model.cls(hidden[0, item.positions]).float().log_softmax(-1)
        loss -= float(answers.gather(1, item.targets[:, None]).sum())
        hits += float((answers.argmax(1) == item.targets).sum())
        count += len(item.targets)
    return {"held_out_loss": round(loss / count, 4), "held_out_top1": round(hits / count, 4)}


def shuffled(items: Iterator[MaskedItem] | Sequence[MaskedItem], count: int) -> list[MaskedItem]:
    """A fixed sample of the evaluation items for quick looks, spread over all sources."""
    every = list(items)
    return every[:: max(1, len(every) // count)][:count]
