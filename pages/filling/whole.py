"""A whole sentence: how well it fits the model, word by word, and against another one."""

from __future__ import annotations

from components.words import msg
from pages.filling.asking import Asking

TITLE = msg("Whole sentence")


def show(asking: Asking) -> None:
    """Draw the section."""
