"""Which models there are, and where the folder of a named model lies. Loads nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from models.checkpoints import hub
from models.checkpoints.gguf import converted
from models.checkpoints.places import packed, under_a_root
from models.errors import FilesMissing, UnknownModel
from models.names import Name, parse

ZOO = Path(__file__).resolve().parent / "zoo"

REQUIRED = ("config.json", "tokenizer.json", "model.safetensors", "unigram.json")
"""What a bundled folder consists of; the last are the counts of the training text."""

Objective = Literal["masked", "causal", "two-way", "denoising", "translation", "states"]
"""What a model has learned to do: fill masks; say the next word; say the next word and, by a second
model, the one before; write the whole text, given one with hidden words; write another text. The
last of them only reads: it came without a head, so it has states and attention, and no answers."""


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
        name: A bundled name, ``dir:path`` (absolute, or relative to a root), ``hub:org/name`` or
            ``package:name``; see `models.names`. A GGUF file is turned into a folder first.

    Raises:
        UnknownModel: No such bundled model, or no such package.
        FilesMissing: A bundled model's folder is incomplete.
        FolderRefused: Not a folder under an allowed root. Whether it exists elsewhere stays unsaid.
        HubRefused: The hub policy forbids the repository.
        NotFetched: The repository is allowed, and not in the cache yet.
        Refusal: As `models.checkpoints.gguf.converted` does.
    """
    asked = parse(name)
    path = place(asked)
    return converted(name, path) if path.is_file() else path


def place(asked: Name) -> Path:
    """Where a model lies: its folder, or its GGUF file. Raises as `folder` does."""
    if asked.kind == "dir":
        return under_a_root(str(asked), asked.place)
    if asked.kind == "hub":
        return hub.folder(asked)
    if asked.kind == "package":
        return packed(asked.place)
    for facts in BUNDLED:
        if facts.name == asked.place:
            return _complete(facts)
    raise UnknownModel(str(asked))


def _complete(facts: ModelFacts) -> Path:
    if missing := facts.missing:
        raise FilesMissing(facts.name, missing)
    return facts.folder
