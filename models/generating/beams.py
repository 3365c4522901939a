"""Beam search: several texts grow side by side, and the most probable ones go on.

Step by step as in transformers' `generate` (`early_stopping=False`), which the tests compare with:
twice as many extensions are looked at as there are beams, so that enough of them have not ended;
one that ends counts if it is among the best; the search stops when no text that goes on could still
beat the worst finished one, at its present length.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor

from models.generated import Beam, BeamSearch, Drawing, Extension, Fate, WrittenToken
from models.generated import total_nats as total
from models.generating import snippets
from models.generating.continuing import continuation, forced, read_on
from models.generating.decoder import decoder_of, ends
from models.generating.spelling import text_behind

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None
WIDEST, LONGEST = 10, 60
LENGTH_PENALTY = 1.0


@dataclass(frozen=True)
class Hypothesis:
    """A text that a search has come to."""

    ids: tuple[int, ...]
    """What was written; without the prompt."""
    log_p: float
    parent: int = 0
    """The row that it continues."""

    def score(self) -> float:
        """What finished texts are ranked by."""
        return self.log_p / len(self.ids) ** LENGTH_PENALTY


def beam_search(
    model: Model, ids: Sequence[int], width: int, most: int, check: Check = None
) -> BeamSearch:
    """See `models.writing.beam_search`."""
    width, most = min(width, WIDEST), min(most, LONGEST, model.max_tokens - len(ids))
    finished, steps = search(model, ids, width, most, check)
    last = ends(model)
    best = tuple(continuation(model, ids, Drawing(), most))
    return BeamSearch(
        beams=tuple(_beam(forced(model, ids, each.ids, check), last, each) for each in finished),
        greedy=_beam(best, last),
        steps=_told(model, ids, steps),
        width=width,
        most=most,
        provenance=model.provenance,
        snippet=snippets.beams(model, ids, width, most, LENGTH_PENALTY),
    )


Step = list[tuple[Hypothesis, Fate]]


def search(
    model: Model, ids: Sequence[int], width: int, most: int, check: Check
) -> tuple[list[Hypothesis], list[Step]]:
    """The finished texts, best first, and all that was looked at."""
    decoder, last = decoder_of(model), ends(model)
    logits = read_on(decoder, ids, check)[None]
    running, finished, steps = [Hypothesis((), 0.0)], list[Hypothesis](), list[Step]()
    for length in range(1, most + 1):
        if check is not None:
            check()
        found = extensions(running, logits, max(2, 1 + len(last)) * width)
        ended = [each.ids[-1] in last or length == most for each in found]
        done = [each for each, end in zip(found[:width], ended, strict=False) if end]
        running = [each for each, end in zip(found, ended, strict=True) if not end][:width]
        finished = sorted([*finished, *done], key=lambda each: -each.score())[:width]
        steps.append([(each, _fate(each, done, running)) for each in found])
        if not running or _nothing_better(running, finished, width, length):
            break
        decoder.keep([each.parent for each in running])
        logits = decoder.read(torch.tensor([[each.ids[-1]] for each in running]))[:, -1]
    return finished, steps


def extensions(
    running: Sequence[Hypothesis], logits: Float[Tensor, "row vocabulary"], count: int
) -> list[Hypothesis]:
    """The most probable texts that are one token longer, best first."""
    before = torch.tensor([each.log_p for each in running])
    totals = logits.log_softmax(-1) + before[:, None]
    best = totals.flatten().topk(min(count, totals.numel()))
    places = (divmod(int(index), logits.shape[1]) for index in best.indices)
    return [
        Hypothesis((*running[row].ids, token_id), float(value), row)
        for value, (row, token_id) in zip(best.values, places, strict=True)
    ]


def _fate(each: Hypothesis, done: list[Hypothesis], running: list[Hypothesis]) -> Fate:
    if each in done:
        return "finished"
    return "kept" if each in running else "dropped"


def _nothing_better(
    running: Sequence[Hypothesis], finished: Sequence[Hypothesis], width: int, length: int
) -> bool:
    """No running text, if it ended now, would beat the worst of enough finished ones."""
    if len(finished) < width:
        return False
    return running[0].log_p / length**LENGTH_PENALTY <= finished[-1].score()


def _beam(
    tokens: tuple[WrittenToken, ...], last: frozenset[int], found: Hypothesis | None = None
) -> Beam:
    log_p = total(tokens) if found is None else found.log_p
    score = log_p / max(1, len(tokens)) ** LENGTH_PENALTY
    return Beam(tokens, log_p, score, bool(tokens) and tokens[-1].id in last)


def _told(
    model: Model, ids: Sequence[int], steps: Sequence[Step]
) -> tuple[tuple[Extension, ...], ...]:
    """What was looked at, as text."""
    texts: dict[tuple[int, ...], str] = {(): ""}
    for step in steps:
        texts |= {each.ids: text_behind(model, ids, each.ids) for each, _ in step}
    return tuple(
        tuple(_extension(model, each, fate, texts) for each, fate in step) for step in steps
    )


def _extension(
    model: Model, each: Hypothesis, fate: Fate, texts: Mapping[tuple[int, ...], str]
) -> Extension:
    text, before = texts[each.ids], texts[each.ids[:-1]]
    added = text[len(before) :].strip() or model.reader.spell(each.ids[-1:])[0]
    return Extension(each.parent, text.strip(), added, each.log_p, fate)
