"""What a folder's weights are, from the headers of its safetensors files alone.

A safetensors file is the length of its header (8 bytes, little endian), the header (JSON: a name,
number format, shape and place for each tensor), then the numbers. Only the header is read here, so
that a folder is known in milliseconds and a false claim in it costs nothing.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from models.errors import Unusable

SINGLE, INDEX = "model.safetensors", "model.safetensors.index.json"
PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.msgpack", "*.h5")
LONGEST = 100_000_000
"""The longest header that safetensors itself accepts, in bytes."""

SIZES = {
    "F64": 8, "F32": 4, "F16": 2, "BF16": 2, "F8_E4M3": 1, "F8_E5M2": 1, "BOOL": 1,
    "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U64": 8, "U32": 4, "U16": 2, "U8": 1,
}  # fmt: skip
"""Bytes for each number."""


@dataclass(frozen=True)
class Tensor:
    """One tensor of a file."""

    format: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)

    @property
    def learned(self) -> bool:
        """Whether these are parameters; whole numbers only count positions and the like."""
        return "F" in self.format


def tensors(name: str, folder: Path) -> dict[str, Tensor]:
    """All tensors of a folder by name.

    Args:
        name: The model's, for a refusal.
        folder: With one file of weights, or several and their index.

    Raises:
        Unusable: There are no weights, or only some that are not read here, or not all of them.
    """
    found: dict[str, Tensor] = {}
    for file in weight_files(name, folder):
        found |= _tensors(name, file)
    if not found:
        raise Unusable(name, "weights", "no weights")
    return found


def weight_files(name: str, folder: Path) -> list[Path]:
    """The files of the weights, all of them there.

    Raises:
        Unusable: As `tensors`.
    """
    if (folder / SINGLE).is_file():
        return [folder / SINGLE]
    if (folder / INDEX).is_file():
        return _shards(name, folder)
    pickles = sorted(file.name for pattern in PICKLES for file in folder.glob(pattern))
    why = "pickle" if pickles else "no weights"
    raise Unusable(name, "weights", why, tuple(pickles[:3]), len(pickles))


def _shards(name: str, folder: Path) -> list[Path]:
    try:
        index: Any = json.loads((folder / INDEX).read_text(encoding="utf-8"))
        named = sorted({str(shard) for shard in index["weight_map"].values()})
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Unusable(name, "weights", "header", (INDEX,), 1) from error
    # A shard lies beside its index: a path in its name could lead anywhere.
    lost = [each for each in named if Path(each).name != each or not (folder / each).is_file()]
    if lost:
        raise Unusable(name, "weights", "shard", tuple(lost[:3]), len(lost))
    return [folder / shard for shard in named]


def _tensors(name: str, file: Path) -> dict[str, Tensor]:
    """The tensors of one file, which must have room for all that its header claims."""
    try:
        size = file.stat().st_size
        with file.open("rb") as opened:
            length = int.from_bytes(opened.read(8), "little")
            if size < 8 or length > min(size - 8, LONGEST):
                raise Unusable(name, "weights", _ends(size, length), (file.name,), 1)
            header: Any = json.loads(opened.read(length))
        found, end = _parsed(header)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Unusable(name, "weights", "header", (file.name,), 1) from error
    if 8 + length + end > size:
        raise Unusable(name, "weights", "truncated", (file.name,), 1)
    return found


def _ends(size: int, length: int) -> Literal["truncated", "header"]:
    """A header longer than its file: the file ends too early, if such a header can be."""
    return "truncated" if size >= 8 and length <= LONGEST else "header"


def _parsed(header: dict[str, Any]) -> tuple[dict[str, Tensor], int]:
    """The tensors, and where the last one ends.

    Raises:
        ValueError: A claim that cannot be; KeyError, TypeError: not even a claim.
    """
    found, last = {}, 0
    for key, told in header.items():
        if key == "__metadata__":
            continue
        tensor = Tensor(str(told["dtype"]), tuple(int(side) for side in told["shape"]))
        start, end = (int(offset) for offset in told["data_offsets"])
        fits = tensor.format not in SIZES or end - start == tensor.size * SIZES[tensor.format]
        if min((start, *tensor.shape), default=0) < 0 or not fits:
            raise ValueError(key)
        found[key], last = tensor, max(last, end)
    return found, last
