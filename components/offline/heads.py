"""Heads as a file: one as it is shown, or all of them with the open one beside."""

from __future__ import annotations

from pathlib import Path

from components import head, heads
from components.head import Choice, head_title
from components.heads.kinds import head_name
from components.offline import Part, offline_page
from components.theme import Colour
from components.words import t
from models.trace import AllHeads, OneHead

KEY = "offline"


def one_head_page(shown: OneHead, text: str, colour: Colour, chosen: Choice) -> str:
    """One head, or several mixed, exactly as shown."""
    return offline_page(
        head_title(shown.heads), text, [_one(shown, colour, chosen, False)], shown.provenance
    )


def all_heads_page(look: AllHeads, shown: OneHead, text: str, colour: Colour) -> str:
    """All heads as bytes, the open one exactly. Another one opens from its bytes, and says so."""
    every = heads.message(look, KEY, colour, shown.heads, {})
    extra = {
        "names": [[head_name(i, j) for j in range(look.heads)] for i in range(look.depth)],
        "mean": t("Mean of the heads {names}"),
        "rough": t("from bytes: off by at most 1/510 of the row’s largest weight"),
        "alone": t("In this file only the head that was open has its numbers."),
    }
    parts = [Part(_folder(heads), every), _one(shown, colour, Choice(shown.heads), True)]
    return offline_page(heads.title(look), text, parts, look.provenance, extra)


def _one(shown: OneHead, colour: Colour, chosen: Choice, plain: bool) -> Part:
    return Part(_folder(head), head.message(shown, KEY, colour, chosen, plain))


def _folder(component: object) -> Path:
    return Path(str(component.__file__)).parent  # type: ignore[attr-defined]
