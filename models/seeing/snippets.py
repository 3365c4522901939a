"""Programs that print the same numbers with public packages only; see `models.snippets`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.seeing import snippet_bodies as bodies
from models.snippets import ELMO, Source

Run = tuple[str, Sequence[int], Sequence[int]]
"""The way of a prediction, the positions of the answers, the ids that they should be."""


def targets(source: Source, runs: Sequence[Run]) -> str:
    """Prints what each target costs, in nats; one line for each way."""
    logits = {way: f"{way}_logits" if source.auto == ELMO else "logits" for way, _, _ in runs}
    header = source.header(
        runs=[(logits[way], list(positions), list(ids)) for way, positions, ids in runs]
    )
    return header + bodies.TARGETS


def opened(source: Source, words: Sequence[Sequence[int]], no_words: Sequence[int]) -> str:
    """Prints the five best probabilities at each word, three times; then similarities per layer."""
    header = source.header(words=[list(word) for word in words], no_words=list(no_words))
    return header + bodies.OPENED.format(folder=source.folder)


def in_contexts(
    source: Source,
    second: Mapping[str, Sequence[Sequence[int]]],
    places: Sequence[Sequence[int]],
) -> str:
    """Prints the cosine of the word's two states in each layer, the static one first."""
    header = source.header(second=dict(second), places=[list(each) for each in places])
    return header + (bodies.IN_CONTEXTS_ELMO if source.auto == ELMO else bodies.IN_CONTEXTS)
