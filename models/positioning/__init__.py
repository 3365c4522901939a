"""Positions of real models: their tables, what heads make of them, words that are shuffled."""

from __future__ import annotations

from models.positioning.added import added
from models.positioning.heads import head_offsets
from models.positioning.order import shuffled
from models.positioning.table import position_table

__all__ = ["added", "head_offsets", "position_table", "shuffled"]
