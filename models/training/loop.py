"""The training loop: step, look at held-out text now and then, save, stop when asked."""

from __future__ import annotations

import copy
import json
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor
from transformers import PreTrainedModel

from models.training.batches import TokenStore
from models.training.devices import ALONE, World, bf16_pays
from models.training.looks import Question, quick_figures
from models.training.objectives import Special
from models.training.optimizer import MasterAdamW
from models.training.pairs import PairStore
from models.training.readouts import mean_loss
from models.training.recipe import Recipe, learning_rate
from models.training.tasks import TASKS

MOMENTS = "moments"  # the folder of weights kept on the way

Report = Callable[[dict[str, float]], None]


@dataclass
class Progress:
    """How far a run has come; saved with the weights."""

    step: int = 0
    tokens: int = 0
    core_seconds: float = 0.0
    wall_seconds: float = 0.0


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
        model: PreTrainedModel,
        store: TokenStore | PairStore,
        special: Special,
        recipe: Recipe,
        folder: Path,
        world: World = ALONE,
    ) -> None:
        self.recipe, self.store, self.folder, self.world = recipe, store, folder, world
        self.special = special.on(world.device)
        for name, parameter in model.named_parameters():
            parameter.requires_grad_(name not in recipe.frozen and not is_formula(name))
        self.twin = copy.deepcopy(model).eval()  # in float32: shows the averaged weights
        model = model.to(world.device)  # type: ignore[arg-type]
        self.optimizer = MasterAdamW(model, recipe.weight_decay, recipe.average_steps)
        self.model = model.bfloat16() if bf16_pays(world.device) else model
        # .bfloat16() replaces the data of the parameters, which the optimizer therefore still holds
        self.progress = Progress()
        folder.mkdir(parents=True, exist_ok=True)

    def train_step(self) -> float:
        """One batch forward, backward and update; return its loss."""
        progress = self.progress
        recipe = self.recipe.at(progress.tokens)
        special = replace(self.special, avoidance=recipe.avoid_echoes)
        draw = progress.step * self.world.size + self.world.rank  # no two processes draw the same
        ids = self.store.draw(recipe, draw).to(self.world.device)
        generator = torch.Generator(self.world.device).manual_seed(recipe.seed * 1_000_003 + draw)
        objective = TASKS[recipe.objective]
        loss = mean_loss(objective(self.model, ids, special, recipe.mask_rate, generator))
        loss.backward()
        self.world.average_gradients(self.optimizer.parameters.values())
        rate = learning_rate(recipe, progress.step, progress.tokens)
        self.optimizer.step(rate, progress.step)
        before = progress.tokens
        progress.step += 1
        progress.tokens += self.world.total(ids.numel())
        if self.world.first and any(before < at <= progress.tokens for at in recipe.keep_at):
            self.keep()
        return loss.item()

    def keep(self) -> None:
        """Keep the averaged weights of this moment in fp16, to replay the run later."""
        folder = self.folder / MOMENTS
        folder.mkdir(exist_ok=True)
        weights = {name: p.half().cpu() for name, p in self.averaged().items()}
        save_file(weights, folder / f"{self.progress.tokens:09d}.safetensors")

    def averaged(self) -> dict[str, Tensor]:
        """The averaged weights: what is evaluated and published."""
        return self.optimizer.average

    def look(self, questions: Sequence[Question]) -> dict[str, float]:
        """Held-out figures of the averaged weights."""
        self.twin.load_state_dict(self.averaged(), strict=False)
        return quick_figures(self.twin, questions)

    def save(self) -> None:
        """Write the checkpoint beside the old one, then swap: a kill never leaves half a file."""
        if not self.world.first:
            return
        new = self.folder / "checkpoint.new"
        torch.save({"optimizer": self.optimizer.state_dict(), "progress": vars(self.progress)}, new)
        new.replace(self.folder / "checkpoint.pt")

    def resume(self) -> bool:
        """Take up the checkpoint of this folder, if there is one."""
        path = self.folder / "checkpoint.pt"
        if not path.exists():
            return False
        state = torch.load(path, weights_only=True, map_location=self.world.device)
        self.optimizer.load_state_dict(state["optimizer"])
        self.progress = Progress(**state["progress"])
        return True


def is_formula(name: str) -> bool:
    """Whether a parameter is a Transformer's table of sinusoids: it follows from a formula.

    transformers neither saves it nor keeps it from being trained.
    """
    return name.endswith("embed_positions.weight")


def train(run: Run, budget: Budget, questions: Sequence[Question], report: Report) -> None:
    """Train until the token target, the time budget or a SIGTERM; look and save in each case.

    Args:
        run: the run to continue.
        budget: how long.
        questions: what each look asks; its figures go into the log with the speed and the ETA.
        report: receives one record per look.
    """
    stop: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: stop.append(number))
    begun = saved = looked = before = time.monotonic()
    losses: list[float] = []
    cores, tokens = time.process_time(), run.progress.tokens
    run.model.train()
    while run.progress.tokens < run.recipe.target_tokens and not stop:
        losses.append(run.train_step())
        run.progress.core_seconds += time.process_time() - cores
        cores, now = time.process_time(), time.monotonic()
        run.progress.wall_seconds += now - before
        before = now
        if now - begun > 60 * budget.minutes:
            break
        if due(run.recipe, run.progress.tokens - tokens, now - looked, budget):
            report(_record(run, losses, (run.progress.tokens - tokens) / (now - looked), questions))
            looked, tokens, losses = time.monotonic(), run.progress.tokens, []
            cores, before = time.process_time(), looked  # looks are no training
        if now - saved > 60 * budget.save_minutes:
            run.save()
            saved = now
    run.save()
    if losses:
        speed = (run.progress.tokens - tokens) / max(time.monotonic() - looked, 1e-9)
        report(_record(run, losses, speed, questions))


def due(recipe: Recipe, tokens: int, seconds: float, budget: Budget) -> bool:
    """Whether it is time for a look: a short run's curve has its points at fixed tokens."""
    if recipe.look_every:
        return tokens >= recipe.look_every
    return seconds > 60 * budget.look_minutes


def _record(
    run: Run, losses: Sequence[float], speed: float, questions: Sequence[Question]
) -> dict[str, float]:
    left = run.recipe.target_tokens - run.progress.tokens
    return {
        "step": run.progress.step,
        "tokens": run.progress.tokens,
        "core_minutes": round(run.progress.core_seconds / 60, 1),
        "wall_minutes": round(run.progress.wall_seconds / 60, 1),
        "training_loss": round(sum(losses) / len(losses), 4),
        "tokens_per_second": round(speed),
        "eta_minutes": round(left / speed / 60),
        **run.look(questions),
    }


def log_to(path: Path | None) -> Report:
    """A report that appends JSON lines to a file and prints them; without a file, none."""

    def report(record: dict[str, float]) -> None:
        if path is None:
            return
        line = json.dumps(record)
        print(line, flush=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    return report
