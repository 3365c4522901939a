"""bertviz's model view as a file that works here: its own HTML, the libraries it wants put in.

As shipped it fetches require.js, d3 and jQuery from a foreign host when it is opened. They come
from npm here, once, and go in front; the rest is untouched.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import torch
from bertviz import model_view

LIBRARIES = {"jquery": ("3.7.1", "dist/jquery.min.js"), "d3": ("5.16.0", "dist/d3.min.js")}
LOADER = re.compile(r'<script src="https?://[^"]*require[^"]*"></script>')
SHIM = """
window.require = { config() {} }
window.requirejs = (names, run) => run(window.jQuery, window.d3)
"""


def bertviz_page(weights: np.ndarray, tokens: Sequence[str]) -> str:
    """The model view of (layer, head, query, key) as one HTML file."""
    attention = [torch.tensor(layer)[None] for layer in weights]
    shown = model_view(attention, list(tokens), display_mode="light", html_action="return").data
    scripts = [library(name) for name in LIBRARIES] + [SHIM]
    inline = "".join(f"<script>{script}</script>" for script in scripts)
    page, found = LOADER.subn(lambda _: inline, shown, count=1)
    if not found:
        page = inline + page
    return f'<!doctype html><meta charset="utf-8"><body>{page}</body>'


@cache
def library(name: str) -> str:
    """The script of a library, from npm."""
    version, file = LIBRARIES[name]
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit(
            "no npm on the PATH to take d3 and jQuery from (Debian: apt-get install npm)"
        )
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", f"{name}@{version}", "--silent", "--pack-destination", folder]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as package:
            script = package.extractfile(f"package/{file}")
            assert script is not None
            return script.read().decode()
