"""One loader for every visual: `view.js` and `view.css` lie beside the Python that mounts them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


SHARED = Path(__file__).parent / "shared"


def register(name: str, folder: Path, *, shared: bool = False) -> ComponentRenderer:
    """Register the component in `folder` and return the function that mounts it.

    Call it once, at module level: names are global to the app, and a second registration under the
    same name would replace the first.

    Args:
        name: A short name, unique in this app.
        folder: Holds `view.js` (an ES module with a default export) and `view.css` if it has any.
            Other scripts there go in front of `view.js`: Streamlit's inline modules cannot import.
        shared: Put the script and the style sheet in `components/shared` in front of its own.

    Raises:
        FileNotFoundError: `folder` has no `view.js`.
    """
    view = folder / "view.js"
    common = [SHARED] if shared else []
    scripts = [file for each in common for file in sorted(each.glob("*.js"))]
    scripts += [*sorted(set(folder.glob("*.js")) - {view}), view]
    sheets = [file for each in (*common, folder) for file in sorted(each.glob("*.css"))]
    return st.components.v2.component(
        f"unmask.{name}",
        # The text, not the path: Streamlit takes paths only from installed packages.
        js="\n".join(script.read_text(encoding="utf-8") for script in scripts),
        css="\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets) or None,
    )
