"""What is known of positions: plain, frozen records, and a verdict on each claim about them.

Each verdict has a control: a table whose positions are shuffled, heads with random weights, random
directions of the same number, an encoder with its positions taken away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from jaxtyping import Float

from models.measures import positions as of
from models.results import Candidate, Provenance
from models.verdict import Verdict, judge

PositionKind = Literal["learned", "sinusoids", "none"]
SHUFFLES = 20
"""Of a table's positions, as a control; drawn from seed 0."""
EQUAL = 1e-5
"""What counts as equal in float32, as a share of the largest number."""
LEAST = 0.05
"""A curve of which less than this share tells direction, tells none."""


@dataclass(frozen=True)
class PositionTable:
    """The vectors that a model adds to its words."""

    kind: PositionKind
    """What its numbers are, whatever its name says."""
    vectors: Float[np.ndarray, "position width"]
    provenance: Provenance
    snippet: str
    """Prints them."""


@dataclass(frozen=True)
class HeadOffsets:
    """What the heads of a model's first layer make of the distance between two positions."""

    kind: PositionKind
    count: int
    """How many positions of the table were used."""
    pattern: of.Curve
    """p_t · p_(t+k): no projection; k from -reach to reach."""
    heads: Float[np.ndarray, "head offset"]
    """(W_q p_t) · (W_k p_(t+k)) of each head."""
    random: Float[np.ndarray, "draw offset"]
    """The same of heads with random weights."""
    provenance: Provenance
    snippet: str

    @property
    def reach(self) -> int:
        """The farthest offset."""
        return len(self.pattern) // 2


@dataclass(frozen=True)
class Added:
    """Adding a position to a word, beside concatenating the two."""

    tokens: tuple[str, ...]
    added: Float[np.ndarray, "token out"]
    """W(x + p), in float32 as the model computes."""
    concatenated: Float[np.ndarray, "token out"]
    """[W W][x; p]."""
    positions_held: Float[np.ndarray, " direction"]
    """The share of the positions' variance in their first 1, 2, … principal directions."""
    words_held: Float[np.ndarray, " direction"]
    """The share of the word vectors' variance in the same directions."""
    chance: Float[np.ndarray, "draw direction"]
    """The same share in as many random directions."""
    kind: PositionKind
    provenance: Provenance
    snippet: str

    @property
    def difference(self) -> float:
        """The largest |W(x + p) - [W W][x; p]|."""
        return float(np.abs(self.added - self.concatenated).max(initial=0.0))

    @cached_property
    def dimensions(self) -> int:
        """How many directions hold nine tenths of the positions' variance."""
        return int(np.searchsorted(self.positions_held, 0.9)) + 1


@dataclass(frozen=True)
class Order:
    """A sentence before and after its words were shuffled, for one model."""

    words: tuple[tuple[str, ...], ...]
    """The original, then each shuffle."""
    before: tuple[Candidate, ...]
    """The best words at the blank (of a causal model: after the text); () without a blank."""
    after: tuple[Candidate, ...]
    """The same after the first shuffle."""
    moved: Float[np.ndarray, " shuffle"]
    """Jensen-Shannon divergence between both answers, in bits; empty without a blank."""
    difference: float
    """The largest change of any token's top state, wherever the token stands now."""
    largest: float
    """The largest number in those states."""
    provenance: Provenance
    snippet: str


def kind_of(vectors: Float[np.ndarray, "position width"]) -> PositionKind:
    """Whether a table is empty, sinusoids up to its scale and order of dimensions, or learned."""
    largest = float(np.abs(vectors).max(initial=0.0))
    if largest == 0:
        return "none"
    if vectors.shape[1] % 2:
        return "learned"
    formula = of.sinusoids(*vectors.shape)
    halves = np.concatenate([formula[:, ::2], formula[:, 1::2]], axis=1)
    scaled = vectors / largest
    near = min(float(np.abs(scaled - each).max()) for each in (formula, halves))
    return "sinusoids" if near < 2e-3 else "learned"  # stored in 16 bits


def exact(claim: str, difference: float, tolerance: float) -> Verdict:
    """A claim that two things are equal: it holds or not, chance has no part in it."""
    outcome: Literal["supported", "opposite"] = "supported"
    if not difference <= tolerance:
        outcome = "opposite"
    return Verdict(claim, difference, 0.0, outcome)


def against(claim: str, value: float, control: Sequence[float] | np.ndarray) -> Verdict:
    """A number beside the same number of many controls; their spread is the error."""
    drawn = np.asarray(control, dtype=float)
    return judge(claim, value - float(drawn.mean()), float(drawn.std(ddof=1)))


def over(claim: str, values: np.ndarray) -> Verdict:
    """A mean above 0, with its standard error; a single value has none to be judged by."""
    error = (
        float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else np.abs(values[0])
    )
    return judge(claim, float(values.mean()), float(error))


def apart(claim: str, ours: np.ndarray, others: np.ndarray) -> Verdict:
    """The difference of two means; the error is that of both."""
    some = [each for each in (ours, others) if len(each) > 1]
    error = np.sqrt(sum(each.var(ddof=1) / len(each) for each in some))
    return judge(claim, float(ours.mean() - others.mean()), float(error))


def table_verdicts(vectors: Float[np.ndarray, "position width"]) -> tuple[Verdict, ...]:
    """Whether a table tells distances and is made of waves, beside itself with shuffled positions.

    Raises:
        ValueError: Fewer than four positions.
    """
    if len(vectors) < 4:
        raise ValueError(f"{len(vectors)} positions")
    rng = np.random.default_rng(0)
    shuffled = [vectors[rng.permutation(len(vectors))] for _ in range(SHUFFLES)]

    def distance(table: np.ndarray) -> float:
        return of.explained_by_offset(of.cosines(table))

    return tuple(
        against(claim, measure(vectors), [measure(each) for each in shuffled])
        for claim, measure in (("distance", distance), ("waves", of.periodicity))
    )


def offset_verdicts(found: HeadOffsets) -> tuple[Verdict, ...]:
    """C7: what projections do to distance and direction; heads with random weights as control."""

    def survives(curves: np.ndarray) -> np.ndarray:
        return np.array([abs(of.likeness(curve, found.pattern)) for curve in curves])

    def direction(curves: np.ndarray) -> np.ndarray:
        return np.array([of.asymmetry(curve) for curve in curves])

    plain = of.asymmetry(found.pattern)
    return (
        exact("symmetric", plain, LEAST),
        over("blurred", 1 - survives(found.random)),
        apart("kept", survives(found.heads), survives(found.random)),
        over("directed", direction(found.heads) - plain),
        apart("more directed", direction(found.heads), direction(found.random)),
    )


def added_verdicts(found: Added) -> tuple[Verdict, ...]:
    """C6: adding is concatenating with tied halves; words keep out of the positions' directions."""
    at = found.dimensions - 1
    chance = found.chance[:, at]
    room = judge("room", float(chance.mean() - found.words_held[at]), float(chance.std(ddof=1)))
    largest = float(np.abs(found.added).max(initial=0.0))
    return exact("tied", found.difference, EQUAL * largest), room


def order_verdicts(
    learned: Order | None, without: Order | None, causal: Order | None
) -> tuple[Verdict, ...]:
    """What order is to an encoder with and without positions, and to a causal model without."""
    found = []
    if without is not None:
        found.append(exact("equivariant", without.difference, EQUAL * without.largest))
        if learned is not None and len(learned.moved) > 1:
            found.append(apart("order", learned.moved, without.moved))
        if causal is not None and len(causal.moved) > 1 and len(without.moved) > 1:
            found.append(apart("mask", causal.moved, without.moved))
    return tuple(found)
