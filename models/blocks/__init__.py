"""A block taken apart, on a loaded model of BERT's kind; see `models.block_records`."""

from __future__ import annotations

from models.blocks.alike import alike
from models.blocks.dropping import passes
from models.blocks.ffn import feed_forward
from models.blocks.silencing import silenced
from models.blocks.stream import stream

__all__ = ["alike", "feed_forward", "passes", "silenced", "stream"]
