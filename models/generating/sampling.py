"""Choosing the next token: the most probable one, or a draw from what a cut leaves.

The arithmetic is that of transformers' `generate`, step by step and in float32, so that the same
seed draws the same text there and here (`tests/unit/test_generating.py` compares).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from models.generated import Cut, Drawing

Logits = Float[Tensor, " vocabulary"]


class Choice(NamedTuple):
    """A token, and the probability with which it was drawn; None if nothing was left to chance."""

    id: int
    share: float | None


class Chooser:
    """Chooses one token after another, with a generator that is nobody else's."""

    def __init__(self, drawing: Drawing, vocabulary: int) -> None:
        self._cut = drawing.cut
        self._generator = torch.Generator().manual_seed(drawing.seed)
        if self._cut is not None:
            for _ in range(drawing.skip):  # every draw takes as much chance, whatever it draws from
                self._draw(torch.ones(vocabulary))

    def choose(self, logits: Logits) -> Choice:
        """The next token."""
        if self._cut is None:
            return Choice(int(logits.argmax()), None)
        shares = cut_logits(logits, self._cut).softmax(-1)
        drawn = self._draw(shares)
        return Choice(drawn, float(shares[drawn]))

    def _draw(self, shares: Float[Tensor, " vocabulary"]) -> int:
        return int(torch.multinomial(shares, 1, generator=self._generator))


def cut_logits(logits: Logits, cut: Cut) -> Logits:
    """Logits after a cut: −inf where a token may not be drawn."""
    logits = logits / cut.temperature
    if cut.top_k:
        least = logits.topk(min(cut.top_k, len(logits))).values[-1]
        logits = logits.masked_fill(logits < least, -torch.inf)  # what equals the last one stays
    if cut.top_p < 1:
        from_below, order = logits.sort()
        outside = from_below.softmax(-1).cumsum(-1) <= 1 - cut.top_p
        outside[-1] = False  # one token stays in any case
        logits = logits.masked_fill(outside.scatter(0, order, outside), -torch.inf)
    return logits
