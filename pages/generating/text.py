"""The text that is written, token by token, and its branches."""

from __future__ import annotations

from dataclasses import dataclass

import models
from components.draft import Draft, Row, draft
from components.draft.exports import numbers, picture
from components.takeaway import panel_bar
from components.words import t
from models.trace import Prompt, Provenance, WrittenToken, joined
from pages.generating.state import repeated
from pages.generating.tree import PROMPT, Tree
from pages.generating.verse import verdict

KEY = "generate_draft"


@dataclass(frozen=True)
class Text:
    """What the panels are about."""

    model: str
    colour: str
    prompt: Prompt
    opening: tuple[WrittenToken, ...]
    """The prompt's tokens."""
    tree: Tree
    verse: bool
    link: dict[str, str]
    """Brings a visitor to this prompt, model and settings."""


def show(text: Text, ends: frozenset[int], writing: bool) -> int:
    """The text and its branches; returns what `components.draft.more` needs to know."""
    tree = text.tree
    shown = Draft(
        prompt=text.opening,
        tokens=tree.tokens,
        by_hand=[tree.nodes[node].drawing is None for node in tree.path],
        repeated=repeated(text.prompt, tree),
        place=tree.place,
        rows=_rows(tree),
        verse=text.verse,
        ends=ends,
        notes=[verdict(text.prompt.text, tree.tokens)] if text.verse and not writing else [],
    )
    return draft(
        shown,
        key=KEY,
        colour=text.colour,
        writing=writing,
        on_place=lambda place: _place(tree, place),
        on_branch=lambda leaf: _branch(tree, leaf),
        on_over=lambda: _over(tree),
    )


def take_away(text: Text, about: Provenance) -> None:
    """The bar under the text."""
    tree = text.tree
    again = repeated(text.prompt, tree)
    hows = [tree.nodes[node].drawing for node in tree.path]
    panel_bar(
        key="text",
        title=t("The text"),
        numbers=lambda: numbers(text.opening, tree.tokens, hows, again),
        code=lambda: models.text_snippet(text.model, text.prompt.ids, tree.parts()),
        picture=lambda: picture(text.opening, tree.tokens, again, text.colour, about),
        link=text.link,
        about=about,
        how=t(
            "The model reads the text and says how probable each token of its vocabulary is as the "
            "next one. Surprisal is −log2 of the probability of the token that came, over the full "
            "vocabulary and before any cut; entropy is what surprisal is on average if tokens come "
            "with these probabilities. Draws have a random generator of their own, set to the seed "
            "when a draw begins, so they can be made again."
        ),
    )


def _rows(tree: Tree) -> list[Row]:
    """All branches, each from where it leaves another."""
    rows = []
    for branch in tree.branches():
        tokens = [tree.nodes[node].token for node in tree.path_to(branch.leaf)[branch.fork :]]
        text = joined(tokens).strip() or tokens[-1].piece
        text = f"… {text}" if branch.fork else text
        rows.append(Row(branch.leaf, branch.depth, text, shown=branch.leaf == tree.leaf))
    return rows


def _place(tree: Tree, place: int) -> None:
    tree.place = min(place, len(tree.path))


def _branch(tree: Tree, leaf: int) -> None:
    if leaf < len(tree.nodes):
        tree.leaf = leaf
        tree.place = len(tree.path)


def _over(tree: Tree) -> None:
    tree.nodes.clear()
    tree.leaf, tree.place = PROMPT, 0
