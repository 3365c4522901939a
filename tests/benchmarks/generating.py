"""Our tokens per second beside transformers' `generate`: the same text, and how long each takes.

Run it with: python -m tests.benchmarks.generating [MODEL] [ENCODER-DECODER]

Both run in this process, in turn, on the same weights and texts, so that the ratio means something
on any machine. Ours stops for others between two tokens, and says of each its surprisal, its rank
and the entropy; `generate` says nothing but the tokens.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter

import torch

import models
from models.generating.beams import search
from models.generating.writing import source_of
from models.loading import Model
from models.trace import Cut, Drawing, Sentence

TEXT = Sentence("She opened the door and looked at")
ROUNDS, TOKENS, WIDTH = 15, 40, 4
CUT = Cut(0.9, 50, 0.95)


def main(name: str, reader: str) -> None:
    """Print one line per way of writing: tokens, tokens per second of both, and the ratio."""
    model = endless(models.load(name))
    ids = list(models.prompt(model, TEXT).ids)
    print("way       tokens  ours/s  generate/s  ours / generate (time)")
    compare("greedy", lambda: _ours(model, ids, Drawing()), lambda: _theirs(model, ids))
    compare("drawn", lambda: _ours(model, ids, Drawing(CUT, 1)), lambda: _drawn(model, ids))
    compare("beams", lambda: _our_beams(model, ids), lambda: _beams(model, ids))
    other = endless(models.load(reader))
    compare("written", lambda: _written(other), lambda: _their_written(other))


def endless(model: Model) -> Model:
    """The model with an end that it never comes to, so that both write as much as they may."""
    model.network.generation_config.eos_token_id = model.network.config.vocab_size - 1
    return model


def compare(way: str, ours: Callable[[], list[int]], theirs: Callable[[], list[int]]) -> None:
    """Both in turn, so that a busy machine slows both alike."""
    first, second = ours(), theirs()
    if first != second:
        raise SystemExit(f"{way}: the texts differ.\n{first}\n{second}")
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for action, spent in zip((ours, theirs), times, strict=True):
            start = perf_counter()
            action()
            spent.append(perf_counter() - start)
    a, b = (median(spent) for spent in times)
    count = len(first)
    print(f"{way:8}  {count:6}  {count / a:6.0f}  {count / b:10.0f}  {a / b:10.2f}")


def _ours(model: Model, ids: Sequence[int], drawing: Drawing) -> list[int]:
    return [token.id for token in models.continuation(model, ids, drawing, TOKENS)]


def _generate(model: Model, ids: Sequence[int], **choosing: object) -> list[int]:
    row = torch.tensor([list(ids)])
    found = model.network.generate(  # type: ignore[operator]
        row, attention_mask=torch.ones_like(row), max_new_tokens=TOKENS, **choosing
    )
    return list(found[0, len(ids) :].tolist())


def _theirs(model: Model, ids: Sequence[int]) -> list[int]:
    return _generate(model, ids, do_sample=False)


def _drawn(model: Model, ids: Sequence[int]) -> list[int]:
    torch.manual_seed(1)
    return _generate(model, ids, do_sample=True, **vars(CUT))


def _our_beams(model: Model, ids: Sequence[int]) -> list[int]:
    finished, _ = search(model, ids, WIDTH, TOKENS, None)  # not yet scored token by token
    return list(finished[0].ids)


def _beams(model: Model, ids: Sequence[int]) -> list[int]:
    return _generate(model, ids, do_sample=False, num_beams=WIDTH)


def _written(model: Model) -> list[int]:
    return [step.token.id for step in models.write(model, TEXT).steps]


def _their_written(model: Model) -> list[int]:
    source = source_of(model, TEXT).tensors
    found = model.network.generate(  # type: ignore[operator]
        **source, do_sample=False, num_beams=1, max_new_tokens=64
    )
    return list(found[0, 1:].tolist())


if __name__ == "__main__":
    main(*(sys.argv[1:] + ["gpt-s-en", "seq-s-en"][len(sys.argv) - 1 :]))
