"""The card of a translator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transformers import PreTrainedModel

from models.training.card import curve_table
from models.training.translation import comparable
from models.training.translators import Answered, TranslatorFigures

SHOWN = 5  # examples of each kind


FRONT = """---
license: apache-2.0
language: {languages}
library_name: transformers
pipeline_tag: translation
---

# {name}

{what}. The original Transformer, small: {encoder} encoder and {decoder} decoder layers of {heads}
heads, width {width}, sinusoids, post-LN, ReLU; {parameters:.2f} M parameters, stored in fp16 and
run in float32. It loads with `AutoModelForSeq2SeqLM`.

## How it was made

```
python -m models.training {name} --minutes 60   # as often as you like; it goes on where it stopped
python -m models.training publish {name}
```

- **Objective**: the next token of the translation, at every position, given the text.{dropped}
- **Start**: random weights. Seed {seed}.
- **Seen so far**: {tokens:.1f} M tokens of both sides in {steps:,} steps; {core:.0f} core-minutes,
  {wall:.0f} minutes of wall clock. The published weights are a running average over about
  {average:,} steps.

## What it has read

"""


@dataclass(frozen=True)
class Domain:
    """What a card says of a translator's task: its languages, what it does, what it cannot."""

    languages: str
    what: str
    limits: str


DOMAINS = {
    "dates": Domain(
        "en",
        "It reads a date in English letter by letter and writes it in ISO 8601, such as 2012-04-03",
        "A date such as 03/04/2012 can be read in two ways; the model answers one of them, the app "
        "names both.",
    ),
    "help": Domain(
        "[en, zh]",
        "It translates short English sentences about office software into Traditional Chinese as "
        "written in Taiwan. It knows no other subject",
        "A little text was read many times: outside menus and help pages it makes things up.",
    ),
}
DROPPED = " While it trains, {rate:.0%} of the source's tokens are hidden."


def write_translator_card(
    folder: Path, facts: dict[str, Any], figures: TranslatorFigures, model: PreTrainedModel
) -> None:
    """Write README.md of a model folder; see `models.training.card.write_card`."""
    recipe, config = facts["recipe"], model.config
    domain = DOMAINS[recipe["text"]]
    rate = recipe["mask_rate"]
    text = FRONT.format(
        languages=domain.languages, name=figures.name, what=domain.what,
        encoder=config.encoder_layers, decoder=config.decoder_layers,
        heads=config.encoder_attention_heads, width=config.d_model,
        parameters=figures.parameters / 1e6, dropped=DROPPED.format(rate=rate) if rate else "",
        seed=recipe["seed"], tokens=facts["tokens"] / 1e6, steps=facts["step"],
        core=facts["core_minutes"], wall=facts["wall_minutes"], average=recipe["average_steps"],
    )  # fmt: skip
    text += "".join(source_row(name, source) for name, source in facts["corpus"].items())
    text += "\n## Figures\n\n" + figure_rows(figures)
    text += "\n## Curve\n\n" + curve_table(facts["curve"])
    text += "\n## Examples, good and bad\n\n" + examples(figures.tests)
    (folder / "README.md").write_text(text + f"## Limits\n\n{domain.limits}\n", encoding="utf-8")


def source_row(name: str, source: dict[str, Any]) -> str:
    """One source: where it comes from, its licence and size."""
    packages = ", ".join(f"`{p['name']}` {p['version']}" for p in source.get("packages", ()))
    origin = packages or f"`{source['generator']}`"
    amount = f"{source['train']['pairs']:,} pairs; {source['held_out']['pairs']:,} held out"
    return f"- **{name}** ({origin}): {amount}. Licence: {source['licence']}.\n"


def figure_rows(figures: TranslatorFigures) -> str:
    """A line for each test, and what the best head of cross-attention finds."""
    lines = ["| test | texts | exact % | character error % |\n|---|---|---|---|\n"]
    lines += [line_of(test) for test in figures.tests]
    a = figures.alignment
    lines.append(
        f"\nReadable alignment: decoder layer {a.layer + 1}, head {a.head + 1} of the "
        f"cross-attention looks at the right place for {a.found} % of {a.anchors:,} tokens that "
        f"stand once on either side (an average head: {100 * a.mean:.0f} %).\n"
    )
    return "".join(lines)


def line_of(test: Answered) -> str:
    """One line of figures."""
    scores = test.scores
    return f"| {test.title} | {len(test.pairs):,} | {scores.exact} | {scores.character_error} |\n"


def examples(tests: Sequence[Answered]) -> str:
    """The first right and the first wrong answers of each test, in file order, not picked."""
    lines = []
    for test in tests:
        rows = list(zip(test.pairs, test.scores.answers, strict=True))
        right = [r for r in rows if comparable(r[0].target) == comparable(r[1])][:SHOWN]
        wrong = [r for r in rows if comparable(r[0].target) != comparable(r[1])][:SHOWN]
        lines.append(f"{test.title}:\n\n")
        lines += [f"- {pair.source} → {answer}\n" for pair, answer in right]
        lines += [f"- {p.source} → {answer} (wanted: {p.target})\n" for p, answer in wrong]
        lines.append("\n")
    return "".join(lines)
