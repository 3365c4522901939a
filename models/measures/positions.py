"""Positions as numbers: sinusoids by formula, what they tell of a distance, and other ways.

Pure functions on tables of position vectors, learned or computed. An *offset curve* is a function
of the distance k between two positions, from -reach to reach: the mean over all positions t for
which every k of it lies in the table, so that all its values rest on the same t.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

BASE = 10_000.0
"""Of Vaswani et al. 2017, §3.5."""

Table = Float[np.ndarray, "position width"]
Curve = Float[np.ndarray, " offset"]


def sinusoids(length: int, width: int, base: float = BASE) -> Table:
    """Sines and cosines of each frequency side by side (Vaswani et al. 2017, §3.5).

    Args:
        length: How many positions, from 0.
        width: An even number of dimensions.
        base: Periods grow from 2 pi towards 2 pi times this.

    Raises:
        ValueError: `width` is odd.
    """
    if width % 2:
        raise ValueError(f"sinusoids come in pairs: width {width}")
    angles = np.arange(length)[:, None] * frequencies(width, base)
    return np.asarray(np.stack([np.sin(angles), np.cos(angles)], -1).reshape(length, width))


def frequencies(width: int, base: float = BASE) -> Float[np.ndarray, " pair"]:
    """Of each pair of dimensions, in radians for a position: 1 first, then slower ones."""
    return np.asarray(base ** (-np.arange(0, width, 2) / width))


def shift(offset: int, width: int, base: float = BASE) -> Float[np.ndarray, "width width"]:
    """M_k with p_(t+k) = M_k p_t for every t: a rotation of each pair by its own angle."""
    matrix = np.zeros((width, width))
    for i, angle in enumerate(offset * frequencies(width, base)):
        at = slice(2 * i, 2 * i + 2)
        cos, sin = np.cos(angle), np.sin(angle)
        matrix[at, at] = [[cos, sin], [-sin, cos]]
    return matrix


def offset_curve(scores: Float[np.ndarray, "query key"], reach: int) -> Curve:
    """The mean score of a query at t and a key at t + k, for k from -reach to reach.

    Raises:
        ValueError: No position has so many others on both sides.
    """
    places = np.arange(reach, len(scores) - reach)
    if not len(places):
        raise ValueError(f"{len(scores)} positions, reach {reach}")
    offsets = np.arange(-reach, reach + 1)
    return np.asarray(scores[places[:, None], places[:, None] + offsets].mean(0))


def asymmetry(curve: Curve) -> float:
    """How much of a curve tells direction: 0 if it is even, 1 if it is odd.

    The odd part's share of the variation around the mean; of a flat curve 0.
    """
    moved = curve - curve.mean()
    odd = (moved - moved[::-1]) / 2
    total = float(moved @ moved)
    return float(odd @ odd) / total if total > 1e-20 * max(1.0, float(curve @ curve)) else 0.0


def symmetry_error(curve: Curve) -> float:
    """The largest |g(k) - g(-k)| as a share of the largest |g|."""
    largest = float(np.abs(curve).max())
    return float(np.abs(curve - curve[::-1]).max()) / largest if largest else 0.0


def likeness(curve: Curve, pattern: Curve) -> float:
    """Pearson's r of a curve and another; the same 0 offset is in both. Of a flat one 0."""
    one, other = curve - curve.mean(), pattern - pattern.mean()
    size = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / size if size else 0.0


def explained_by_offset(scores: Float[np.ndarray, "query key"]) -> float:
    """The share of all scores' variance that the offset alone explains: 1 if it is all.

    What is left once each diagonal has its mean is what depends on the place. The main diagonal is
    left out: every position is like itself. Of scores that do not vary it is 0.
    """
    size = len(scores)
    apart = ~np.eye(size, dtype=bool)
    rest = np.where(apart, scores - scores[apart].mean(), 0.0)
    total = float((rest**2).sum())
    diagonals = (np.diagonal(rest, k) for k in range(1 - size, size) if k)
    between = sum(len(each) * float(each.mean()) ** 2 for each in diagonals)
    return between / total if total > 1e-20 * size**2 else 0.0


def cosines(table: Table) -> Float[np.ndarray, "position position"]:
    """The cosine of each two positions; 0 with a vector of length 0."""
    length = np.linalg.norm(table, axis=1, keepdims=True)
    unit = np.divide(table, length, out=np.zeros_like(table), where=length > 0)
    return np.asarray(unit @ unit.T)


def spectrum(table: Table) -> Float[np.ndarray, "frequency width"]:
    """The power of each dimension at each frequency, of 0 to half a turn for a position.

    Mean and trend are taken away and the ends faded out (Hann), so that neither leaks into others.
    """
    places = np.arange(len(table)) - (len(table) - 1) / 2
    flat = table - table.mean(0)
    slope = places @ flat / (places @ places)
    rest = (flat - places[:, None] * slope) * np.hanning(len(table))[:, None]
    return np.asarray(np.abs(np.fft.rfft(rest, axis=0)) ** 2)


def periodicity(table: Table) -> float:
    """How much of a table's movement is waves: the mean share that the strongest frequency has.

    Weighted by each dimension's power. Near 1 for sinusoids, near 0 for a table without order.
    """
    power = spectrum(table)
    total = float(power.sum())
    return float(power.max(0).sum()) / total if total else 0.0


def strongest_period(power: Float[np.ndarray, " frequency"], length: int) -> float:
    """The period, in positions, of the strongest frequency but 0; infinite where there is none."""
    at = int(power[1:].argmax()) + 1
    return length / at if power[at] > 0 else float("inf")


def principal(table: Table, count: int = 3) -> tuple[Float[np.ndarray, "position axis"], Curve]:
    """A table on its first principal axes, and the share of the variance that each holds."""
    centred = table - table.mean(0)
    left, size, _ = np.linalg.svd(centred, full_matrices=False)
    total = float((size**2).sum()) or 1.0
    return np.asarray(left[:, :count] * size[:count]), np.asarray(size[:count] ** 2 / total)


def rotary(
    query: Float[np.ndarray, " width"], key: Float[np.ndarray, " width"], reach: int
) -> Curve:
    """Scores q · R_k k of a rotated query and key k positions apart (Su et al. 2021)."""
    width = len(query)
    # Su's pairs turn from the first axis to the second, those of (sine, cosine) the other way.
    return np.array([query @ shift(-k, width) @ key for k in range(-reach, reach + 1)])


def alibi(head: int, heads: int, reach: int) -> Curve:
    """What ALiBi adds to a score: minus the distance, times the head's slope (Press et al. 2022).

    Args:
        head: From 1.
        heads: A power of 2; slopes go from 2^(-8/heads) to 2^-8.
        reach: See above.
    """
    return np.asarray(-(2.0 ** (-8 * head / heads)) * np.abs(np.arange(-reach, reach + 1)))


def t5_bucket(
    offsets: Int[np.ndarray, " offset"], buckets: int = 32, farthest: int = 128
) -> Int[np.ndarray, " offset"]:
    """Which learned number T5's encoder adds for a key so far from a query (Raffel et al. 2020).

    Half of them are for keys to the right. Of each half, half count single positions; the others
    widen by equal factors up to `farthest`.
    """
    side = buckets // 2
    exact = side // 2
    distance = np.abs(offsets)
    far = np.log(np.maximum(distance, 1) / exact) / np.log(farthest / exact) * (side - exact)
    wide = np.minimum(exact + far.astype(int), side - 1)
    return np.asarray(side * (offsets > 0) + np.where(distance < exact, distance, wide))
