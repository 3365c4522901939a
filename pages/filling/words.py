"""One hidden word: how sure the model is, and how it rates the words that a visitor names."""

from __future__ import annotations

import streamlit as st

import models
from components.answers.exports import with_blanks
from components.facts.doubts import doubts
from components.rated import Panel, rated
from components.rated.exports import named_numbers, picture
from components.rated.named import named_words
from components.takeaway import panel_bar
from components.theme import BERT
from components.words import msg, t
from models.catalog import ModelFacts
from models.trace import Blank, NamedWords
from pages.choosing.reading import reads_verse
from pages.filling.asking import Asking
from pages.filling.blanks import chosen_blank
from pages.filling.linked import follow
from pages.filling.longer import show_longer

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
        show_longer(asking, blank, _view(asking, blank))


def _typed(facts: ModelFacts | None) -> str:
    """The visitor's own list."""
    if (linked := follow("words")) is not None:
        st.session_state[TYPED] = linked
    return st.text_input(
        t("Name words to compare"),
        placeholder=t("For example: 月, 花")
        if reads_verse(facts)
        else t("For example: he/she, they"),
        key=TYPED,
        live="300ms",
        persist_state="session",
    )


def _named(asking: Asking, blank: int) -> None:
    """The list, rated; before a visitor names a word, their hidden one and the model's best."""
    typed, about = _typed(asking.facts), asking.prediction.blanks[blank]
    named = typed if typed.strip() else suggested(about)
    found = asking.once(
        "named",
        (asking.sentence, blank, named),
        lambda check: models.score_words(asking.model, asking.sentence, named, blank, check),
    )
    title = t("Your list") if named == typed else t("The model’s first answers")
    if len(asking.prediction.blanks) > 1:
        title = t("{name}: {text}", name=t("Blank {number}", number=blank + 1), text=title)
    panel = named_words(found, title, asking.prediction.words, about.original)
    rated([panel], key="fill_named", colour=BERT.mark)
    _take_away(asking, blank, found, panel)


def _take_away(asking: Asking, blank: int, found: NamedWords, panel: Panel) -> None:
    text = with_blanks(asking.sentence, asking.prediction)
    panel_bar(
        key="named_words",
        title=panel.title,
        numbers=lambda: named_numbers(found),
        code=found.snippet,
        picture=lambda: picture(text, [panel], BERT.mark, found.provenance),
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
