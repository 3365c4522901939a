"""Repetition: tokens that end a run which stood in the text before (Welleck et al. 2020, rep-n)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

RUN = 3
"""Tokens in a row that make a repetition: two are often said twice."""


def repeated(tokens: Sequence[Hashable], run: int = RUN) -> tuple[bool, ...]:
    """For each token, whether it belongs to a run of so many that stood before.

    >>> repeated("a b c d a b c e".split())
    (False, False, False, False, True, True, True, False)
    """
    found = [False] * len(tokens)
    seen: set[tuple[Hashable, ...]] = set()
    for start in range(len(tokens) - run + 1):
        some = tuple(tokens[start : start + run])
        if some in seen:
            found[start : start + run] = [True] * run
        seen.add(some)
    return tuple(found)


def share(tokens: Sequence[Hashable], run: int = RUN) -> float:
    """The share of the runs that stood before (rep-n); 0 where there is none."""
    runs = [tuple(tokens[i : i + run]) for i in range(len(tokens) - run + 1)]
    return 1 - len(set(runs)) / len(runs) if runs else 0.0
