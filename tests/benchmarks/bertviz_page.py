"""A view of bertviz as a file that works here: its own HTML, the libraries it wants put in.

As shipped it fetches require.js, d3 and jQuery from a foreign host when it is opened. Here d3 comes
with mpld3, jQuery from npm, once, and both go in front; the rest is untouched.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

import torch
from bertviz import head_view, model_view

from components.bertviz_views.scripts import D3, package_file

JQUERY = ("jquery", "3.7.1", "dist/jquery.min.js")
VIEWS = {"head": head_view, "model": partial(model_view, display_mode="light")}
LOADER = re.compile(r'<script src="https?://[^"]*require[^"]*"></script>')
SHIM = """
window.require = { config() {} }
window.requirejs = (names, run) => run(window.jQuery, window.d3)
"""


def bertviz_page(view: str, attention: Sequence[torch.Tensor], tokens: Sequence[str]) -> str:
    """The ``head`` or ``model`` view of layers (1, head, query, key) as one HTML file."""
    shown = VIEWS[view](list(attention), list(tokens), html_action="return").data
    scripts = [jquery(), package_file(*D3), SHIM]
    inline = "".join(f"<script>{script}</script>" for script in scripts)
    page, found = LOADER.subn(lambda _: inline, shown, count=1)
    if not found:
        page = inline + page
    return f'<!doctype html><meta charset="utf-8"><body>{page}</body>'


@cache
def jquery() -> str:
    """The script, from npm."""
    name, version, file = JQUERY
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("no npm on the PATH to take jQuery from (Debian: apt-get install npm)")
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", f"{name}@{version}", "--silent", "--pack-destination", folder]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as package:
            script = package.extractfile(f"package/{file}")
            assert script is not None
            return script.read().decode()
