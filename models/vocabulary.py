"""What a model's vocabulary entries look like to a reader."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import numpy.typing as npt
from transformers import PreTrainedTokenizerFast

from models.results import Candidate

UNUSED = re.compile(r"\[unused\d+\]")


class Vocabulary:
    """The entries of one tokenizer: how they read, and which of them are words at all.

    Args:
        tokenizer: Any fast tokenizer.
        size: Rows of the model's output, which may be padded beyond the tokenizer's own entries.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerFast, size: int) -> None:
        self._tokenizer = tokenizer
        state = json.loads(tokenizer.backend_tokenizer.to_str())
        self._suffix_mark: str | None = state["model"].get("continuing_subword_prefix")
        self._space_mark = space_mark(state)
        special = set(tokenizer.all_special_ids)
        self._pieces = [tokenizer.backend_tokenizer.id_to_token(i) for i in range(size)]
        self.is_word: npt.NDArray[np.bool_] = np.array(
            [
                piece is not None and i not in special and not UNUSED.fullmatch(piece)
                for i, piece in enumerate(self._pieces)
            ]
        )
        """Shape (size,). False for special tokens, unused entries and padding rows."""
        self.words = int(self.is_word.sum())
        """How many entries can be an answer."""

    def candidate(self, token_id: int, probability: float) -> Candidate:
        """The entry as an answer, written as a reader would write it."""
        text, continuation = self._written(token_id)
        return Candidate(text, token_id, probability, continuation)

    def _written(self, token_id: int) -> tuple[str, bool]:
        """The entry without its marks, and whether it continues the word before it."""
        piece = str(self._pieces[token_id])
        if self._suffix_mark and piece.startswith(self._suffix_mark):
            return piece[len(self._suffix_mark) :], True
        if self._space_mark is None:
            return piece, False
        text = str(self._tokenizer.decode([token_id])).strip()
        return text, not piece.startswith(self._space_mark)


def space_mark(state: dict[str, Any]) -> str | None:
    """How a tokenizer that keeps spaces writes the one before a word; None if it drops them."""
    steps = json.dumps([state["pre_tokenizer"], state["decoder"]])
    if '"ByteLevel"' in steps:
        return "Ġ"
    return "▁" if '"Metaspace"' in steps else None
