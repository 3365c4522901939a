"""The card of a model of a matched family, from the facts of its run and its measured figures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.training.card import corpus_rows, curve_table
from models.training.evaluation import Scores
from models.training.families import FamilyFigures
from models.training.starts import WIDTH
from models.training.variants import NARROW


@dataclass(frozen=True)
class Kind:
    """What a card says of an architecture: what it is, what loads it, what it was asked."""

    what: str
    loader: str
    objective: str


_OURS = "AutoModelForPreTraining`, after `import models.elmo"
_NEXT = "the next token, at every position"
_MASKED = (
    "masked language modelling: 15 % of the tokens are chosen, of these 80 % become [MASK], "
    "10 % a random token, 10 % stay"
)
KINDS = {
    "bert": Kind(
        "A BERT: every position sees every other",
        "AutoModelForMaskedLM",
        _MASKED,
    ),
    "gpt": Kind(
        "A GPT: BERT's very layers under a causal mask",
        "AutoModelForCausalLM",
        _NEXT,
    ),
    "minilm-gpt": Kind(
        "A GPT: the layers of a sentence encoder, MiniLM, under a causal mask",
        "AutoModelForCausalLM",
        _NEXT,
    ),
    "bert-v": Kind("A small BERT", "AutoModelForMaskedLM", _MASKED),
    "bert-v-pairs": Kind("A small BERT that reads pairs", "AutoModelForPreTraining", _MASKED),
    "gpt-v": Kind("A small GPT", "AutoModelForCausalLM", _NEXT),
    "lstm-v": Kind("A small LSTM language model that reads from the left", _OURS, _NEXT),
    "elmo": Kind(
        "An ELMo: two LSTM layers from the left, two from the right, one softmax",
        _OURS,
        "two one-way language models: every token from those before it, and from those after",
    ),
    "lstm": Kind(
        "An LSTM language model that reads from the left",
        _OURS,
        _NEXT,
    ),
    "seq": Kind(
        "The original Transformer, small: encoder, decoder, sinusoids, post-LN, ReLU",
        "AutoModelForSeq2SeqLM",
        "denoising: 15 % of the words become one [MASK] each in the source, and the decoder "
        "writes the whole sentence",
    ),
}

_ENGLISH = (
    "three narrow English texts: example sentences of a dictionary, six novels of Jane Austen's, "
    "and a modern English Bible. It knows little else"
)
_VERSE = (
    "Chinese regulated verse of the Tang and Song, a character a token, in Taiwan's standard "
    "characters. Each poem begins with the token of its form ([五絕] [七絕] [五律] [七律]); some "
    "draws are single couplets without it"
)
_ALL_ENGLISH = (
    "dictionaries, old novels, the Bible, plays, speeches and a factbook more than everyday talk"
)
MATCHED = """
It belongs to a matched family: {members}. They share text, tokenizer, steps and tokens seen, and
their sizes lie within 5 %. What differs is what each may look at, and so what it is asked.
"""
UNMATCHED = """
It shares its start, its text and its word pieces with `bert-en`; but the two have not seen equally
much text, so that they are no matched pair.
"""
VARIANT = """
It is a variant of `bert-v`, to check what is claimed of such models. What differs: {differs}.
Everything else is equal: text, word pieces, first word vectors, steps, tokens.
"""
VARIED = """
It is the base of the variants, models that differ from it in one thing each.
"""
TEXTS = {
    "english": ("en", _ALL_ENGLISH),
    "english-xs": ("en", _ENGLISH),
    "english-s": ("en", _ENGLISH),
    "verse": ("lzh", _VERSE),
}  # language, what it has read

FRONT = """---
license: apache-2.0
language: {language}
library_name: transformers
---

# {name}

{what}. {parameters:.2f} M parameters ({body:.2f} M besides the word vectors), stored in fp16 and
run in float32. It loads with `{loader}`.
{company}
## How it was made

```
python -m models.training corpora
python -m models.training {name} --minutes 60   # as often as you like; it goes on where it stopped
python -m models.training publish {name}
```

- **Objective**: {objective}.
- **Start**: {start} Seed {seed}.
- **Seen so far**: {tokens:.1f} M tokens in {steps:,} steps of about {per_step:,};
  {core:.0f} core-minutes, {wall:.0f} minutes of wall clock. The published weights are a running
  average over about {average:,} steps. {dropout}
- It has read {text}.

## What it has read

| source | package | version | licence | amount | weight |
|---|---|---|---|---|---|
"""

HEAD = (
    "| task | targets | loss per target | per character | top-1 % | top-5 % |\n"
    "|---|---|---|---|---|---|\n"
)

STARTS = {
    "minilm": "MiniLM-L6-H384 (Apache-2.0): word vectors and layers. The head is new, and the word "
    "vectors stay as they are.",
    "vectors": "word vectors from MiniLM (Apache-2.0) on their first {width} principal axes, all "
    "else random. No warm start from another objective.",
    "random": "random weights.",
}


def start(recipe: dict[str, Any]) -> str:
    """Where a run began, in words."""
    if recipe["start"] == "minilm-gpt":
        return STARTS["minilm"]
    width = NARROW if recipe["text"] == "english-xs" else WIDTH
    return STARTS["vectors" if recipe["vectors"] else "random"].format(width=width)


def dropout(recipe: dict[str, Any]) -> str:
    """How many units fall silent in training, in words."""
    share = dict(recipe.get("changes", ())).get("hidden_dropout_prob", 0.0)
    return f"Dropout {share}." if share else "No dropout."


def company(members: list[str], recipe: dict[str, Any]) -> str:
    """Which models it may be compared with."""
    if recipe["start"] == "minilm-gpt":
        return UNMATCHED
    if recipe["text"] == "english-xs":
        return VARIANT.format(differs=recipe["differs"]) if recipe["differs"] else VARIED
    return MATCHED.format(members=", ".join(f"`{m}`" for m in members))


def write_family_card(
    folder: Path,
    facts: dict[str, Any],
    figures: FamilyFigures,
    members: list[str],
    samples: str = "",
) -> None:
    """Write README.md of a model folder; see `models.training.card.write_card`.

    Args:
        folder: the model folder.
        facts: what training.json holds.
        figures: the measured figures of these very weights.
        members: the names of the family.
        samples: what there is to say of texts it wrote.
    """
    recipe = facts["recipe"]
    kind = KINDS[recipe["start"]]
    language, text = TEXTS[recipe["text"]]
    head = FRONT.format(
        language=language, name=figures.name, what=kind.what, loader=kind.loader,
        objective=kind.objective,
        parameters=figures.parameters / 1e6, body=figures.without_words / 1e6,
        company=company(members, recipe), text=text, start=start(recipe), seed=recipe["seed"],
        tokens=facts["tokens"] / 1e6, steps=facts["step"], per_step=recipe["tokens_per_step"],
        core=facts["core_minutes"], wall=facts["wall_minutes"], average=recipe["average_steps"],
        dropout=dropout(recipe),
    )  # fmt: skip
    body = corpus_rows(facts["corpus"]) + "\n## Figures\n\n" + figure_rows(figures)
    body += f"\n{samples}" if samples else ""
    curve = "\n## Curve\n\n" + curve_table(facts["curve"])
    (folder / "README.md").write_text(head + body + curve, encoding="utf-8")


def figure_rows(figures: FamilyFigures) -> str:
    """Held-out figures at the model's own task, and of the one-blank test."""
    lines = [HEAD, *(task_row(name, scores) for name, scores in figures.tasks.items())]
    for way, (top1, top5) in figures.blanks.items():
        title = "one blank" if way == "answer" else f"one blank, {way} alone"
        lines.append(f"| {title} | | | | {top1} | {top5} |\n")
    lines.append(f"\n{figures.milliseconds:.1f} ms per forward pass over 16 tokens on one core.\n")
    return "".join(lines)


def task_row(name: str, scores: Scores) -> str:
    """One line of figures; loss in nats."""
    return (
        f"| {name} | {scores.targets:,} | {scores.loss:.2f} | {scores.per_character:.2f} "
        f"| {scores.top1} | {scores.top5} |\n"
    )
