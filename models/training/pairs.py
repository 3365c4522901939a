"""Pairs of texts as token ids, and batches of them: what a translator reads.

Texts of one side lie one after another in a single array, as in `TokenStore`. A batch takes pairs
whose two lengths are alike, so that little is padded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int, UInt16
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from models.training.recipe import Recipe
from models.training.sources.pair import Pair

STEP = 4  # pairs whose lengths differ by less share a bucket


@dataclass(frozen=True)
class PairBatch:
    """Rows of ids between [CLS] and [SEP], padded on the right."""

    source: Int[Tensor, "row position"]
    target: Int[Tensor, "row position"]

    def to(self, device: torch.device) -> PairBatch:
        """The same on a device."""
        return PairBatch(self.source.to(device), self.target.to(device))

    def numel(self) -> int:
        """Tokens on both sides, padding included: what a step costs."""
        return self.source.numel() + self.target.numel()


@dataclass(frozen=True)
class Side:
    """All texts of one side: their ids, and where each begins, plus the end of the last."""

    ids: UInt16[np.ndarray, " token"]
    starts: Int[np.ndarray, " text_plus_one"]

    @property
    def lengths(self) -> Int[np.ndarray, " text"]:
        """Tokens of each text with [CLS] and [SEP]."""
        return np.diff(self.starts) + 2

    def rows(self, numbers: Sequence[int], store: PairStore) -> Int[Tensor, "row position"]:
        """Some texts, framed and padded."""
        rows = torch.full((len(numbers), int(self.lengths[numbers].max())), store.pad)
        rows[:, 0] = store.cls
        for row, number in zip(rows, numbers, strict=True):
            text = self.ids[self.starts[number] : self.starts[number + 1]].astype(np.int64)
            row[1 : len(text) + 1] = torch.from_numpy(text)
            row[len(text) + 1] = store.sep
        return rows


@dataclass(frozen=True)
class PairStore:
    """A tokenized collection of pairs.

    weights: how often a pair is drawn, relative to the others.
    """

    source: Side
    target: Side
    weights: Float[np.ndarray, " pair"]
    pad: int
    cls: int
    sep: int

    @cached_property
    def buckets(self) -> list[Int[np.ndarray, " pair"]]:
        """Pairs with about the same length on both sides."""
        sizes = np.stack([self.source.lengths, self.target.lengths]) // STEP
        keys = sizes[0] * 1_000 + sizes[1]
        order = np.argsort(keys, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(keys[order])) + 1)

    @cached_property
    def odds(self) -> Float[np.ndarray, " bucket"]:
        """Chance of each bucket: by the tokens it holds, so that each pair is drawn alike."""
        lengths = self.source.lengths + self.target.lengths
        held = np.array([(self.weights[b] * lengths[b]).sum() for b in self.buckets])
        return held / held.sum()

    def draw(self, recipe: Recipe, step: int) -> PairBatch:
        """The batch of this step: about ``recipe.tokens_per_step`` token ids on both sides."""
        rng = np.random.default_rng([recipe.seed, step])
        bucket = self.buckets[rng.choice(len(self.buckets), p=self.odds)]
        longest = self.source.lengths[bucket].max() + self.target.lengths[bucket].max()
        chances = self.weights[bucket] / self.weights[bucket].sum()
        numbers = rng.choice(bucket, size=max(1, recipe.tokens_per_step // longest), p=chances)
        return PairBatch(self.source.rows(numbers, self), self.target.rows(numbers, self))

    def counts(self, size: int) -> Int[np.ndarray, " piece"]:
        """How often each of ``size`` pieces is written, [SEP] aside: what a decoder begins with."""
        return np.bincount(self.target.ids, minlength=size)

    def save(self, path: Path) -> None:
        """Write the store as one npz file."""
        np.savez(
            path,
            sources=self.source.ids,
            source_starts=self.source.starts,
            targets=self.target.ids,
            target_starts=self.target.starts,
            weights=self.weights,
            special=[self.pad, self.cls, self.sep],
        )

    @classmethod
    def load(cls, path: Path) -> PairStore:
        """Read a store that ``save`` wrote."""
        held = np.load(path)
        source = Side(held["sources"], held["source_starts"])
        target = Side(held["targets"], held["target_starts"])
        return cls(source, target, held["weights"], *map(int, held["special"]))


def tokenize_pairs(
    pairs: Sequence[Pair], tokenizer: PreTrainedTokenizerFast, weights: dict[str, float]
) -> PairStore:
    """Pairs as token ids; those whose translation cannot be spelled are left out.

    Args:
        pairs: what to tokenize.
        tokenizer: what spells both sides.
        weights: how often a pair of each corpus is drawn (1 where it is missing).
    """
    longest = tokenizer.model_max_length - 2
    sources: list[list[int]] = []
    targets: list[list[int]] = []
    kept: list[float] = []
    for pair, source, target in _spelled(pairs, tokenizer):
        if tokenizer.unk_token_id in target or max(len(source), len(target)) > longest:
            continue
        sources.append(source)
        targets.append(target)
        kept.append(weights.get(pair.corpus, 1.0))
    special = tokenizer.pad_token_id, tokenizer.cls_token_id, tokenizer.sep_token_id
    return PairStore(_side(sources), _side(targets), np.array(kept), *special)


def _spelled(
    pairs: Sequence[Pair], tokenizer: PreTrainedTokenizerFast
) -> Iterator[tuple[Pair, list[int], list[int]]]:
    backend = tokenizer.backend_tokenizer
    for start in range(0, len(pairs), 10_000):
        some = pairs[start : start + 10_000]
        texts = ([p.source for p in some], [p.target for p in some])
        sides = (backend.encode_batch(side, add_special_tokens=False) for side in texts)
        for pair, source, target in zip(some, *sides, strict=True):
            yield pair, source.ids, target.ids


def _side(rows: Sequence[Sequence[int]]) -> Side:
    ids = np.fromiter((i for row in rows for i in row), dtype=np.uint16)
    return Side(ids, np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64))
