"""What is known of a model without loading it: its figures, its curve, what it has read, its card.

All of it lies beside the weights, written when they were published (`models.training.publishing`)
or measured anew (`models.training.evaluating`). A model from elsewhere has none of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from models.cards import Card, card
from models.catalog import ModelFacts

TRAINING, FIGURES, SAMPLES, README = "training.json", "figures.json", "samples.jsonl", "README.md"


@dataclass(frozen=True)
class Estimate:
    """A measured mean with its standard error; shares are shares, losses in nats."""

    mean: float
    error: float


@dataclass(frozen=True)
class Tested:
    """One test of a model."""

    name: str
    """As it is called in ``figures.json``, such as ``masked`` or ``one blank``."""
    targets: int
    """Words or texts it was asked for."""
    figures: Mapping[str, Estimate]
    """``loss``, ``top1``, ``top5``, ``exact``, ``character_error``, ... : those this test has."""


@dataclass(frozen=True)
class Moment:
    """A look at held-out text while the model was trained."""

    tokens: int
    core_minutes: float
    loss: float
    top1: float


@dataclass(frozen=True)
class Source:
    """A text that a model has read."""

    name: str
    packages: tuple[str, ...]
    """Where it comes from, each with its version; the program that made it, if it was made."""
    licence: str
    amount: int
    unit: str
    """What `amount` counts: ``words``, ``characters`` or ``pairs``."""


@dataclass(frozen=True)
class Report:
    """All of it."""

    facts: ModelFacts
    card: Card | None
    differs: str
    """A variant: in what, from the model it is a variant of; English."""
    tests: tuple[Tested, ...]
    curve: tuple[Moment, ...]
    sources: tuple[Source, ...]
    readme: str
    """The model card as Markdown, its front matter left out; English."""
    samples: tuple[str, ...]
    """Texts it wrote when it was published, none selected."""

    def test(self, name: str) -> Tested | None:
        """A test by its name; None if it was not made."""
        return next((each for each in self.tests if each.name == name), None)


def report(facts: ModelFacts) -> Report:
    """What is known of a bundled model; its folder is complete."""
    return _read(facts, _written(facts.folder))


def _written(folder: Path) -> tuple[int, ...]:
    """When each file was written: what was read of older ones is out of date."""
    files = (folder / name for name in (TRAINING, FIGURES, SAMPLES, README))
    return tuple(file.stat().st_mtime_ns if file.is_file() else 0 for file in files)


@lru_cache(maxsize=64)
def _read(facts: ModelFacts, _: tuple[int, ...]) -> Report:
    folder = facts.folder
    training, figures = _json(folder / TRAINING), _json(folder / FIGURES)
    return Report(
        facts=facts,
        card=card(facts.name),
        differs=training.get("recipe", {}).get("differs", ""),
        tests=tuple(map(_tested, figures.get("tests", ()))),
        curve=tuple(map(_moment, training.get("curve", ()))),
        sources=tuple(_source(*item) for item in training.get("corpus", {}).items()),
        readme=_without_front_matter(folder / README),
        samples=_samples(folder / SAMPLES),
    )


def _json(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def _tested(row: dict[str, Any]) -> Tested:
    estimates = {k: Estimate(*v) for k, v in row.items() if isinstance(v, list)}
    return Tested(row["test"], row["targets"], estimates)


def _moment(row: dict[str, Any]) -> Moment:
    loss, top1 = row["held_out_loss"], row["held_out_top1"]
    return Moment(row["tokens"], row["core_minutes"], loss, top1)


def _source(name: str, facts: dict[str, Any]) -> Source:
    """A source has one package, or several, or was made by a program."""
    packages = facts.get("packages") or ([facts] if "name" in facts else [])
    known = tuple(f"{each['name']} {each['version']}" for each in packages)
    unit = next(each for each in ("pairs", "words", "characters") if each in facts["train"])
    origin = known or (facts["generator"],)
    return Source(name, origin, facts["licence"], facts["train"][unit], unit)


def _without_front_matter(path: Path) -> str:
    if not path.is_file():
        return ""
    text = path.read_text(encoding="utf-8")
    return text.split("---\n", 2)[-1].lstrip() if text.startswith("---\n") else text


def _samples(path: Path) -> tuple[str, ...]:
    if not path.is_file():
        return ()
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line)["text"] for line in lines)
