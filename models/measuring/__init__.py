"""Every measure, run on a loaded model: numbers, where they come from, and how to repeat them.

The definitions are in `models.measures`; here they meet a model. Each function returns a
`Measurement`; its docstring names the axes of the values. ``check`` is called at every layer: raise
from it to give up.
"""

from __future__ import annotations

from models.measuring.parts import agreement, edge_effects, ffn_effects, head_effects
from models.measuring.states import head_statistics, lens, rollout, surprisal
from models.measuring.words import influence, visibility

__all__ = [
    "agreement",
    "edge_effects",
    "ffn_effects",
    "head_effects",
    "head_statistics",
    "influence",
    "lens",
    "rollout",
    "surprisal",
    "visibility",
]
