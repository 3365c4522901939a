"""Which models stand side by side, one of each architecture, and what is shown of them first."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from models import catalog
from models.catalog import Objective
from models.results import Sentence
from models.settings import settings

Company = Literal["best", "matched", "verse"]

COMPANIES: dict[Company, tuple[tuple[str, ...], ...]] = {
    "best": (("bert-en",), ("gpt-en", "gpt-s-en"), ("elmo-s-en",), ("seq-s-en",)),
    "matched": (("bert-s-en",), ("gpt-s-en",), ("elmo-s-en",), ("seq-s-en",)),
    "verse": (("bert-zh",), ("gpt-zh",), ("elmo-zh",), ("seq-zh",)),
}
"""The best English models; one corpus, one size; the same of Chinese verse. Of several models for
one place, the first that is there has it. The operator's default model has the first place."""

FEWEST = 2
"""Models that make a comparison."""

EXAMPLES = "contrasts.json"
"""In the zoo: by company, sentences about which its models differ."""


@dataclass(frozen=True)
class Member:
    """One model in its place."""

    model: str
    family: str
    """Its architecture: ``bert``, ``gpt``, ``elmo`` or ``seq``."""
    objective: Objective


@dataclass(frozen=True)
class Example:
    """A sentence about which the models differ, and what it hangs on."""

    sentence: Sentence
    side: Literal["left", "right", "both", "wrong"]
    """Of the blank, where the words stand that decide; or that BERT is wrong, another right."""


def companies() -> dict[Company, tuple[Member, ...]]:
    """Models to compare, those that came with the app; loads nothing.

    The best are there even alone, others if they are a comparison. The operator's default model
    stands first, there or not.
    """
    found: dict[Company, tuple[Member, ...]] = {}
    for name, places in COMPANIES.items():
        there = [member for place in places if (member := _first_of(place, name))]
        if name == "best" or len(there) >= FEWEST:
            found[name] = tuple(there)
    return found


def contrasts(company: Company) -> tuple[Example, ...]:
    """Sentences about which the models of a company differ, as measured; () where none are kept.

    Chosen by ``python -m models.training.contrasts``.
    """
    path = catalog.ZOO / EXAMPLES
    if not path.is_file():
        return ()
    rows = json.loads(path.read_text(encoding="utf-8")).get(company, [])
    return tuple(
        Example(Sentence(row["text"], ((row["start"], row["end"]),)), row["side"]) for row in rows
    )


def _first_of(place: tuple[str, ...], company: Company) -> Member | None:
    """Who has a place; None if it stays empty."""
    if company == "best" and place == COMPANIES["best"][0]:
        return Member(settings().default_model, "bert", "masked")
    # Only the few that are asked for: looking after every model's files at each key takes longer
    # than an answer.
    known = {facts.name: facts for facts in catalog.BUNDLED if facts.name in place}
    facts = next((known[name] for name in place if name in known and not known[name].missing), None)
    return Member(facts.name, facts.family, facts.objective) if facts else None
