"""Programs that print the same numbers with public packages only; see `models.snippets`."""

from __future__ import annotations

from collections.abc import Sequence

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
