"""BertViz's own scripts, from the package that is installed, ready for a component.

As shipped they fetch d3, jQuery and require.js from a foreign host. Here `view.js` stands in for
the last two, and d3 comes with the package mpld3. Nothing of theirs is kept in this repository;
both are read without importing their packages, which would bring torch and matplotlib.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

VIEWS = ("head", "model", "neuron")
D3 = ("mpld3", "js/d3.v5.min.js")
PALETTE = re.compile(r"const PALETTE = \{.*?\n        \}\n", re.DOTALL)
"""Their light and dark colours; the app's own take their place."""
ADDRESSES = re.compile(r"require\.config\(\{.*?\}\);", re.DOTALL)
"""Where they would fetch d3 and jQuery from."""
COMMENTS = re.compile(r"/\*\*.*?\*/|// HACK: [^\n]*", re.DOTALL)
SAID = {
    '.text("Heads")': ".text(WORDS.heads)",
    '.text("Layers")': ".text(WORDS.layers)",
    "'Layer ' + config.layers[layerIndex] + \", Head \" + config.heads[headIndex]": (
        "WORDS.detail(config.layers[layerIndex], config.heads[headIndex])"
    ),
    ".text('Query ')": ".text(WORDS.query + ' ')",
    ".text('Key ')": ".text(WORDS.key + ' ')",
    "'q \\u00D7 k (elementwise)'": "WORDS.product",
    '.text("No token selected")': ".text(WORDS.none)",
}
"""What they say in English, and where the visitor's language has it."""


def package_file(package: str, name: str) -> str:
    """A file of an installed package, which is not imported for it.

    Raises:
        FileNotFoundError: The package, or the file in it, is not there.
    """
    found = find_spec(package)
    folders = (found.submodule_search_locations if found else None) or ()
    for folder in folders:
        file = Path(folder) / name
        if file.is_file():
            return file.read_text(encoding="utf-8")
    raise FileNotFoundError(f"{package}/{name}")


def view_script(name: str) -> str:
    """One of bertviz's scripts as the body of a function of what it takes from its page."""
    script = COMMENTS.sub("", package_file("bertviz", f"{name}_view.js"))
    for said, ours in SAID.items():
        script = script.replace(said, ours)
    return ADDRESSES.sub("", PALETTE.sub("const PALETTE = THEME\n", script))


def scripts() -> str:
    """d3 and the three views, as names that `view.js` uses."""
    taken = "require, requirejs, window, console, PYTHON_PARAMS, THEME, WORDS"
    views = ",\n".join(f"{name}({taken}) {{\n{view_script(name)}\n}}" for name in VIEWS)
    d3 = f"const D3 = (function () {{\n{package_file(*D3)}\nreturn this.d3\n}}).call({{}})"
    return f"{d3}\nconst BERTVIZ = {{\n{views}\n}}\n"
