"""Several hidden words: each filled by itself, and all of them together."""

from __future__ import annotations

from components.words import msg
from pages.filling.asking import Asking

TITLE = msg("Together")


def show(asking: Asking) -> None:
    """Draw the section."""
