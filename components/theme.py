"""One colour per architecture, everywhere; paper, ink and the chart palettes are in config.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Colour:
    """An architecture's colour: as designed for marks, and shades of it that can be read as text.

    Marks keep 3:1 against paper and cards in both themes, text 4.5:1; a test holds them to it.
    """

    mark: str
    text_on_light: str
    text_on_dark: str

    @property
    def text(self) -> str:
        """The CSS colour for text, whichever theme is showing."""
        return f"light-dark({self.text_on_light}, {self.text_on_dark})"


BERT = Colour("#0072B2", text_on_light="#0072B2", text_on_dark="#56B4E9")
GPT = Colour("#D55E00", text_on_light="#B34F00", text_on_dark="#F08A3C")
ELMO = Colour("#009E73", text_on_light="#007556", text_on_dark="#2FBF93")
ENCODER_DECODER = Colour("#AA4499", text_on_light="#AA4499", text_on_dark="#DA86CB")

ARCHITECTURES: Mapping[str, Colour] = {
    "bert": BERT,
    "gpt": GPT,
    "elmo": ELMO,
    "encoder-decoder": ENCODER_DECODER,
}
