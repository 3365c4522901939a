"""Results of stored experiments in the zoo: read once for each time that they were written."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from models import catalog

Run = TypeVar("Run")


def kept(file: str, parse: Callable[[Mapping[str, Any]], Run]) -> Run | None:
    """The last run of an experiment, if the zoo keeps one.

    Args:
        file: Its name in the zoo.
        parse: Makes it from what the file holds.
    """
    path = catalog.ZOO / file
    return _read(path, path.stat().st_mtime_ns, parse) if path.is_file() else None


@lru_cache(maxsize=16)
def _read(path: Path, _: int, parse: Callable[[Mapping[str, Any]], Run]) -> Run:
    return parse(json.loads(path.read_text(encoding="utf-8")))
