"""Time an LSTM and a Transformer with as many parameters, by length, with one thread and with two.

    python -m models.training.speeds

writes models/zoo/speed.json. Both have the sizes of the matched family and first weights drawn by
seed: how long a network takes does not depend on what it has learned. Every round measures all of
them once, in turn, so that what else the machine does meanwhile meets all alike; yet two threads
wait for each other, so run it on a machine that does nothing else. A minute or two; nothing but the
repository is needed. `models.recurrence` reads it and judges.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from itertools import product
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel

from models.catalog import ZOO
from models.recurrence import FILE, KINDS, Rival, Work
from models.training.objectives import Special
from models.training.starts import STARTS

SEED = 0
LENGTHS = (8, 16, 32, 64, 128)
THREADS = (1, 2)
WORKS: tuple[Work, ...] = ("read", "learn")
ROUNDS, REPEATS = 9, 2
VOCABULARY = 8_192


def build(kind: Rival, size: int = VOCABULARY) -> PreTrainedModel:
    """One of the two, with its first weights."""
    torch.manual_seed(SEED)
    return STARTS[kind](size, Special(0, 1, 2, 3, 4)).eval()


def reading(network: PreTrainedModel, ids: Tensor) -> None:
    """Forward."""
    with torch.inference_mode():
        network(input_ids=ids)


def learning(network: PreTrainedModel, ids: Tensor) -> None:
    """Forward and backward; the gradients are thrown away."""
    network(input_ids=ids, labels=ids).loss.backward()
    network.zero_grad(set_to_none=True)


DO: dict[Work, Callable[[PreTrainedModel, Tensor], None]] = {"read": reading, "learn": learning}


def milliseconds(run: Callable[[], None], repeats: int = REPEATS) -> float:
    """The shortest of a few times: what disturbs only adds."""
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        run()
        times.append(time.perf_counter() - begun)
    return 1_000 * min(times)


def measure(
    networks: dict[Rival, PreTrainedModel], lengths: tuple[int, ...], rounds: int
) -> list[dict[str, Any]]:
    """A row for each kind, work, number of threads and length."""
    generator = torch.Generator().manual_seed(SEED)
    size = networks["gpt"].config.vocab_size
    texts = {n: torch.randint(5, size, (1, n), generator=generator) for n in lengths}
    cells = list(product(KINDS, WORKS, THREADS, lengths))
    found: dict[tuple[Any, ...], list[float]] = {cell: [] for cell in cells}
    before = torch.get_num_threads()
    try:
        for _ in range(rounds):
            for kind, work, threads, tokens in cells:
                torch.set_num_threads(threads)
                took = milliseconds(partial(DO[work], networks[kind], texts[tokens]))
                found[kind, work, threads, tokens].append(round(took, 3))
    finally:
        torch.set_num_threads(before)
    names = ("kind", "work", "threads", "tokens")
    return [dict(zip(names, cell, strict=True)) | {"ms": ms} for cell, ms in found.items()]


def run(
    lengths: tuple[int, ...] = LENGTHS, rounds: int = ROUNDS, size: int = VOCABULARY
) -> dict[str, Any]:
    """The whole measurement."""
    networks = {kind: build(kind, size) for kind in KINDS}
    measure(networks, lengths[:1], 1)  # what is made on the first call only
    timed = measure(networks, lengths, rounds)
    return {
        "seed": SEED,
        "parameters": {kind: network.num_parameters() for kind, network in networks.items()},
        "layers": {k: int(network.config.num_hidden_layers) for k, network in networks.items()},
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[1], 1),  # over five minutes: about as long as it takes
        "versions": {name: version(name) for name in ("torch", "transformers")},
        "timed": timed,
    }


def main() -> None:
    """Run it and write it down."""
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    text = json.dumps(run(), separators=(",", ":"))
    (ZOO / FILE).write_text(text + "\n", encoding="utf-8")
    print(f"written: {ZOO / FILE}")


if __name__ == "__main__":
    main()
