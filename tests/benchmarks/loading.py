"""What loading costs beside plain `from_pretrained`, and whether memory stays where it is.

    python -m tests.benchmarks.loading

Each load is a process of its own, so that its peak memory is its own, and ends with one forward
pass: plain loading only maps the file into memory, and reads it then. Then ten models go round and
round through a cache of 2 GB; the memory of the process is read after every load.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import fmean, median

ROOT = Path(__file__).parents[2]
GROWTH = 0.05
"""Of the memory, from the second round to the last: more is not flat."""

MEASURE = """
import json, sys, time
sys.path.insert(0, {root!r})
import models.loading, transformers.models.bert.modeling_bert  # not part of either
{imports}
def peak():
    lines = open("/proc/self/status").read().splitlines()
    return int(next(x for x in lines if x.startswith("VmHWM")).split()[1]) / 1024
before, began = peak(), time.perf_counter()
{load}
print(json.dumps([time.perf_counter() - began, peak() - before]))
"""
PLAIN = (
    "import torch; from transformers import AutoModelForMaskedLM, AutoTokenizer",
    """given = {{"pretrained_model_name_or_path": {folder!r}, "local_files_only": True}}
AutoTokenizer.from_pretrained(**given)
network = AutoModelForMaskedLM.from_pretrained(**given, dtype=torch.float32)
network(torch.tensor([[2, 5, 3]]))""",
)
OURS = (
    "import torch; from models.loading import load",
    "load('dir:' + {folder!r}).network(torch.tensor([[2, 5, 3]]))",
)


def build(folder: Path, layers: int) -> Path:
    """A BERT as wide as the published one, with random weights and a real tokenizer."""
    from transformers import BertConfig, BertForMaskedLM, BertTokenizer

    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{x}" for x in letters)]
    BertTokenizer(vocab={word: i for i, word in enumerate(words)}).save_pretrained(folder)
    BertForMaskedLM(BertConfig(num_hidden_layers=layers)).save_pretrained(folder)
    return folder


def measured(way: tuple[str, str], folder: Path) -> tuple[float, float]:
    """Seconds and megabytes at the peak, of one load in a fresh process."""
    imports, load = way
    code = MEASURE.format(root=str(ROOT), imports=imports, load=load.format(folder=str(folder)))
    environment = os.environ | {"UNMASK_MODEL_ROOTS": str(folder.parent), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    seconds, megabytes = json.loads(done.stdout.splitlines()[-1])
    return seconds, megabytes


def compare(folder: Path, rounds: int) -> None:
    """Loads in turn, ours and plain, and prints the ratios of their medians."""
    found: dict[str, list[tuple[float, float]]] = {"plain": [], "ours": []}
    for _ in range(rounds):
        for name, way in (("plain", PLAIN), ("ours", OURS)):
            found[name].append(measured(way, folder))
    time, memory = (
        {name: median(each[which] for each in runs) for name, runs in found.items()}
        for which in (0, 1)
    )
    print(f"time: {time['ours'] / time['plain']:.2f} x plain from_pretrained "
          f"({time['ours']:.2f} s beside {time['plain']:.2f} s; median of {rounds})")  # fmt: skip
    print(f"peak memory: {memory['ours'] / memory['plain']:.2f} x "
          f"({memory['ours']:.0f} MB beside {memory['plain']:.0f} MB)")  # fmt: skip


def cycle(folder: Path, count: int, rounds: int) -> bool:
    """Ten models through 2 GB, again and again; returns whether the memory stayed flat."""
    for number in range(count):
        twin = folder.parent / f"twin-{number}"
        twin.mkdir()
        for file in folder.iterdir():
            os.link(file, twin / file.name)
    os.environ["UNMASK_MODEL_ROOTS"] = str(folder.parent)
    from models.loading import Shelf
    from models.prediction import predict
    from models.results import Sentence

    shelf = Shelf(room=2_000_000_000)
    means, most = [], 0
    for _ in range(rounds):
        resident = []
        for number in range(count):
            predict(shelf.get(f"dir:twin-{number}"), Sentence("a [MASK] b"))
            resident.append(megabytes_now())
            most = max(most, shelf.taken)
        means.append(fmean(resident))
    told = ", ".join(f"{each:.0f}" for each in means)
    print(f"{count} models through 2 GB: weights at most {most / 1e6:.0f} MB; resident {told} MB,")
    print(f"the mean of each round: {means[-1] / means[1] - 1:+.1%} from the second to the last")
    return means[-1] <= means[1] * (1 + GROWTH) and most <= 2_000_000_000


def megabytes_now() -> float:
    """Resident memory of this process (Linux)."""
    (line,) = (
        x for x in Path("/proc/self/status").read_text().splitlines() if x.startswith("VmRSS")
    )
    return int(line.split()[1]) / 1024


def main() -> int:
    """Print both, and fail if memory grows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layers", type=int, default=12, help="12: as bert-base")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = build(Path(scratch) / "model", given.layers)
        compare(folder, given.rounds)
        return 0 if cycle(folder, 10, max(3, given.rounds)) else 1


if __name__ == "__main__":
    sys.exit(main())
