"""One hidden word: how sure the model is, and how it rates the words that a visitor names."""

from __future__ import annotations

import streamlit as st

import models
from components.answers.exports import with_blanks
from components.facts.doubts import doubts
from components.rated.exports import longer_numbers, named_numbers, picture
from components.rated.longer import longer_words
from components.rated.longer import panels as longer_panels
from components.rated.named import named_words
from components.rated.named import panel as named_panel
from components.takeaway import panel_bar
from components.theme import BERT
from components.words import msg, t
from models.trace import Blank
from pages.filling.asking import Asking
from pages.filling.blanks import chosen_blank
from pages.filling.linked import follow

TITLE = msg("This word")
TYPED, LONGER = "fill_words", "fill_longer"
FIRST = 3
"""Of the model's own answers that stand in the list before the visitor names any."""


def show(asking: Asking) -> None:
    """Draw the section."""
    blank = chosen_blank(asking)
    if blank is None:
        return
    doubts(asking.prediction, blank, key="fill_doubts", colour=BERT.mark)
    if (linked := follow("longer")) is not None:  # before any link of this section is made
        st.session_state[LONGER] = linked == "1"
    _named(asking, blank)
    if st.toggle(t("Look for words of several pieces"), key=LONGER, persist_state="session"):
        _longer(asking, blank)


def _named(asking: Asking, blank: int) -> None:
    """The visitor's own list; before they name a word, their hidden one and the model's best."""
    if (linked := follow("words")) is not None:
        st.session_state[TYPED] = linked
    typed = st.text_input(
        t("Name words to compare"),
        placeholder=t("For example: he/she, they"),
        key=TYPED,
        live="300ms",
        persist_state="session",
    )
    about = asking.prediction.blanks[blank]
    named = typed if typed.strip() else suggested(about)
    found = asking.once(
        "named",
        (asking.sentence, blank, named),
        lambda check: models.score_words(asking.model, asking.sentence, named, blank, check),
    )
    title = t("Your list") if named == typed else t("The model’s first answers")
    if len(asking.prediction.blanks) > 1:
        title = t("{name}: {text}", name=t("Blank {number}", number=blank + 1), text=title)
    words = asking.prediction.words
    colour = BERT.mark
    named_words(
        found, title=title, words=words, own=about.original, key="fill_named", colour=colour
    )
    panel = named_panel(found, title, words, about.original)
    panel_bar(
        key="named_words",
        title=title,
        numbers=lambda: named_numbers(found),
        code=found.snippet,
        picture=lambda: picture(
            with_blanks(asking.sentence, asking.prediction), [panel], colour, found.provenance
        ),
        link=_view(asking, blank),
        about=found.provenance,
        how=t(
            "One pass with the word hidden gives every word its probability. A word of several "
            "pieces is hidden behind as many masks and read off piece by piece (chain rule)."
        ),
    )


def _view(asking: Asking, blank: int) -> dict[str, str]:
    """All that a link needs to bring this section back as it stands."""
    view = {"blank": str(blank + 1)}
    if typed := st.session_state.get(TYPED):
        view["words"] = typed
    if st.session_state.get(LONGER):
        view["longer"] = "1"
    return asking.link("words", **view)


def suggested(blank: Blank) -> tuple[str, ...]:
    """The visitor's own word and the model's first answers, each once."""
    best = [f"##{each.text}" if each.continuation else each.text for each in blank.candidates]
    own = [] if blank.original is None else [blank.original]
    known = {word.casefold() for word in own}
    return (*own, *[word for word in best[:FIRST] if word.casefold() not in known])


def _longer(asking: Asking, blank: int) -> None:
    """Words that one mask has no room for: searched, which takes a moment."""
    found = asking.once(
        "longer",
        (asking.sentence, blank),
        lambda check: models.longer_answers(asking.model, asking.sentence, blank, check=check),
        meanwhile=t("Looking for longer words …"),
    )
    longer_words(found, key="fill_longer_words", colour=BERT.mark)
    if not (found.two or found.three):
        return
    panel_bar(
        key="longer_words",
        title=t("Words of several pieces"),
        numbers=lambda: longer_numbers(found),
        code=found.snippet,
        picture=lambda: picture(
            with_blanks(asking.sentence, asking.prediction),
            longer_panels(found),
            BERT.mark,
            found.provenance,
        ),
        link=_view(asking, blank),
        about=found.provenance,
        how=t(
            "The blank is widened to two and to three masks, and a beam goes over the pieces from "
            "left to right. It keeps words that the tokenizer itself would cut like that. Each "
            "length is a list of its own: they were computed with different numbers of masks."
        ),
    )
