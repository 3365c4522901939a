"""The next token: its distribution, the cut, and the buttons that go on from it."""

from __future__ import annotations

import models
from components.answers.notices import shorten
from components.next_tokens import Place, next_tokens
from components.next_tokens.exports import numbers, picture
from components.takeaway import panel_bar
from components.words import t
from models.trace import NextTokens, joined
from pages.generating.orders import Settings
from pages.generating.state import note_order, note_settings
from pages.generating.text import Text
from pages.generating.tree import PROMPT

KEY = "generate_next"
LONGEST = 48
"""Characters shown of the text before."""


def show(text: Text, found: NextTokens, settings: Settings, writing: bool) -> None:
    """The bars, the sliders and the buttons."""
    tree = text.tree
    path = tree.path
    parent = path[tree.place - 1] if tree.place else PROMPT
    standing = tree.nodes[path[tree.place]].token.id if tree.place < len(path) else None
    ended = bool(tree.before) and tree.before[-1] in found.ends
    place = Place(
        headline=headline(text),
        chosen=standing,
        tried={tree.nodes[child].token.id for child in tree.children(parent)},
        room=0 if ended else text.prompt.room - tree.place,
        ended=ended,
    )
    next_tokens(
        found,
        place,
        key=KEY,
        colour=text.colour,
        settings={"way": settings.way, **vars(settings.cut), **_rest(settings)},
        writing=writing,
        on_go=note_order,
        on_settings=note_settings,
    )


def _rest(settings: Settings) -> dict[str, int]:
    return {"seed": settings.seed, "length": settings.length}


def headline(text: Text) -> str:
    """After which words."""
    read = joined([*text.opening, *text.tree.tokens[: text.tree.place]]).strip()
    said = read if len(read) <= LONGEST else f"…{read[-LONGEST:]}"
    return t("After “{text}”", text=said) if said else t("At the beginning")


def take_away(text: Text, found: NextTokens, settings: Settings) -> None:
    """The bar under the bars."""
    ids, cut = (*text.prompt.ids, *text.tree.before), settings.shown_cut
    panel_bar(
        key="next_token",
        title=t("The next token"),
        numbers=lambda: numbers(found, models.after_cut(found, cut), cut),
        code=lambda: models.next_snippet(text.model, ids, cut),
        picture=lambda: picture(
            found, models.after_cut(found, cut), shorten(headline(text), 80), text.colour
        ),
        link=text.link,
        about=found.provenance,
        how=t(
            "One softmax over the full vocabulary. Then the cut, in this order: the logits are "
            "divided by the temperature; only the k most probable tokens stay (top-k); of these "
            "only the fewest that together hold p of the probability (top-p). What stays is scaled "
            "to sum to 1."
        ),
    )
