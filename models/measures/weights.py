"""Attention weights made smaller or plainer: bytes for a thumbnail, words for sub-words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Float32, UInt8

Members = Sequence[Sequence[int]]
"""For each word, the indices of its tokens."""

FULL = 255


def quantised(
    weights: Float[np.ndarray, "*heads query key"],
) -> tuple[UInt8[np.ndarray, "*heads query key"], Float32[np.ndarray, "*heads query"]]:
    """Weights as bytes, and one scale for each row: byte · scale is off by row maximum / 510.

    A row that holds a NaN, or an infinity, has the scale NaN: bytes cannot say which cell it is.
    """
    largest = weights.max(axis=-1)
    scales = np.where(np.isfinite(largest), largest / FULL, np.nan)
    usable = np.where(scales > 0, scales, 1.0)[..., None]
    levels = np.rint(np.where(np.isfinite(weights), weights, 0.0) / usable)
    return levels.astype(np.uint8), scales.astype(np.float32)


def pooled(
    weights: Float[np.ndarray, "*heads query key"], side: int
) -> Float[np.ndarray, "*heads row column"]:
    """Blocks of `side` x `side` cells, each as its largest weight: a line stays a line."""
    *heads, queries, keys = weights.shape
    rows, columns = -(-queries // side), -(-keys // side)
    room = np.zeros((*heads, rows * side, columns * side), weights.dtype)
    room[..., :queries, :keys] = weights
    return np.asarray(room.reshape(*heads, rows, side, columns, side).max(axis=(-3, -1)))


def averaged(
    weights: Float[np.ndarray, "*heads query key"], side: int
) -> Float[np.ndarray, "*heads row column"]:
    """Blocks of `side` x `side` cells, each as the mean of its weights; at the edges, of fewer."""
    *_, queries, keys = weights.shape
    down, along = np.arange(0, queries, side), np.arange(0, keys, side)
    sums = np.add.reduceat(np.add.reduceat(weights, down, axis=-2, dtype=float), along, axis=-1)
    tall, wide = np.diff([*down, queries]), np.diff([*along, keys])
    return np.asarray(sums / (tall[:, None] * wide))


def merged(
    weights: Float[np.ndarray, "*heads query key"], queries: Members, keys: Members
) -> Float[np.ndarray, "*heads word other"]:
    """Sub-words as words: weights *to* the pieces of a word are summed, those *from* them averaged.

    So rows that sum to 1 still do (Clark et al. 2019).
    """
    if not queries or not keys:
        return np.zeros((*weights.shape[:-2], len(queries), len(keys)))
    to_words = np.stack([weights[..., list(word)].sum(axis=-1) for word in keys], axis=-1)
    rows = [to_words[..., list(word), :].mean(axis=-2) for word in queries]
    return np.stack(rows, axis=-2)


def renormalised(weights: Float[np.ndarray, "*rows key"]) -> Float[np.ndarray, "*rows key"]:
    """Each row scaled to sum to 1, such as after some keys were left out; NaN where all are 0."""
    total = weights.sum(axis=-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, np.nan))
