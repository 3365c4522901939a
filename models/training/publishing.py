"""From a run to a folder of the zoo: weights in fp16, card, figures, and what shows the model."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import torch
from transformers import BertForMaskedLM, MarianMTModel, PreTrainedModel

from models.example_sentences import FILE
from models.training import evaluating, examples, samples
from models.training.card import write_card
from models.training.commands import CURVE, TRAINING, load, start
from models.training.everyday import read_items
from models.training.family_card import write_family_card
from models.training.figures import Measured, write_figures
from models.training.loop import MOMENTS
from models.training.recipe import Recipe
from models.training.recipes import RECIPES
from models.training.results import Figures
from models.training.texts import Text, read_text, reading_way, sources_read
from models.training.translator_card import write_translator_card
from models.training.translators import TranslatorFigures

DULL = 250  # so many of the commonest pieces are no answer to show a visitor first


def publish(cache: Path, zoo: Path, name: str) -> None:
    """Write the averaged weights of a run as an fp16 Hugging Face folder with its card."""
    recipe, folder, target = RECIPES[name], cache / "runs" / name, zoo / name
    text = read_text(recipe.text, cache, recipe.vocabulary_size)
    model = averaged(cache, recipe, text)
    model.half().save_pretrained(target)
    (target / "model.safetensors").chmod(0o644)
    reading_way(text.tokenizer, recipe.objective).save_pretrained(target)
    counts = text.train.counts(len(text.tokenizer))
    (target / "unigram.json").write_text(json.dumps(counts.tolist()) + "\n")
    facts = run_facts(cache, folder, recipe)
    (target / TRAINING).write_text(json.dumps(facts, indent=1) + "\n")
    if recipe.keep_at:
        shutil.copytree(folder / MOMENTS, target / MOMENTS, dirs_exist_ok=True)
    check_saved(model, load(target, type(model)))
    measured = evaluating.measured(cache, zoo, name)
    write_figures(target, measured)
    tell(cache, target, facts, measured)


def tell(cache: Path, target: Path, facts: dict[str, Any], measured: Measured) -> None:
    """Write the card of a published model, and what else shows it: examples, samples."""
    recipe = RECIPES[target.name]
    if isinstance(measured, Figures):
        model = load(target, BertForMaskedLM)
        write_card(target, facts, measured, shape_of(model))
        keep_examples(cache, target, model)
    elif isinstance(measured, TranslatorFigures):
        write_translator_card(target, facts, measured, load(target, MarianMTModel))
    else:
        members = [r.name for r in RECIPES.values() if r.text == recipe.text]
        write_family_card(target, facts, measured, members, keep_samples(target, cache))


def check_saved(trained: PreTrainedModel, saved: PreTrainedModel) -> None:
    """What a visitor will load is what was trained, parameter for parameter.

    Raises:
        RuntimeError: if a parameter was not saved, or comes back changed.
    """
    there = dict(saved.named_parameters())
    for name, parameter in trained.named_parameters():
        if not torch.allclose(parameter.float(), there[name], atol=1e-3, rtol=1e-3):
            raise RuntimeError(f"{name} does not come back as it was trained")


def keep_examples(cache: Path, target: Path, model: BertForMaskedLM) -> None:
    """Choose, from measured answers, the sentences that show what the large BERT can and cannot."""
    recipe = RECIPES[target.name]
    text = read_text(recipe.text, cache, recipe.vocabulary_size)
    tokenizer, counts = text.tokenizer, text.train.counts(len(text.tokenizer))
    answers = [examples.answered(model, tokenizer, item) for item in read_items()]
    common = tokenizer.convert_ids_to_tokens(counts.argsort()[::-1][:DULL].tolist())
    examples.write(target / FILE, examples.choose(answers, set(common)))


def keep_samples(target: Path, cache: Path) -> str:
    """Let a GPT write, keep all of it beside its weights, and say what came; "" for others."""
    recipe = RECIPES[target.name]
    if recipe.objective != "causal" or recipe.text not in samples.WRITERS:
        return ""
    drawn = samples.samples_of(target, recipe.text, cache)
    samples.write_samples(target, drawn)
    return samples.in_words(drawn)


def averaged(cache: Path, recipe: Recipe, text: Text) -> PreTrainedModel:
    """The averaged weights of a run's last checkpoint, frozen parts from where it began."""
    model = start(cache, recipe, text)
    state = torch.load(cache / "runs" / recipe.name / "checkpoint.pt", weights_only=True)
    model.load_state_dict(state["optimizer"]["average"], strict=False)
    model.tie_weights()
    return model


def run_facts(cache: Path, folder: Path, recipe: Recipe) -> dict[str, Any]:
    """What the card and a later resumption need to know of a run."""
    progress = torch.load(folder / "checkpoint.pt", weights_only=True)["progress"]
    return {
        "recipe": dataclasses.asdict(recipe),
        "step": progress["step"],
        "tokens": progress["tokens"],
        "core_minutes": round(progress["core_seconds"] / 60, 1),
        "wall_minutes": round(progress["wall_seconds"] / 60, 1),
        "corpus": sources_read(recipe.text, cache),
        "curve": [json.loads(line) for line in (folder / CURVE).read_text().splitlines()],
    }


def shape_of(model: BertForMaskedLM) -> dict[str, int]:
    """The figures of the architecture that a card names."""
    config = model.config
    return {"layers": config.num_hidden_layers, "heads": config.num_attention_heads,
            "width": config.hidden_size, "pieces": config.vocab_size}  # fmt: skip
