"""All that is measured of a translator: its answers to each test, and how its heads align."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from transformers import PreTrainedModel, PreTrainedTokenizerFast

from models.training import help_corpus, pair_texts
from models.training.anchors import Alignment, alignment
from models.training.recipes import RECIPES
from models.training.sources.pair import Pair, read_pairs
from models.training.translation import TranslationScores, evaluate_translation, read_phrasings

ALIGNED = 300  # so many texts are looked at for a head that aligns


@dataclass(frozen=True)
class Answered:
    """A set of texts, the answers to them, and how good they are."""

    title: str
    pairs: tuple[Pair, ...]
    scores: TranslationScores


@dataclass(frozen=True)
class TranslatorFigures:
    """All that is measured of one translator."""

    name: str
    parameters: int
    tests: tuple[Answered, ...]
    alignment: Alignment


def measured(
    cache: Path, name: str, model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast
) -> TranslatorFigures:
    """Answer every test; look for an aligning head over the first of them.

    Args:
        cache: where the corpora lie.
        name: of the recipe.
        model: in evaluation mode, its attention eager.
        tokenizer: of both sides.
    """
    tests = TESTS[RECIPES[name].text](cache)
    answered = tuple(
        Answered(title, tuple(pairs), evaluate_translation(model, tokenizer, pairs))
        for title, pairs in tests.items()
    )
    size = sum(p.numel() for p in model.parameters())
    aligned = alignment(model, tokenizer, answered[0].pairs[:ALIGNED])
    return TranslatorFigures(name, size, answered, aligned)


def date_tests(cache: Path) -> dict[str, Sequence[Pair]]:
    """Calendar days that training never saw, and phrasings that no generator made."""
    held_out = read_pairs(cache / pair_texts.DATES_FOLDER / "held_out.jsonl")
    return {"held-out days": held_out, "phrasings written by hand": read_phrasings()}


def help_tests(cache: Path) -> dict[str, Sequence[Pair]]:
    """Source texts that training never saw, whatever their case and punctuation."""
    held_out = read_pairs(cache / help_corpus.FOLDER / "held_out.jsonl")
    return {
        "held-out help pages": [pair for pair in held_out if pair.corpus == "help"],
        "held-out windows": [pair for pair in held_out if pair.corpus == "windows"],
    }


TESTS = {"dates": date_tests, "help": help_tests}
