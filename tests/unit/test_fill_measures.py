"""Joint fill, orders, corruption and alignment, each against a slow and obvious way."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from models.measures.alignment import align
from models.measures.corruption import KEPT, MASKED, RANDOM, SHARES, corrupt
from models.measures.joint import Path, best_orders, fill_jointly, follow, most_confident

VOCABULARY = 4
IS_WORD = np.array([False, True, True, True])


class Conditionals:
    """Random conditionals that need not agree, as a masked model's: one row per partial fill."""

    def __init__(self, blanks: int, seed: int) -> None:
        self.blanks, self.seed, self.asked = blanks, seed, 0

    def row(self, filled: dict[int, int], blank: int) -> np.ndarray:
        key = [self.seed, blank] + [filled.get(b, 99) for b in range(self.blanks)]
        logits = np.random.default_rng(key).normal(size=VOCABULARY) * 2
        return logits - np.logaddexp.reduce(logits)

    def __call__(self, paths: Sequence[Path]) -> list[np.ndarray]:
        self.asked += len(paths)
        rows = []
        for path in paths:
            filled = dict(path.steps)
            still_open = [b for b in range(self.blanks) if b not in filled]
            rows.append(np.stack([self.row(filled, b) for b in still_open]))
        return rows

    def score(self, words: Sequence[int], order: Sequence[int]) -> float:
        filled: dict[int, int] = {}
        total = 0.0
        for blank in order:
            total += self.row(filled, blank)[words[blank]]
            filled[blank] = words[blank]
        return total


def every_fill(ask: Conditionals) -> list[Path]:
    """All words in all blanks, each fill going on at its own most confident blank."""
    paths = [Path()]
    for _ in range(ask.blanks):
        grown = []
        for path, log_p in zip(paths, ask(paths), strict=True):
            blank, row = most_confident(path, ask.blanks, log_p, IS_WORD)
            grown += [path.then(blank, w, float(row[w])) for w in np.flatnonzero(IS_WORD)]
        paths = grown
    return sorted(paths, key=lambda path: -path.score)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("blanks", [1, 2, 3])
def test_a_beam_that_is_wide_enough_finds_the_best_fill(blanks: int, seed: int) -> None:
    ask = Conditionals(blanks, seed)
    everything = every_fill(ask)
    assert len({tuple(sorted(path.steps)) for path in everything}) == 3**blanks
    wide = fill_jointly(blanks, ask, IS_WORD, beam=3**blanks)
    assert [path.steps for path in wide] == [path.steps for path in everything]
    narrow = fill_jointly(blanks, ask, IS_WORD, beam=2)
    assert len(narrow) == min(2, 3**blanks)
    assert {path.steps for path in narrow} <= {path.steps for path in everything}
    assert narrow[0].score <= everything[0].score


@pytest.mark.parametrize("seed", range(10))
def test_the_most_confident_blank_comes_next(seed: int) -> None:
    ask = Conditionals(3, seed)
    path = fill_jointly(3, ask, IS_WORD, beam=1)[0]
    filled: dict[int, int] = {}
    for blank, word in path.steps:
        best = {b: ask.row(filled, b)[IS_WORD].max() for b in range(3) if b not in filled}
        assert blank == max(best, key=lambda b: best[b])
        assert ask.row(filled, blank)[word] == best[blank]
        filled[blank] = word


def test_following_words_scores_them_like_the_beam() -> None:
    ask = Conditionals(3, 5)
    for path in fill_jointly(3, ask, IS_WORD, beam=27):
        words = [word for _, word in sorted(path.steps)]
        assert follow(words, ask, IS_WORD) == path


def test_no_blank_is_an_empty_fill() -> None:
    assert fill_jointly(0, Conditionals(0, 0), IS_WORD) == (Path(),)
    assert follow([], Conditionals(0, 0), IS_WORD).score == 0


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("blanks", [1, 2, 4])
def test_the_best_orders_are_those_of_all_orders(blanks: int, seed: int) -> None:
    ask, words = Conditionals(blanks, seed), [1 + b % 3 for b in range(blanks)]
    table = np.full((2**blanks - 1, blanks), np.nan)
    for filled, blank in itertools.product(range(2**blanks - 1), range(blanks)):
        if not filled >> blank & 1:
            some = {b: words[b] for b in range(blanks) if filled >> b & 1}
            table[filled, blank] = ask.row(some, blank)[words[blank]]
    orders = itertools.permutations(range(blanks))
    slow = sorted(((order, ask.score(words, order)) for order in orders), key=lambda o: -o[1])
    found = best_orders(table)
    assert [order for order, _ in found] == [order for order, _ in slow[:2]]
    np.testing.assert_allclose([s for _, s in found], [s for _, s in slow[:2]])


WORDS = np.arange(5, 50)
LONG = np.full(40_000, 7)


def test_corruption_has_the_frequencies_of_the_paper() -> None:
    ordinary = np.ones(len(LONG), dtype=bool)
    drawn = corrupt(LONG, ordinary, WORDS, mask_id=4, seed=1)
    assert len(drawn.selected) / len(LONG) == pytest.approx(0.15, abs=0.006)  # 3 sigma
    counts = Counter(drawn.fates)
    for fate, share in SHARES.items():
        assert counts[fate] / len(drawn.selected) == pytest.approx(share, abs=0.016)
    read = drawn.ids[drawn.selected]
    fates = np.array(drawn.fates)
    assert (read[fates == MASKED] == 4).all()
    assert (read[fates == KEPT] == 7).all()
    replaced = read[fates == RANDOM]
    assert set(replaced.tolist()) <= set(WORDS.tolist())
    assert len(set(replaced.tolist())) == len(WORDS)  # about 13 of each


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.integers(0, 2**32), st.floats(0, 1))
@hypothesis_settings(max_examples=60, deadline=None)
def test_corruption_of_any_sentence(ordinary: list[bool], seed: int, rate: float) -> None:
    ids = np.arange(100, 100 + len(ordinary))
    drawn = corrupt(ids, np.array(ordinary), WORDS, 4, seed, rate)
    again = corrupt(ids, np.array(ordinary), WORDS, 4, seed, rate)
    assert (drawn.ids == again.ids).all() and drawn.fates == again.fates
    assert all(ordinary[i] for i in drawn.selected)
    assert bool(len(drawn.selected)) == any(ordinary)  # at least one
    others = np.setdiff1d(np.arange(len(ids)), drawn.selected)
    assert (drawn.ids[others] == ids[others]).all()


def test_seeds_differ() -> None:
    ids, ordinary = np.arange(100, 140), np.ones(40, dtype=bool)
    draws = {tuple(corrupt(ids, ordinary, WORDS, 4, seed).ids) for seed in range(5)}
    assert len(draws) == 5


@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
@hypothesis_settings(max_examples=60, deadline=None)
def test_alignment_names_every_word_once_and_in_order(first: str, second: str) -> None:
    pairs = align(first, second)
    assert [a for a, _ in pairs if a is not None] == list(range(len(first)))
    assert [b for _, b in pairs if b is not None] == list(range(len(second)))
    assert all((a, b) != (None, None) for a, b in pairs)


def test_alignment_of_equal_sentences() -> None:
    assert align("abca", "abca") == ((0, 0), (1, 1), (2, 2), (3, 3))
