"""What every panel has to work with: the matched models, a sentence, and a turn at a model."""

from __future__ import annotations

from collections.abc import Sequence

import models
from components.answers.notices import not_ready
from components.blocks import Drawn
from components.words import t
from models.company import Member
from models.trace import Blueprint
from pages.comparing.lanes import WAYS
from pages.filling.asking import Check
from pages.seeing.asking import Seeing

ORDER = ("seq", "bert", "gpt", "elmo")
"""The Transformer first: the others are made of it, or stand beside it."""


def in_order(members: Sequence[Member]) -> list[Member]:
    """The models of a company as the diagram shows them."""
    return sorted(members, key=lambda member: ORDER.index(member.family))


def drawn(seeing: Seeing, member: Member) -> Drawn:
    """One model with its blocks, or why there are none."""
    way = WAYS[member.family]

    def question(_: Check) -> Blueprint:
        return models.blueprint(member.model, seeing.sentence)

    found = seeing.once("blueprint", member, seeing.sentence, question)
    if isinstance(found, str):
        return Drawn(way.name, member.model, way.colour, note=found)
    return Drawn(way.name, member.model, way.colour, found)


def missing(name: str) -> str:
    """That a model is not there, calmly."""
    return not_ready(name) if name else t("No model of the matched family is here yet.")
