"""What tracing costs: ``python -m tests.benchmarks.tracing`` prints a Markdown table.

Times are ratios to transformers' own eager forward pass on the same tokens: medians over rounds in
which all contestants take turns, in processor time of the one thread that computes, so that other
work on the machine counts little. Weights are random: they do not change the cost. Memory is
measured in a fresh process for each case, and needs Linux.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import re
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

from models.loading import Model
from models.reading import Reader
from models.results import Provenance
from models.traces import Record, Trace
from models.tracing import trace
from models.vocabulary import Vocabulary

SIZES = {"6 x 12 heads, width 384": (6, 384), "12 x 12 heads, width 768": (12, 768)}
LENGTHS = (16, 64, 128, 512)
WORDS = [a + b for a in "abcdefghijklmno" for b in "abcdefghijklm"]
"""A small vocabulary: a wide output layer would hide what tracing costs."""


def build(layers: int, width: int, attention: str) -> BertForMaskedLM:
    """A BERT of some size; the same weights for every way to compute attention."""
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=4 + len(WORDS),
        num_hidden_layers=layers,
        hidden_size=width,
        intermediate_size=4 * width,
        num_attention_heads=12,
    )
    config._attn_implementation = attention
    return BertForMaskedLM(config).eval().requires_grad_(False)


def wrap(network: BertForMaskedLM) -> Model:
    """The network as the app would hold it."""
    entries = ["[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    tokenizer = Tokenizer(models.WordLevel({w: i for i, w in enumerate(entries)}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", mask_token="[MASK]",
        cls_token="[CLS]", sep_token="[SEP]",
    )  # fmt: skip
    stamp = Provenance("random", "0" * 12, "float32", ())
    vocabulary = Vocabulary(fast, len(entries))
    return Model("random", network, fast, Reader(fast), vocabulary, 512, stamp, "masked")


def text_of(length: int) -> str:
    """So many tokens, start and end included."""
    return " ".join(WORDS[i % len(WORDS)] for i in range(length - 2))


def milliseconds(run: Callable[[], object]) -> float:
    """Processor time of one call."""
    start = time.thread_time()
    run()
    return 1000 * (time.thread_time() - start)


def compare(layers: int, width: int, length: int, rounds: int) -> dict[str, float]:
    """Median ms of eager, and for the others the median of their ratios to it."""
    eager, fused = build(layers, width, "eager"), build(layers, width, "sdpa")
    model, text = wrap(build(layers, width, "eager")), text_of(length)
    ids = torch.tensor([model.reader.read(text, 10_000, 512).ids])
    everything = ("weights", "scores", "query", "key", "value", "context", "hidden_states")
    contestants: dict[str, Callable[[], object]] = {
        "eager": torch.inference_mode()(lambda: eager(input_ids=ids)),
        "sdpa": torch.inference_mode()(lambda: fused(input_ids=ids)),
        "untraced": torch.inference_mode()(lambda: model.network(input_ids=ids)),
        "weights": lambda: trace(model, text, record="weights"),
        "one head": lambda: trace(model, text, record=Record("weights", (0,), (0,))),
        "everything": lambda: trace(model, text, record=everything),
        "eager output": torch.inference_mode()(
            lambda: eager(input_ids=ids, output_attentions=True)
        ),
    }
    times: dict[str, list[float]] = {name: [] for name in contestants}
    contestants["weights"]()  # routes the model's attention, once
    for number in range(rounds + 1):
        for name, run in contestants.items():
            took = milliseconds(run)
            if number:  # the first round warms up
                times[name].append(took)
    ratios = {
        name: median(mine / eager for mine, eager in zip(values, times["eager"], strict=True))
        for name, values in times.items()
    }
    return {**ratios, "eager": median(times["eager"])}


def held(seen: Trace) -> int:
    """Bytes of attention in a trace."""
    layers = seen.stack.attention.values()
    return sum(array.nbytes for layer in layers for array in layer.arrays.values())


def memory(record: str | Record, layers: int, width: int, pipe: object) -> None:
    """In a process of its own: bytes held by a 512-token trace, and how far memory peaked."""
    torch.set_num_threads(1)
    model = wrap(build(layers, width, "eager"))
    trace(model, text_of(16), record="weights")
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = peak_bytes()
    seen = trace(model, text_of(512), record=record)
    pipe.send((held(seen), peak_bytes() - before))  # type: ignore[attr-defined]


def peak_bytes() -> int:
    """The most memory this process has had since its peak was last forgotten."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])  # type: ignore[index]


def measure_memory(record: str | Record, layers: int, width: int) -> tuple[int, int]:
    """(bytes held, bytes of peak growth)."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    child = context.Process(target=memory, args=(record, layers, width, there))
    child.start()
    result: tuple[int, int] = here.recv()
    child.join()
    return result


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}, one thread, {asked.rounds} rounds, ratios to eager\n")
    print(
        "| model | tokens | eager | sdpa | ours, untraced | weights of all layers "
        "| one head | everything | eager with output_attentions |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for name, size in SIZES.items():
        for length in asked.lengths:
            ms = compare(*size, length, asked.rounds)
            base = ms.pop("eager")
            ratios = " | ".join(f"{value:.2f}x" for value in ms.values())
            print(f"| {name} | {length} | {base:.1f} ms | {ratios} |", flush=True)
    print("\n| 512 tokens | asked | held by the trace | peak growth of the process |")
    print("|---|---|---|---|")
    cases = {
        "nothing of attention": Record("hidden_states", (0,)),
        "one head": Record("weights", (0,), (0,)),
        "one layer": Record("weights", (0,)),
        "all heads": "weights",
    }
    for name, size in SIZES.items():
        for label, record in cases.items():
            kept, peak = measure_memory(record, *size)
            print(f"| {name} | {label} | {kept / 2**20:.1f} MiB | {peak / 2**20:.0f} MiB |")


if __name__ == "__main__":
    main()
