"""One loader for every visual: `view.js` and `view.css` lie beside the Python that mounts them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def register(name: str, folder: Path) -> ComponentRenderer:
    """Register the component in `folder` and return the function that mounts it.

    Call it once, at module level: names are global to the app, and a second registration under the
    same name would replace the first.

    Args:
        name: A short name, unique in this app.
        folder: Holds `view.js` (an ES module with a default export) and, if it has styles, `view.css`.

    Raises:
        FileNotFoundError: `folder` has no `view.js`.
    """
    css = folder / "view.css"
    return st.components.v2.component(
        f"unmask.{name}",
        # The text, not the path: Streamlit takes paths only from installed packages.
        js=(folder / "view.js").read_text(encoding="utf-8"),
        css=css.read_text(encoding="utf-8") if css.exists() else None,
    )
