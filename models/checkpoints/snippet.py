"""A program that counts a folder's parameters again, from the headers of its files alone."""

from __future__ import annotations

from models.names import parse

BODY = """\
import json
import math
from pathlib import Path

folder = Path({folder!r})  # where the model lies on your machine
counted = {{}}
for file in folder.glob("*.safetensors"):
    with file.open("rb") as opened:
        header = json.loads(opened.read(int.from_bytes(opened.read(8), "little")))
    for name, tensor in header.items():
        if name != "__metadata__" and "F" in tensor["dtype"]:
            counted[tensor["dtype"]] = counted.get(tensor["dtype"], 0) + math.prod(tensor["shape"])

parameters = sum(counted.values())
print("parameters:", parameters, counted)
for dtype, size in {{"float32": 4, "bfloat16": 2, "float16": 2}}.items():
    print(f"memory in {{dtype}}: {{parameters * size / 1e6:.1f}} MB")
"""


def counting(name: str) -> str:
    """The program for a model of this name."""
    return BODY.format(folder=parse(name).place)
