"""What a visitor has written, kept while they stay: one tree for each model and prompt."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import models
from models.trace import Prompt
from pages.filling.linked import follow
from pages.generating.linked import from_link
from pages.generating.orders import Order, Settings, order, settings
from pages.generating.tree import Tree, later

_TREES, _SETTINGS, _ORDER = "generate/trees", "generate/settings", "generate/order"
MOST_TREES = 8
"""Prompts whose texts are kept."""
MOST_NODES = 4_000
"""Tokens of a tree; beyond, only the branch that is shown is kept."""


def known_settings() -> Settings:
    """The settings as the visitor left them, or as a new link has them."""
    kept: Settings = st.session_state.get(_SETTINGS, Settings())
    names = ("way", "temperature", "top_k", "top_p", "seed", "length")
    linked = {name: value for name in names if (value := follow(name, "generate")) is not None}
    st.session_state[_SETTINGS] = settings(linked, kept)
    return st.session_state[_SETTINGS]


def note_settings(value: object) -> None:
    """The sliders rest."""
    kept = st.session_state.get(_SETTINGS, Settings())
    st.session_state[_SETTINGS] = settings(value, kept)


def note_order(value: object) -> None:
    """A button was pressed; the page carries it out when it runs."""
    note_settings(value)
    if found := order(value, st.session_state[_SETTINGS]):
        st.session_state[_ORDER] = found


def take_order() -> Order | None:
    """What is to be done now, once."""
    found: Order | None = st.session_state.pop(_ORDER, None)
    return found


def tree_of(model: str, prompt: Prompt) -> Tree:
    """The texts that were written after a prompt; those of the prompts used last are kept.

    A link brings a branch.
    """
    trees: dict[tuple[str, tuple[int, ...]], Tree] = st.session_state.setdefault(_TREES, {})
    place = model, prompt.ids
    tree = trees.pop(place, None) or Tree()
    trees[place] = tree  # the last one is the newest
    while len(trees) > MOST_TREES:
        del trees[next(iter(trees))]
    if linked := follow("path", "generate"):
        _follow(tree, model, prompt, linked)
    if len(tree.nodes) > MOST_NODES:
        tree.forget()
    return tree


def _follow(tree: Tree, model: str, prompt: Prompt, linked: str) -> None:
    """Put a branch of a link into the tree; what the model does not know ends it."""
    known = range(models.vocabulary_size(model))
    parts, tree.place = from_link(linked), 0
    ids = [token_id for _, some in parts for token_id in some][: prompt.room]
    if not all(token_id in known for token_id in ids):
        return
    tokens = models.scored(model, (*prompt.ids, *ids))[len(prompt.ids) :]
    hows = [later(drawing, i) for drawing, some in parts for i in range(len(some))]
    for token, how in zip(tokens, hows, strict=False):
        tree.grow(token, how)


def repeated(prompt: Prompt, tree: Tree) -> Sequence[bool]:
    """Of the prompt and the branch that is shown: which tokens repeat what stood before."""
    return models.repetition([*prompt.ids, *(token.id for token in tree.tokens)])
