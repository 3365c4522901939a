"""Who sees what: the four architectures on one text, by what reaches their states.

`models.seen` is the waist's part for it; `models.sights` has the records that come back.
"""

from __future__ import annotations

from models.seeing.matrix import sight
from models.seeing.targets import targets

__all__ = ["sight", "targets"]
