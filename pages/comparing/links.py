"""Where a lane leads: to a page about its model's kind, as soon as there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from components.present import carried
from components.routes import first_route
from components.tokens.marks import to_marks
from components.words import language
from models.catalog import Objective
from models.company import Company, Member
from models.trace import Sentence

SERVING: Mapping[Objective, Sequence[str]] = {
    "masked": ("fill", "attention"),
    "causal": ("generate", "attention"),
    "two-way": ("sees",),
    "denoising": ("write", "attention"),
    "translation": ("write", "attention"),
    "states": ("attention",),
}
"""The pages for each objective, by their paths: the first one that is there serves it."""
RECURRENT = ("elmo", "lstm")
"""Architectures without attention."""


def link_to(member: Member, company: Company, sentence: Sentence) -> str:
    """The address of a page about a model, with a sentence; "" if there is no such page.

    Args:
        member: The model.
        company: Who stands beside it: for pages that show all of them, and for the way back, which
            takes the address along.
        sentence: What the page begins with.
    """
    pages = SERVING[member.objective]
    if member.family in RECURRENT:
        pages = [page for page in pages if page != "attention"]
    if not (page := first_route(pages)):
        return ""
    about = {"model": member.model, "models": company, "text": to_marks(sentence)}
    return f"{page}?" + urlencode({**about, "lang": language(), **carried()})
