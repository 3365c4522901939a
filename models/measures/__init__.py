"""Measures of what a model does: pure functions on arrays, each defined in one place.

Nothing here runs a model or needs torch; `models.measuring` does, and calls these.
"""

from __future__ import annotations

from models.measures.effect import agreement, effect, spearman
from models.measures.heads import STATISTICS, head_statistics
from models.measures.influence import draw_substitutes, influence, read_counts
from models.measures.information import (
    entropy_bits,
    jensen_shannon_bits,
    pseudo_perplexity,
    surprisal_bits,
)
from models.measures.lens import lens
from models.measures.norms import carried
from models.measures.rollout import rollout
from models.measures.visibility import visibility

__all__ = [
    "STATISTICS",
    "agreement",
    "carried",
    "draw_substitutes",
    "effect",
    "entropy_bits",
    "head_statistics",
    "influence",
    "jensen_shannon_bits",
    "lens",
    "pseudo_perplexity",
    "read_counts",
    "rollout",
    "spearman",
    "surprisal_bits",
    "visibility",
]
