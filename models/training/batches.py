"""Batches as a pure function of (seed, step): a resumed run reads on, it never replays.

All sentences of the corpus lie one after another in a single array of token ids; ``starts``
marks where each begins. A batch of single sentences takes rows of one length, so that nothing
is padded; a block starts at a sentence and runs on through what follows it in its document.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int, UInt16
from torch import Tensor

from models.training.recipe import BLOCKS, Recipe

SHORTEST = 5  # tokens of a training sentence with its [CLS] and [SEP]


@dataclass(frozen=True)
class TokenStore:
    """A tokenized corpus.

    ids: all tokens, sentence after sentence, without [CLS] and with a [SEP] after each document.
    starts: first token of each sentence, plus the end of the last.
    weights: how often a sentence's source is drawn, relative to its size.
    """

    ids: UInt16[np.ndarray, " token"]
    starts: Int[np.ndarray, " sentence_plus_one"]
    weights: Float[np.ndarray, " sentence"]
    cls: int
    sep: int

    @cached_property
    def repeated(self) -> np.ndarray:
        """Sentence numbers, each as often as its weight says (in fifths)."""
        return np.repeat(np.arange(len(self.weights)), np.rint(5 * self.weights).astype(int))

    @cached_property
    def by_length(self) -> dict[int, np.ndarray]:
        """Sentences of each length (tokens with [CLS] and [SEP]), as often as their weight says."""
        ends = self.starts[1:] - (self.ids[self.starts[1:] - 1] == self.sep)
        lengths = (ends - self.starts[:-1] + 2)[self.repeated]
        order = np.argsort(lengths, kind="stable")
        found, first = np.unique(lengths[order], return_index=True)
        return dict(zip(found.tolist(), np.split(self.repeated[order], first[1:]), strict=True))

    def length_odds(self, longest: int) -> Float[np.ndarray, " length"]:
        """Chance of each length from `SHORTEST` to `longest`.

        It goes by the tokens a length holds, so that every sentence is drawn alike.
        """
        lengths = range(SHORTEST, longest + 1)
        tokens = np.array([n * len(self.by_length.get(n, ())) for n in lengths], dtype=np.float64)
        return tokens / tokens.sum()

    @cached_property
    def block_starts(self) -> np.ndarray:
        """Sentence starts by weight, where a block of 512 tokens still fits."""
        starts = self.starts[self.repeated]
        return starts[starts < len(self.ids) - 512]

    def draw(self, recipe: Recipe, step: int) -> Int[Tensor, "row position"]:
        """The batch of this step: see `batch`."""
        return torch.from_numpy(batch(self, recipe, step))

    def counts(self, size: int) -> Int[np.ndarray, " piece"]:
        """How often each of ``size`` pieces occurs in the corpus, [SEP] aside."""
        counts = np.bincount(self.ids, minlength=size)
        counts[self.sep] = 0
        return counts

    def part(self, tokens: int, seed: int = 0) -> TokenStore:
        """Some whole documents, drawn by seed, until they hold so many tokens."""
        ends = np.flatnonzero(self.ids == self.sep) + 1
        begins = np.concatenate([[0], ends[:-1]])
        order = np.random.default_rng(seed).permutation(len(ends))
        enough = int(np.searchsorted(np.cumsum((ends - begins)[order]), tokens)) + 1
        kept = np.sort(order[:enough])
        ids = np.concatenate([self.ids[begins[d] : ends[d]] for d in kept])
        of_document = np.searchsorted(ends, self.starts[:-1], side="right")
        chosen = np.isin(of_document, kept)
        lengths = np.diff(self.starts)[chosen]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        return TokenStore(ids, starts, self.weights[chosen], self.cls, self.sep)

    def save(self, path: Path) -> None:
        """Write the store as one npz file."""
        np.savez(
            path,
            ids=self.ids,
            starts=self.starts,
            weights=self.weights,
            special=[self.cls, self.sep],
        )

    @classmethod
    def load(cls, path: Path) -> TokenStore:
        """Read a store that ``save`` wrote."""
        held = np.load(path)
        return cls(held["ids"], held["starts"], held["weights"], *map(int, held["special"]))


def batch(store: TokenStore, recipe: Recipe, step: int) -> Int[np.ndarray, "row position"]:
    """The batch of this step: about ``recipe.tokens_per_step`` token ids."""
    rng = np.random.default_rng([recipe.seed, step])
    shares = np.array([recipe.short, recipe.block, recipe.long])
    kind = rng.choice(3, p=shares / shares.sum())
    if kind == 0:
        return _sentences(store, recipe, rng)
    return _blocks(store, recipe.tokens_per_step, BLOCKS[kind - 1], rng)


def _sentences(store: TokenStore, recipe: Recipe, rng: np.random.Generator) -> np.ndarray:
    odds = store.length_odds(recipe.longest)
    length = SHORTEST + int(rng.choice(len(odds), p=odds))
    pool = store.by_length[length]
    rows = rng.choice(pool, size=max(1, recipe.tokens_per_step // length))
    return _framed(store, store.starts[rows], length)


def _blocks(store: TokenStore, tokens: int, length: int, rng: np.random.Generator) -> np.ndarray:
    starts = rng.choice(store.block_starts, size=max(1, tokens // length))
    return _framed(store, starts, length)


def _framed(store: TokenStore, starts: np.ndarray, length: int) -> np.ndarray:
    """Rows of ``length`` tokens: [CLS], the text from each start, [SEP]."""
    rows = np.empty((len(starts), length), dtype=np.int64)
    rows[:, 0], rows[:, -1] = store.cls, store.sep
    rows[:, 1:-1] = store.ids[starts[:, None] + np.arange(length - 2)]
    return rows
