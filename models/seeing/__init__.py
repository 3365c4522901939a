"""Who sees what: the four architectures on one text, by what reaches their states.

`models.seen` is the waist's part for it; `models.sights` has the records that come back.
"""

from __future__ import annotations

from models.seeing.contexts import common_words, in_contexts
from models.seeing.matrix import sight
from models.seeing.opened import opened
from models.seeing.targets import targets

__all__ = ["common_words", "in_contexts", "opened", "sight", "targets"]
