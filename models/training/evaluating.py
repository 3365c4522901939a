"""Measure published models, and write what came of it: figures.json of each, and RESULTS.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from transformers import BertForMaskedLM, MarianMTModel, PreTrainedTokenizerFast

from models.loading import open_model
from models.training import corpora, family_card, tables, translators
from models.training.commands import TRAINING, held_out_items, load, spelled_alike, start
from models.training.families import FamilyFigures, measure
from models.training.figures import Measured, masked_row, rows, write_baselines, write_figures
from models.training.recipe import Recipe
from models.training.recipes import RECIPES
from models.training.results import Figures, evaluate_model, unigram
from models.training.texts import MANIFESTS, SMALL, Text, read_text


def evaluate(cache: Path, zoo: Path, names: Sequence[str]) -> None:
    """Measure some published models anew, or all of them; write RESULTS.md from all figures.

    Raises:
        SystemExit: if a model was published with another tokenizer than its text has now.
    """
    for name in names or [name for name in RECIPES if (zoo / name / TRAINING).exists()]:
        write_figures(zoo / name, measured(cache, zoo, name))
        if RECIPES[name].start == "minilm-bert":
            write_baselines(zoo / name, baselines(cache, RECIPES[name]))
        print(f"{name}: measured", flush=True)
    (zoo / "RESULTS.md").write_text(tables.results(zoo), encoding="utf-8")


def measured(cache: Path, zoo: Path, name: str) -> Measured:
    """All that is measured of a published model, whatever its kind."""
    recipe = RECIPES[name]
    text = read_text(recipe.text, cache, recipe.vocabulary_size)
    if not spelled_alike(zoo / name, text):
        raise SystemExit(f"{name} was published with another tokenizer: publish it anew first.")
    if recipe.objective == "translation":
        return translators.measured(cache, name, load(zoo / name, MarianMTModel), text.tokenizer)
    if recipe.start in family_card.KINDS:
        return family_figures(cache, zoo, recipe, text)
    return masked_figures(cache, zoo, name, text.tokenizer)


def masked_figures(
    cache: Path, zoo: Path, name: str, tokenizer: PreTrainedTokenizerFast
) -> Figures:
    """The figures of the large BERT."""
    return evaluate_model(
        name, load(zoo / name, BertForMaskedLM), tokenizer, held_out_items(cache, tokenizer)
    )


def family_figures(cache: Path, zoo: Path, recipe: Recipe, text: Text) -> FamilyFigures:
    """The figures of a model of a family, on its held-out text."""
    held = corpora.read(cache / MANIFESTS[recipe.text] / "held_out.jsonl")
    if recipe.text in ("english-s", "english-xs"):
        held = [d for d in held if d.source in SMALL]
    model = open_model(recipe.name, zoo / recipe.name)
    objective = "masked" if recipe.start == "bert-v-pairs" else recipe.objective
    return measure(model, objective, held, text.tokenizer)


def baselines(cache: Path, recipe: Recipe) -> dict[str, list[dict[str, object]]]:
    """What knowing no context is worth: the untrained start, and the unigram distribution."""
    text = read_text(recipe.text, cache, recipe.vocabulary_size)
    items = held_out_items(cache, text.tokenizer)
    untrained = start(cache, recipe, text).eval()
    figures = evaluate_model("untrained head", untrained, text.tokenizer, items)
    return {
        "untrained head": rows(figures),
        "unigram": [masked_row(unigram(untrained, text.tokenizer, items))],
    }
