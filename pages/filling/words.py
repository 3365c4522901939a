"""One hidden word: how sure the model is, and how it rates the words that you name."""

from __future__ import annotations

from components.words import msg
from pages.filling.asking import Asking

TITLE = msg("This word")


def show(asking: Asking) -> None:
    """Draw the section."""
