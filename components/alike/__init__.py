"""Two heads beside each other, and what one has that the other has not."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from components.chosen import place
from components.heads.kinds import head_name
from components.maps import Board, Label, Map, maps
from components.theme import Colour
from components.words import fixed, number, percent, sentences, t
from models.trace import Counterpart, HeadAt, Likeness

__all__ = ["alike", "board", "verdict"]

LINK = {"row": "word"}
"""What a link calls the word that is told of."""
MARGIN = 0.005
"""A smaller share is not worth a sentence."""


def alike(
    found: Likeness, *, key: str, follows: str, colour: Colour, link: Mapping[str, str]
) -> None:
    """Draw both heads and their difference.

    Args:
        found: From `models.likeness`.
        key: Of the component.
        follows: The key of the head whose choices are followed.
        colour: Of the first model's architecture.
        link: Query parameters of the page.
    """
    drawn = board(found)
    row = place(link.get(LINK["row"], ""), len(drawn.rows), first(found))
    maps(drawn, key=key, colour=colour, row=row, follows=follows, at=found.heads[0])


def board(found: Likeness) -> Board:
    """Both maps and the difference around zero."""
    one, other = (
        t("{head} · {model}", head=head_name(*at), model=about.model)
        for at, about in zip(found.heads, found.about, strict=True)
    )
    known = found.difference[np.isfinite(found.difference)]
    looks = t("looks most at “{key}” ({value})")
    return Board(
        title=t("Side by side"),
        told=verdict(found),
        maps=[
            Map(one, found.first[None], t("the first {text}", text=looks)),
            Map(other, found.second[None], t("the second {text}", text=looks)),
            Map(
                t("Difference: first − second"),
                found.difference[None],
                t("they differ most at “{key}” ({value})"),
                note=t("Orange: the first has more. Blue: the second. Grey: no counterpart."),
                most=float(abs(known).max(initial=0.0)) or 1.0,
            ),
        ],
        rows=_labels(found.queries),
        columns=_labels(found.keys),
        words={
            "asks": t("Word"),
            "row": t("“{word}”: {text}."),
            "caption": t("What “{word}” looks at, by either head"),
        },
        link=LINK,
    )


def _labels(words: tuple[Counterpart, ...]) -> list[Label]:
    return [Label(_named(word), word.special) for word in words]


def _named(word: Counterpart) -> str:
    """One name for what is the same, else both, "–" for none."""
    sides = [
        "–" if text is None else text if text.strip() else "␣" for text in (word.first, word.second)
    ]
    return sides[0] if word.same else " / ".join(sides)


def first(found: Likeness) -> int:
    """The row to begin with: the word whose two rows differ most."""
    sizes = abs(np.nan_to_num(found.difference)).sum(axis=1)
    words = np.array([not word.special for word in found.queries])
    return int(np.where(words, sizes, -1.0).argmax())


def verdict(found: Likeness) -> str:
    """How like they are, and what could be compared at all."""
    return sentences(_distance(found), _aligned(found), _elsewhere(found))


def _distance(found: Likeness) -> str:
    shown = {
        "head": head_name(*found.heads[1]),
        "model": found.about[1].model,
        "bits": fixed(found.distance, 3),
    }
    if found.heads[1] == found.closest:
        told = t(
            "Of all {count} heads of {model}, {head} is the most like it: {bits} bits apart "
            "(mean Jensen–Shannon divergence of the rows; 0 = alike, 1 = nothing in common).",
            count=number(found.distances.size),
            **shown,
        )
        return sentences(told, _same_place(found))
    return t(
        "{head} of {model} is {bits} bits apart (mean Jensen–Shannon divergence of the rows; 0 = "
        "alike, 1 = nothing in common). The most like it would be {closest}: {least} bits.",
        closest=head_name(*found.closest),
        least=fixed(float(found.distances.min()), 3),
        **shown,
    )


def _same_place(found: Likeness) -> str:
    """How far the head in the same place is, if there is one and it is another."""
    at: HeadAt = found.heads[0]
    if at == found.heads[1] or at[0] >= len(found.distances) or at[1] >= found.distances.shape[1]:
        return ""
    return t("The one in the same place: {bits} bits.", bits=fixed(float(found.distances[at]), 3))


def _aligned(found: Likeness) -> str:
    words = [word for word in found.keys if not word.special]
    same, both = sum(word.same for word in words), sum(word.both for word in words)
    if same == len(words):
        return t("Both read the same words.")
    return t(
        "Of the words that are looked at, {same} are the same, {replaced} stand in for each other, "
        "{alone} have no counterpart.",
        same=number(same),
        replaced=number(both - same),
        alone=number(len(words) - both),
    )


def _elsewhere(found: Likeness) -> str:
    if max(found.elsewhere) < MARGIN:
        return ""
    return t(
        "To what has no counterpart goes {first} of the first head’s weight and {second} of the "
        "second’s.",
        first=percent(found.elsewhere[0]),
        second=percent(found.elsewhere[1]),
    )
