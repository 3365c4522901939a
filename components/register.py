"""One loader for every visual: `view.js` and `view.css` lie beside the Python that mounts them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


SHARED = Path(__file__).parent / "shared"
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*[^\n]*\*/)\n|[ \t]{2,}//[^\n]*$", re.MULTILINE)
"""In a script: whole lines, and what stands behind code after a gap."""
REMARK = re.compile(r"/\*.*?\*/", re.DOTALL)
INDENT = re.compile(r"^\s+", re.MULTILINE)


def register(
    name: str,
    folder: Path,
    *,
    shared: bool = False,
    borrowed: Sequence[str] = (),
    before: str = "",
) -> ComponentRenderer:
    """Register the component in `folder` and return the function that mounts it.

    Call it once, at module level: names are global to the app, and a second registration under the
    same name would replace the first.

    Args:
        name: A short name, unique in this app.
        folder: Holds `view.js` (an ES module with a default export) and `view.css` if it has any.
            Other scripts there go in front of `view.js`: Streamlit's inline modules cannot import.
        shared: Put the script and the style sheet in `components/shared` in front of its own.
        borrowed: Parts of other components, such as ``head/matrix``: their script and style sheet
            go in front of its own, too.
        before: A script that is no file here; in front of all others.

    Raises:
        FileNotFoundError: `folder` has no `view.js`, or a borrowed script is not there.
    """
    script, sheet = sources(folder, shared=shared, borrowed=borrowed)
    script = f"{before}\n{script}" if before else script
    # The text, not the path: Streamlit takes paths only from installed packages.
    return st.components.v2.component(f"unmask.{name}", js=script, css=sheet or None)


def sources(folder: Path, *, shared: bool, borrowed: Sequence[str] = ()) -> tuple[str, str]:
    """The script and the style sheet of a component; see `register`."""
    view = folder / "view.js"
    common = [SHARED] if shared else []
    parts = [SHARED.parent / part for part in borrowed]
    scripts = [file for each in common for file in sorted(each.glob("*.js"))]
    scripts += [part.with_suffix(".js") for part in parts]
    scripts += [*sorted(set(folder.glob("*.js")) - {view}), view]
    sheets = [file for each in common for file in sorted(each.glob("*.css"))]
    sheets += [part.with_suffix(".css") for part in parts if part.with_suffix(".css").is_file()]
    sheets += sorted(folder.glob("*.css"))
    return _sent(_joined(scripts), COMMENT), _sent(_joined(sheets), REMARK)


def _sent(text: str, comment: re.Pattern[str]) -> str:
    """Without what only readers of the source need: it travels with every message of a component.

    Comments and indentation go; no string of ours runs over several lines.
    """
    return INDENT.sub("", comment.sub("", text))


def _joined(files: Sequence[Path]) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
