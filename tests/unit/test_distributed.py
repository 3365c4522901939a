"""Several processes train one model: the same step for all, from the mean of their gradients."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import torch

SCRIPT = """
import json, sys
from pathlib import Path
import torch
from models.training.devices import join
from tests.unit.test_training import RECIPE, SPECIAL_IDS, counting_store, tiny_bert
from models.training.loop import Run

world = join()
run = Run(tiny_bert(), counting_store(), SPECIAL_IDS, RECIPE, Path(sys.argv[1]), world)
losses = [run.train_step() for _ in range(2)]
run.save()
weight = run.optimizer.master["bert.encoder.layer.0.output.dense.weight"]
total = float(weight.detach().double().abs().sum())
print(json.dumps([world.rank, losses, total, run.progress.tokens]))
"""


def test_processes_draw_different_batches_and_take_the_same_step(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    both = []
    for rank in (0, 1):
        told = {"RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1",
                "MASTER_PORT": str(port), "OMP_NUM_THREADS": "1"}  # fmt: skip
        arguments = [sys.executable, "-c", SCRIPT, str(tmp_path)]
        environment = os.environ | told | {"PYTHONPATH": str(Path(__file__).parents[2])}
        both.append(subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, text=True))
    first, second = (json.loads(p.communicate(timeout=120)[0].splitlines()[-1]) for p in both)
    assert (first[0], second[0]) == (0, 1)
    assert first[1] != second[1]  # the losses of their own batches
    assert first[2] == second[2]  # the weights after two common steps
    assert first[3] == second[3] > 2 * 2 * 128
    saved = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    assert saved["progress"]["step"] == 2
