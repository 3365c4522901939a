"""GGUF files: turned into an ordinary folder once, and loaded from there like any other.

transformers undoes the quantisation, tensor by tensor, into float32, and that is what is kept: the
numbers are the file's own. Needs the packages ``gguf`` and ``accelerate``.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from models.checkpoints.gguf_header import read_header
from models.checkpoints.sized import Sized, within_limits
from models.errors import ExtraMissing, Unusable
from models.settings import ROOT, settings

EXTRA = ("gguf", "accelerate")
DONE = "converted.txt"
_ONE_AT_A_TIME = threading.Lock()


def extra(name: str) -> None:
    """Whether GGUF files can be read here.

    Raises:
        ExtraMissing: A package is lacking.
    """
    if lacking := tuple(each for each in EXTRA if find_spec(each) is None):
        raise ExtraMissing(name, lacking)


def header(name: str, file: Path) -> Sized:
    """The figures of a file, from its header alone.

    Raises:
        Unusable: It is no GGUF file, or ends too early.
    """
    try:
        found = read_header(file)
    except EOFError as error:
        raise Unusable(name, "weights", "truncated", (file.name,), 1) from error
    except (OSError, ValueError, RecursionError) as error:
        raise Unusable(name, "weights", "header", (file.name,), 1) from error
    kind = str(found.facts.get("general.architecture") or "")

    def told(field: str) -> int | None:
        value = found.facts.get(field if "." in field else f"{kind}.{field}")
        return value if isinstance(value, int) else None

    return Sized(
        name=name,
        kind=kind,
        parameters=found.counted.total(),
        stored=dict(found.counted),
        layers=told("block_count"),
        heads=told(f"{kind}.attention.head_count"),
        width=told("embedding_length"),
        context=told("context_length"),
        vocabulary=told("tokenizer.ggml.tokens"),
        own_code=False,
    )


def converted(name: str, file: Path) -> Path:
    """The folder that a file was turned into; made now if nobody has asked for it before.

    Raises:
        ExtraMissing: A package is lacking.
        TooLarge: It is beyond what the operator allows.
        Unusable: transformers cannot read it.
    """
    stat = file.stat()
    stamp = f"{file}\0{stat.st_size}\0{stat.st_mtime_ns}"
    folder = settings().cache / "gguf" / hashlib.sha256(stamp.encode()).hexdigest()[:24]
    if (folder / DONE).is_file():
        return folder
    extra(name)
    within_limits(header(name, file))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _draft(folder.parent) as draft:
        _convert(name, file, draft)
        (draft / DONE).write_text(f"{file.name}\n", encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        draft.rename(folder)
    return folder


def _convert(name: str, file: Path, to: Path) -> None:
    """In a process of its own: what transformers needs for it for a while is given back after."""
    command = [sys.executable, "-m", "models.checkpoints.gguf_writing", str(file), str(to)]
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    with _ONE_AT_A_TIME:
        done = subprocess.run(  # noqa: S603 - our own module, and paths that were checked
            command,
            env=os.environ | {"PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    if done.returncode:
        raise Unusable(name, "architecture", "unknown type")


@contextmanager
def _draft(beside: Path) -> Iterator[Path]:
    """A folder to work in; what is left of it after a failure goes."""
    folder = Path(tempfile.mkdtemp(dir=beside, prefix="."))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
