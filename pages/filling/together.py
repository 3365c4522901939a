"""Several hidden words: each filled by itself, and all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

import models
from components.answers.exports import with_blanks
from components.fills import fills
from components.fills.exports import numbers, picture
from components.offers import offers
from components.takeaway import panel_bar
from components.theme import BERT
from components.tokens.marks import from_marks
from components.words import msg, t
from models.trace import JointFill, Sentence
from pages.choosing.reading import reads_verse
from pages.filling.asking import Asking, Check

TITLE = msg("Together")

ENGLISH = tuple(
    map(
        from_marks,
        (
            "He stood in [[front]] [[of]] the house.",
            "There were a [[lot]] [[of]] people in the street.",
            "As soon [[as]] [[possible]] we will leave.",
            "[[He]] lost [[his]] keys.",
            "She moved to [[New]] [[York]] last year.",
            "In the [[United]] [[States]] people drive on the right.",
            "They are looking [[forward]] [[to]] the holidays.",
            "He washed his [[hands]] with [[soap]].",
        ),
    )
)
VERSE = tuple(
    map(
        from_marks,
        (
            "床前[[明]][[月]]光，疑是地上霜。",
            "國破[[山]][[河]]在，城春草木深。",
            "[[白]][[日]]依山盡，黃河入海流。",
            "獨在[[異]]鄉為異[[客]]，每逢佳節倍思親。",
            "兩個[[黃]][[鸝]]鳴翠柳，一行白鷺上青天。",
            "春[[風]]又綠江南岸，明[[月]]何時照我還。",
        ),
    )
)
"""Whose words belong together; which of them show it depends on the model, so that is measured."""
OFFERED = 3
_found: dict[str, list[Sentence]] = {}


def show(asking: Asking) -> None:
    """Draw the section."""
    if len(asking.prediction.blanks) < 2:
        _invite(asking)
        return
    st.markdown(
        t(
            "In one pass, each answer is a guess without knowing the others. Filled together, the "
            "most confident blank goes first, and every next answer knows the words before it."
        )
    )
    found = asking.once(
        "together",
        asking.sentence,
        lambda check: models.fill_jointly(asking.model, asking.sentence, check=check),
        meanwhile=t("Filling them together …"),
    )
    blanks, text = asking.prediction.blanks, asking.sentence.text
    fills(text, blanks, found, key="fill_together", colour=BERT.mark, write=models.filled)
    _take_away(asking, found)


def _take_away(asking: Asking, found: JointFill) -> None:
    panel_bar(
        key="together",
        title=t("Each by itself, and together"),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(with_blanks(asking.sentence, asking.prediction), found, BERT.mark),
        link=asking.link("together"),
        about=found.provenance,
        how=t(
            "A beam of 5 over blanks and words; the score is the sum of log-probabilities in the "
            "order of filling. A masked model’s answers need not agree with each other, so another "
            "order can score the same words otherwise. Each by itself: the best word of each blank "
            "with all others hidden, scored in the same way."
        ),
    )


def _invite(asking: Asking) -> None:
    """What to do with fewer than two blanks, and sentences where it pays."""
    st.info(
        t("Hide one more word, and see whether the model’s answers fit each other.")
        if asking.prediction.blanks
        else t("Hide two words or more, and see whether the model’s answers fit each other.")
    )
    tried = VERSE if reads_verse(asking.facts) else ENGLISH
    found = asking.once(
        "together/offers",
        "",
        partial(telling, asking.model, tried),
        t("Looking for good examples …"),
    )
    offers(found, key="fill_together_offers", strip="fill")


def telling(model: str, tried: Sequence[Sentence], check: Check) -> list[Sentence]:
    """The sentences where filling together changes most, measured once with this very model."""
    if model not in _found:
        gains = {
            sentence: models.fill_jointly(model, sentence, check=check).difference.gain
            for sentence in tried
        }
        _found[model] = sorted(tried, key=lambda sentence: -gains[sentence])[:OFFERED]
    return _found[model]
