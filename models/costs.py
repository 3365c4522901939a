"""What it takes to look at all heads on a text, told before it is done; and parts of long texts.

An estimate: the products that the network has to compute, at the speed with which this machine
multiplies, and a few passes over every weight. It is right within a factor of about two on a
machine that does nothing else (`tests/benchmarks/attention.py` prints both).
"""

from __future__ import annotations

import time
from functools import lru_cache
from typing import TYPE_CHECKING

import torch

from models.heads import Cost, TextSize
from models.maps import block_for
from models.reading import Reading, step_back
from models.results import Sentence
from models.settings import settings
from models.tracing import NAME
from models.wiring import prepare

if TYPE_CHECKING:
    from models.loading import Model

MOST_SECONDS, MOST_MEMORY, MOST_SENT = 20.0, 256_000_000, 8_000_000
"""Beyond one of these, a shorter part of the text has to be chosen."""
PER_WEIGHT = 55e-9
"""Seconds for each weight: softmax, statistics, blocks and bytes."""
HELD, PER_TOKEN, PAGE = 18, 120, 60_000
"""Bytes: held at once for each weight of a layer; sent for each token's name; sent in any case."""
ENDLESS = 10**9
LEAST = 16
"""Tokens: so short a part is looked at however slow the machine is, or nothing could be shown."""


def cost(model: Model, tokens: int) -> Cost:
    """To look at all heads on so many tokens (of an encoder-decoder, on each of both sides)."""
    wiring = prepare(model.network, NAME)
    depth = sum(wiring.depth.values()) + (wiring.depth["decoder"] if len(wiring.depth) > 1 else 0)
    heads, shown = max(wiring.heads.values(), default=0), max(wiring.depth.values(), default=0)
    weights = heads * tokens**2
    width = int(getattr(model.network.config, "hidden_size", 0))
    products = 2 * _matrices(model) * tokens + 4 * depth * width * tokens**2
    block = block_for(tokens, tokens)
    cells = -(-tokens // block)
    bytes_of = shown * heads * cells * (cells + 4) * (1 if block == 1 else 2)
    return Cost(
        tokens=tokens,
        seconds=products / speed() + depth * weights * PER_WEIGHT,
        memory=HELD * weights + 16 * width * tokens + bytes_of,
        sent=PAGE + bytes_of + 4 * tokens**2 + PER_TOKEN * tokens,
        layer=weights + 4 * heads * tokens + PER_TOKEN * tokens,
    )


def _matrices(model: Model) -> int:
    """How many numbers each token is multiplied with; a table of vectors is only looked up."""
    tables = (m for m in model.network.modules() if isinstance(m, torch.nn.Embedding))
    looked_up = {table.weight.data_ptr(): table.weight.numel() for table in tables}
    return sum(p.numel() for p in model.network.parameters()) - sum(looked_up.values())


@lru_cache(maxsize=1)
def speed() -> float:
    """Multiplications and additions a second; measured once, for some milliseconds."""
    first, second = torch.ones(256, 768), torch.ones(768, 768)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        torch.mm(first, second)
        times.append(time.perf_counter() - start)
    return 2 * 256 * 768 * 768 / min(times)


def fits(cost: Cost) -> bool:
    """Whether it is within the limits."""
    within = cost.seconds <= MOST_SECONDS and cost.memory <= MOST_MEMORY
    return within and cost.sent <= MOST_SENT


def affordable(model: Model) -> int:
    """The most tokens that the model reads and that are within the limits; `LEAST` in any case."""
    fewest, most = min(LEAST, model.max_tokens), model.max_tokens
    if fits(cost(model, most)):
        return most
    while most - fewest > 1:
        middle = (fewest + most) // 2
        fewest, most = (middle, most) if fits(cost(model, middle)) else (fewest, middle)
    return fewest


def text_size(model: Model, sentence: Sentence) -> TextSize:
    """See `models.attention`."""
    reading = _all_of(model, sentence.text)
    added = sum(start == end for start, end in reading.offsets)
    tokens, most = len(reading.ids), affordable(model)
    return TextSize(tokens, added, model.max_tokens, most, cost(model, min(tokens, most)))


def _all_of(model: Model, text: str) -> Reading:
    return model.reader.read(text, settings().max_characters, ENDLESS)


def part_of(model: Model, sentence: Sentence, first: int, last: int) -> Sentence:
    """See `models.attention`."""
    text = sentence.text
    spans = [span for span in _all_of(model, text).offsets if span[0] < span[1]]
    if not spans:
        return sentence
    first = min(max(first, 0), len(spans) - 1)
    last = min(max(last, first), len(spans) - 1)
    start, end = spans[first][0], spans[last][1]
    start = step_back(text, start, 0) if first else 0
    start += len(text[start:end]) - len(text[start:end].lstrip())
    hidden = [(a - start, b - start) for a, b in sentence.hidden if start <= a and b <= end]
    return Sentence(text[start:end], tuple(hidden))
