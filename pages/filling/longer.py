"""Words of several pieces at one blank: part of `pages.filling.words`, on demand."""

from __future__ import annotations

import models
from components.answers.exports import with_blanks
from components.rated import rated
from components.rated.exports import longer_numbers, picture
from components.rated.longer import longer_words
from components.takeaway import panel_bar
from components.theme import BERT
from components.words import t
from pages.filling.asking import Asking


def show_longer(asking: Asking, blank: int, link: dict[str, str]) -> None:
    """Search words that one mask has no room for, which takes a moment, and draw them."""
    found = asking.once(
        "longer",
        (asking.sentence, blank),
        lambda check: models.longer_answers(asking.model, asking.sentence, blank, check=check),
        meanwhile=t("Looking for longer words …"),
    )
    panels = longer_words(found)
    rated(panels, key="fill_longer_words", colour=BERT.mark)
    if not (found.two or found.three):
        return
    text = with_blanks(asking.sentence, asking.prediction)
    panel_bar(
        key="longer_words",
        title=t("Words of several pieces"),
        numbers=lambda: longer_numbers(found),
        code=found.snippet,
        picture=lambda: picture(text, panels, BERT.mark, found.provenance),
        link=link,
        about=found.provenance,
        how=t(
            "The blank is widened to two and to three masks, and a beam goes over the pieces from "
            "left to right. It keeps words that the tokenizer itself would cut like that. Each "
            "length is a list of its own: they were computed with different numbers of masks."
        ),
    )
