"""The text of tokens as they come: what each of them adds to it.

Tokens decoded one by one lie: half a character becomes a replacement mark, and a space is lost or
gained. So the whole is decoded, and a token's own text is what it made the whole longer by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import log
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor

from models.generated import WrittenToken

if TYPE_CHECKING:
    from models.loading import Model

HALF = "\ufffd"
"""What a character looks like while some of its bytes are still missing."""
CHUNK = 64
"""Positions whose logits are held at once: a vocabulary is wide."""


class Spelling:
    """A text that grows by tokens."""

    def __init__(self, model: Model, ids: Iterable[int] = ()) -> None:
        self._model = model
        self._special = frozenset(model.tokenizer.all_special_ids)
        self._ids = list(ids)
        self._text = self._decoded()

    def add(self, token_id: int, logits: Float[Tensor, " vocabulary"] | None) -> WrittenToken:
        """The next token, with its numbers by the logits that it comes from (None: by nothing)."""
        self._ids.append(token_id)
        text = self._decoded()
        added = ""
        if not text.endswith(HALF):
            added, self._text = text[_common(self._text, text) :], text
        special = token_id in self._special
        piece = self._model.reader.spell((token_id,))[0]
        if logits is None:
            return WrittenToken(token_id, added, piece, special, None, None, None)
        return WrittenToken(token_id, added, piece, special, *numbers(logits, token_id))

    def _decoded(self) -> str:
        # The tokenizer's own decoder: it writes no word otherwise because of what comes after it.
        return str(self._model.tokenizer.backend_tokenizer.decode(self._ids))


def text_behind(model: Model, ids: Sequence[int], more: Sequence[int]) -> str:
    """The text that some tokens add to others."""
    decode = model.tokenizer.backend_tokenizer.decode
    before, whole = str(decode(list(ids))), str(decode([*ids, *more]))
    return whole[_common(before, whole) :]


def _common(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def numbers(logits: Float[Tensor, " vocabulary"], token_id: int) -> tuple[float, float, int]:
    """Surprisal of a token and entropy of the distribution, both in bits; its rank from 1."""
    log_p = logits.double().log_softmax(-1)
    entropy = -(log_p.exp() * log_p).nan_to_num(0.0).sum()
    rank = 1 + int((log_p > log_p[token_id]).sum())
    return -float(log_p[token_id]) / log(2), float(entropy) / log(2), rank


def chunks(ids: Sequence[int]) -> Iterator[Tensor]:
    """A text for a decoder to read, so much of it that its logits need little memory."""
    for start in range(0, len(ids), CHUNK):
        yield torch.tensor([list(ids[start : start + CHUNK])])
