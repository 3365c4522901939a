"""What masked language modelling does to a sentence before the model reads it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int

RATE = 0.15
MASKED, RANDOM, KEPT = "masked", "random", "kept"
SHARES = {MASKED: 0.8, RANDOM: 0.1, KEPT: 0.1}
"""What becomes of a selected position. Not all are masked: text in use has no masks, so the model
must not rely on them to know where it will be asked (Devlin et al. 2018, §3.1)."""


@dataclass(frozen=True)
class Corrupted:
    """A sentence after the draw."""

    ids: Int[np.ndarray, " position"]
    """What the model reads."""
    selected: Int[np.ndarray, " selected"]
    """The positions the loss is computed at, ascending."""
    fates: tuple[str, ...]
    """Of each: masked, random or kept."""


def corrupt(
    ids: Int[np.ndarray, " position"],
    ordinary: Bool[np.ndarray, " position"],
    words: Int[np.ndarray, " word"],
    mask_id: int,
    seed: int = 0,
    rate: float = RATE,
) -> Corrupted:
    """Select 15 % of the ordinary tokens, at least one; mask 80 %, replace 10 %, keep 10 % of them.

    Each token is selected by itself, and the one with the lowest draw always, since 15 % of a short
    sentence is often none.

    Args:
        ids: The sentence, with its special tokens.
        ordinary: Which positions may be selected; where there is none, none is.
        words: What random replacements are drawn from, evenly; one may be the token itself.
        mask_id: Of the mask token.
        seed: Of the draw.
        rate: Share of the ordinary tokens to select.
    """
    rng = np.random.default_rng(seed)
    noise = np.where(ordinary, rng.random(len(ids)), 2.0)
    fate = rng.random(len(ids))
    random = rng.choice(words, len(ids))
    chosen = noise < rate
    if ordinary.any():
        chosen[noise.argmin()] = True
    masked = chosen & (fate < SHARES[MASKED])
    replaced = chosen & ~masked & (fate < SHARES[MASKED] + SHARES[RANDOM])
    read = np.where(masked, mask_id, np.where(replaced, random, ids))
    selected = np.flatnonzero(chosen)
    return Corrupted(read, selected, _named(masked[selected], replaced[selected]))


def _named(masked: Collection[bool], replaced: Collection[bool]) -> tuple[str, ...]:
    pairs = zip(masked, replaced, strict=True)
    return tuple(MASKED if one else RANDOM if two else KEPT for one, two in pairs)
