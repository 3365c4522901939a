"""Every head of a checkpoint over several sentences: what each does on the mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from models.interventions import AttentionKind
from models.maps import checked, reads
from models.measures.heads import STATISTICS, head_statistics
from models.measures.information import entropy_bits
from models.probing import snippets
from models.probing.records import Glance
from models.results import Sentence
from models.traces import Record
from models.tracing import trace

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None
Progress = Callable[[int, int], None] | None
MOST_SENTENCES, MOST_TOKENS = 200, 128
BETWEEN = ("entropy", "sink")
"""What a head of cross attention has: its queries and keys are of two texts."""


def glance(
    model: Model,
    sentences: Sequence[str],
    kind: AttentionKind | None = None,
    progress: Progress = None,
    check: Check = None,
) -> Glance:
    """See `models.probing.glance`."""
    asked = checked(model, kind)
    short = replace(model, max_tokens=min(model.max_tokens, MOST_TOKENS))
    names = BETWEEN if asked == "cross" else STATISTICS
    kept = [each for each in sentences if each.strip()][:MOST_SENTENCES]
    if not kept:
        raise ValueError("no sentence")
    found = []
    for i, sentence in enumerate(kept):
        if check is not None:
            check()
        if progress is not None:
            progress(i, len(kept))
        found.append(_one(short, sentence, asked, names, check))
    values = np.stack(found)
    count = np.isfinite(values).sum(0)
    total = np.where(np.isfinite(values), values, 0.0).sum(0)
    means = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    squares = np.where(np.isfinite(values), (values - means) ** 2, 0.0).sum(0)
    spread = np.sqrt(squares / np.maximum(count - 1, 1))
    errors = np.where(count > 1, spread / np.sqrt(np.maximum(count, 1)), np.nan)
    snippet = snippets.glance(short, kept, asked, names)
    return Glance(asked, len(kept), tuple(names), means, errors, count, model.provenance, snippet)


def _one(
    model: Model, text: str, kind: AttentionKind, names: Sequence[str], check: Check
) -> Float[np.ndarray, "measure layer head"]:
    """All measures on one sentence; a layer's weights are gone before the next are there."""
    asked = reads(model, Sentence(text), None, None)
    weights: dict[int, np.ndarray] = {}

    def keep(_: AttentionKind, layer: int, of_layer: np.ndarray) -> None:
        weights[layer] = of_layer.astype(float)

    seen = trace(
        model, asked.sentence, Record("weights", attention=kind), target=asked.target,
        check=check, each=keep,
    )  # fmt: skip
    stack = seen.encoder if kind == "encoder" else seen.decoder
    ids = np.array([token.id for token in stack.tokens] if stack else [])
    measured = []
    for _, of_layer in sorted(weights.items()):
        if kind == "cross":
            own = {
                "entropy": np.asarray(entropy_bits(of_layer).mean(-1)),
                "sink": np.asarray(of_layer.mean(axis=1).max(axis=-1)),
            }
        else:
            own = head_statistics(of_layer, ids)
        measured.append(np.stack([own[name] for name in names]))
    return np.stack(measured, axis=1)
