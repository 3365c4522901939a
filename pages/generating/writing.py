"""Carrying out what the visitor asked for, while everybody else gets a turn between two tokens."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import models
from components.draft import more
from models.trace import Prompt, WrittenToken
from pages.filling.asking import ask
from pages.generating.orders import Order
from pages.generating.text import KEY, Text
from pages.generating.tree import Tree, later

EVERY = 0.08
"""Seconds between two pictures of a text that grows."""

Say = Callable[[str], object]


def one(order: Order, model: str, prompt: Prompt, tree: Tree, say: Say) -> None:
    """Put one token there: the visitor's own, or the one that the settings lead to."""
    ids = (*prompt.ids, *tree.before)
    if order.action == "force" and order.token is not None:
        chosen = order.token
        if not 0 <= chosen < models.vocabulary_size(model) or tree.place >= prompt.room:
            return
        token = ask(lambda check: models.with_token(model, ids, chosen, check), say)
        tree.grow(token, None)
        return
    drawing = tree.next_drawing(order.settings.drawing)
    stream = models.continuation(model, ids, drawing, 1)
    if (found := ask(lambda _: next(stream, None), say)) is not None:
        tree.grow(found, drawing)


def run(order: Order, text: Text, say: Say, since: int) -> None:
    """Write on, and show every token as it comes.

    Each token claims a slot of its own: so others who wait come in between, and a click of this
    visitor ends the run at the next token, with all that was written kept.
    """
    tree = text.tree
    ids = (*text.prompt.ids, *tree.before)
    drawing = tree.next_drawing(order.settings.drawing)
    stream = models.continuation(text.model, ids, drawing, order.settings.length)
    written: list[WrittenToken] = []
    shown = 0.0
    while (token := ask(lambda _: next(stream, None), say)) is not None:
        tree.grow(token, later(drawing, len(written)))
        written.append(token)
        if monotonic() - shown > EVERY:
            more(written, key=KEY, since=since)
            shown = monotonic()
