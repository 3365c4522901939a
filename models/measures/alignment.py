"""Which words of two sentences stand side by side."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

Pair = tuple[int | None, int | None]
"""(index in the first, index in the second); None without a counterpart."""


def align(first: Sequence[Hashable], second: Sequence[Hashable]) -> tuple[Pair, ...]:
    """All items of both, in order: equal ones together, and what differs in between in pairs.

    >>> align("the cat sits".split(), "the cats sit".split())
    ((0, 0), (1, 1), (2, 2))
    >>> align("a b d".split(), "a c c d".split())
    ((0, 0), (1, 1), (None, 2), (2, 3))
    """
    pairs: list[Pair] = []
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    for _, a, a_end, b, b_end in matcher.get_opcodes():
        pairs += zip_longest(range(a, a_end), range(b, b_end))
    return tuple(pairs)
