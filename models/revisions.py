"""A name for the very weights in a folder; loads none."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

Stamp = tuple[tuple[str, int, int], ...]


def revision(folder: Path) -> str:
    """First 12 hex digits of the SHA-256 of the weights, all shards in order of their names.

    "" if there are none.
    """
    files = sorted(folder.glob("*.safetensors"))
    facts = [(file.name, file.stat()) for file in files]
    return _hashed(folder, tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in facts))


@lru_cache(maxsize=64)
def _hashed(folder: Path, files: Stamp) -> str:
    """Read once for each time that they were written."""
    if not files:
        return ""
    digest = hashlib.sha256()
    for name, _, _ in files:
        with (folder / name).open("rb") as opened:  # in pieces: a file may be as large as memory
            hashlib.file_digest(opened, lambda: digest)
    return digest.hexdigest()[:12]
