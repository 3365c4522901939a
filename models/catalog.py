"""Which models there are, and where the folder of a named model lies. Loads nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from models.errors import FilesMissing, FolderRefused, HubRefused, HubUnreachable, UnknownModel
from models.settings import settings

ZOO = Path(__file__).resolve().parent / "zoo"

REQUIRED = ("config.json", "tokenizer.json", "model.safetensors", "unigram.json")
"""What a bundled folder consists of; the last are the counts of the training text."""

CURATED = (
    "google-bert/bert-base-uncased",
    "google-bert/bert-base-cased",
    "google-bert/bert-base-chinese",
    "google-bert/bert-base-multilingual-cased",
    "distilbert/distilbert-base-uncased",
    "FacebookAI/roberta-base",
)
"""Repositories with a language model in safetensors, allowed by the policy ``curated``."""

HUB_FILES = ("*.json", "*.txt", "*.model", "*.safetensors")
"""What is fetched from a repository: never code, never pickles."""

HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)

Objective = Literal["masked", "causal", "two-way", "denoising", "translation"]
"""What a model has learned to do: fill masks; say the next word; say the next word and, by a second
model, the one before; write the whole text, given one with hidden words; write another text."""


@dataclass(frozen=True)
class ModelFacts:
    """What a page may say about a bundled model before it is loaded."""

    name: str
    family: str
    """The architecture: ``bert``, ``gpt``, ``elmo``, ``seq`` (the Transformer) or ``lstm``."""
    objective: Objective
    """What it was trained to do."""
    languages: tuple[str, ...]
    """BCP 47 tags of the languages it has read."""
    lower_case: bool
    """It reads and answers in lower case only."""
    folder: Path

    @property
    def variant(self) -> bool:
        """Whether it is one of the many small models that differ in one thing each."""
        return self.name in VARIANTS

    @property
    def missing(self) -> tuple[str, ...]:
        """The files that its folder should have and has not."""
        return tuple(file for file in REQUIRED if not (self.folder / file).is_file())


OBJECTIVES: dict[str, Objective] = {
    "bert": "masked",
    "gpt": "causal",
    "elmo": "two-way",
    "seq": "denoising",
    "lstm": "causal",
}
"""What each architecture of ours is trained to do."""


VARIANTS = tuple(sorted(path.name for path in ZOO.glob("*-v*") if path.is_dir()))
"""Small models that differ from one of them, ``bert-v``, in one thing each."""


def _english(name: str) -> ModelFacts:
    family = name.partition("-")[0]
    return ModelFacts(name, family, OBJECTIVES[family], ("en",), True, ZOO / name)


def _verse(name: str) -> ModelFacts:
    """One that has read Tang and Song verse: literary Chinese, in Taiwan's characters."""
    family = name.partition("-")[0]
    return ModelFacts(name, family, OBJECTIVES[family], ("lzh-Hant",), False, ZOO / name)


def _translator(name: str, *languages: str) -> ModelFacts:
    """A Transformer that writes another text than it reads."""
    return ModelFacts(name, "seq", "translation", languages, False, ZOO / name)


BUNDLED = (
    *map(_english, ("bert-en", "gpt-en")),
    *map(_english, ("bert-s-en", "gpt-s-en", "elmo-s-en", "seq-s-en", "lstm-s-en")),
    *map(_verse, ("bert-zh", "gpt-zh", "elmo-zh", "seq-zh")),
    _translator("seq-dates", "en"),
    _translator("seq-en-zhtw", "en", "zh-Hant-TW"),
    *map(_english, VARIANTS),
)
"""The models that may come with the app; `bundled` are those that did."""


def bundled() -> tuple[ModelFacts, ...]:
    """The models whose folders are complete, in the order a menu shows them."""
    return tuple(facts for facts in BUNDLED if not facts.missing)


def folder(name: str) -> Path:
    """The folder of a model.

    Args:
        name: A bundled name, ``dir:path`` (absolute, or relative to a root) or ``hub:org/name``.

    Raises:
        UnknownModel: No such bundled model.
        FilesMissing: A bundled model's folder is incomplete.
        FolderRefused: Not a folder under an allowed root. Whether it exists elsewhere stays unsaid.
        HubRefused: The hub policy forbids the repository.
        HubUnreachable: The repository is neither cached nor reachable.
    """
    kind, colon, place = name.partition(":")
    if colon and kind == "dir":
        return _under_a_root(name, place)
    if colon and kind == "hub":
        return _from_hub(name, place)
    for facts in BUNDLED:
        if facts.name == name:
            return _complete(facts)
    raise UnknownModel(name)


def _complete(facts: ModelFacts) -> Path:
    if missing := facts.missing:
        raise FilesMissing(facts.name, missing)
    return facts.folder


def _under_a_root(name: str, place: str) -> Path:
    for root in settings().model_roots:
        try:
            path = (root / place).resolve()  # an absolute place replaces the root here
        except (OSError, ValueError):  # a NUL character, a loop of links
            continue
        if path.is_relative_to(root) and path.is_dir():
            return path
    raise FolderRefused(name)


def _from_hub(name: str, repository: str) -> Path:
    policy = settings().hub_policy
    allowed = policy == "any" or (policy == "curated" and repository in CURATED)
    if not allowed or not HUB_ID.fullmatch(repository):
        raise HubRefused(name, policy)
    from huggingface_hub import snapshot_download

    for cached_only in (True, False):  # a cached model must not need the network
        try:
            fetched = snapshot_download(
                repository, allow_patterns=list(HUB_FILES), local_files_only=cached_only
            )
            return Path(str(fetched))
        except OSError:
            continue
    raise HubUnreachable(name)
