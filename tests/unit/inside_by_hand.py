"""Small records of a masked model seen from inside, as `models` gives them: for components."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.trace import (
    Answer,
    Candidate,
    Corruption,
    HeadSteps,
    Lens,
    Provenance,
    Selected,
    Standing,
    Token,
)

ORIGIN = Provenance("bert-en", "0123456789ab", "float32", (("torch", "2.13.0"),))
VOCABULARY = ("milk", "tea", "gold", "ing", "the", "a", "of", "to")
WORDS = len(VOCABULARY)


def answer(*shares: float, original: int | None = 1) -> Answer:
    """A distribution over `VOCABULARY`: three best words, and where the original, tea, stands."""
    order = sorted(range(len(shares)), key=lambda i: -shares[i])
    best = tuple(Candidate(VOCABULARY[i], i, shares[i], VOCABULARY[i] == "ing") for i in order[:3])
    bits = -sum(share * np.log2(share) for share in shares if share)
    if original is None:
        return Answer(best, None, None, float(bits))
    return Answer(best, order.index(original) + 1, shares[original], float(bits))


def shares_of(logits: np.ndarray) -> tuple[float, ...]:
    powers = np.exp(logits - logits.max())
    return tuple((powers / powers.sum()).tolist())


STARTS = (0.1, 0.02, 0.2, 0.28, 0.12, 0.1, 0.1, 0.08)
MIDDLE = (0.3, 0.1, 0.4, 0.05, 0.05, 0.04, 0.03, 0.03)
ENDS = (0.7, 0.2, 0.04, 0.02, 0.01, 0.01, 0.01, 0.01)

LENS = Lens(
    span=(5, 8),
    original="tea",
    layers=(answer(*STARTS), answer(*MIDDLE), answer(*ENDS)),
    final=(Standing(4, 0.1), Standing(2, 0.3), Standing(1, 0.7)),
    provenance=ORIGIN,
    snippet="print(1)",
)

LOGITS = np.array([2.0, 1.0, -1.0, -2.0, -3.0, -3.5, -4.0, -5.0], dtype=np.float32)
BARE = np.array([0.0, -3.0, 1.0, 0.5, 2.0, 0.1, 0.2, 0.3], dtype=np.float32)

STEPS = HeadSteps(
    span=(5, 8),
    original="tea",
    layer=2,
    hidden=np.array([0.5, -0.25, 0.125, 0.0], dtype=np.float32),
    dense=np.array([1.0, -2.0, 0.5, -0.5], dtype=np.float32),
    activation=np.array([0.84, -0.05, 0.35, -0.15], dtype=np.float32),
    layer_norm=np.array([1.5, -0.8, 0.3, -1.0], dtype=np.float32),
    logits=LOGITS,
    answer=answer(*shares_of(LOGITS)),
    without=answer(*shares_of(BARE)),
    without_logits=BARE,
    best_without=Standing(6, shares_of(BARE)[0]),
    provenance=ORIGIN,
    snippet="print(2)",
)
UNTYPED = replace(
    STEPS, original=None, answer=answer(*shares_of(LOGITS), original=None)
)  # a mask that was typed


def _token(i: int, text: str, kind: str = "word") -> Token:
    return Token(text, 5 * i, 5 * i + len(text), 100 + i, text, kind, i)  # type: ignore[arg-type]


TOKENS = (
    _token(0, "[CLS]", "special"),
    _token(1, "We"),
    _token(2, "drank"),
    _token(3, "tea"),
    _token(4, "s", "continuation"),
    _token(5, "."),
    _token(6, "[SEP]", "special"),
)
SELECTED = (
    Selected(1, "kept", "we", 0.05, answer(*ENDS)),
    Selected(3, "masked", "[MASK]", 1.6, answer(*ENDS)),
    Selected(4, "random", "gold", 3.9, answer(*STARTS)),
)
CORRUPTION = Corruption(
    tokens=TOKENS,
    selected=SELECTED,
    loss=5.55 / 3,
    total=5.55,
    rate=0.5,
    seed=7,
    cut="",
    provenance=ORIGIN,
    snippet="print(3)",
)
EMPTY = replace(CORRUPTION, tokens=TOKENS[::6], selected=(), loss=None, total=0.0)
