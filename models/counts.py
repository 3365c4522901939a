"""How often each entry of a model's vocabulary occurs in its training text."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Int

from models.errors import FilesMissing
from models.measures import read_counts

if TYPE_CHECKING:
    from models.loading import Model

FILE = "unigram.json"


def word_counts(model: Model) -> Int[np.ndarray, " vocabulary"]:
    """The counts in a model's folder, read once; `models.measures.read_counts` has the format.

    Raises:
        FilesMissing: The folder has none: nothing can be drawn to take a word's place.
        ValueError: The file is damaged.
    """
    file = None if model.folder is None else model.folder / FILE
    if file is None or not file.is_file():
        raise FilesMissing(model.name, (FILE,))
    return _read(file, len(model.vocabulary.is_word))


@lru_cache(maxsize=16)
def _read(file: Path, size: int) -> Int[np.ndarray, " vocabulary"]:
    counts = read_counts(file, size)
    counts.setflags(write=False)  # all visitors share them
    return counts
