"""RESULTS.md, from the figures.json of every model in the zoo."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.training.commands import TRAINING
from models.training.evaluation import PASSAGES, SOURCES
from models.training.family_card import KINDS
from models.training.figures import FILE, Row
from models.training.recipes import RECIPES


@dataclass(frozen=True)
class Entry:
    """A model of the zoo: its name, the tokens it has seen, and figures.json."""

    name: str
    tokens: int
    facts: dict[str, Any]

    @property
    def tests(self) -> dict[str, Row]:
        """Its rows, by the name of the test."""
        return {row["test"]: row for row in self.facts["tests"]}


def entries(zoo: Path) -> list[Entry]:
    """Every published and measured model, in the order of the recipes."""
    return [
        Entry(
            name,
            json.loads((zoo / name / TRAINING).read_text(encoding="utf-8"))["tokens"],
            json.loads((zoo / name / FILE).read_text(encoding="utf-8")),
        )
        for name in RECIPES
        if (zoo / name / TRAINING).exists() and (zoo / name / FILE).exists()
    ]


def results(zoo: Path) -> str:
    """The whole of RESULTS.md."""
    known = entries(zoo)
    by_text = {name: [e for e in known if RECIPES[e.name].text == name and _in_family(e)]
               for name in TITLES}  # fmt: skip
    return (
        HEAD
        + "".join(large for e in known if not _in_family(e) for large in large_rows(e))
        + "".join(family_table(name, some) for name, some in by_text.items() if some)
        + translator_table([e for e in known if RECIPES[e.name].objective == "translation"])
    )


def _in_family(entry: Entry) -> bool:
    return RECIPES[entry.name].start in KINDS


HEAD = f"""# Results

Written by `python -m models.training evaluate`. Held-out: {PASSAGES} passages of each of
{len(SOURCES)}
sources that training never saw, 15 % of positions hidden, macro-averaged over sources. Everyday:
sentences written by hand, with one blank. Shares in per cent, with standard errors
(bootstrap over passages; binomial over everyday items). Loss in nats per hidden token.

| model | size | loss | top-1 | top-5 | word top-1 | everyday top-1 | top-5 | echoes |
|---|---|---|---|---|---|---|---|---|
"""


def large_rows(entry: Entry) -> Iterable[str]:
    """The large BERT and its baselines; nothing of other models."""
    if "everyday" not in entry.tests:
        return
    for name, rows in {entry.name: entry.facts["tests"], **entry.facts["baselines"]}.items():
        masked, *everyday = rows
        shown = everyday[0] if everyday else {}
        size = millions(entry.facts["parameters"]) if everyday else ""
        yield cells(name, size, loss(masked), *shares(masked, "top1", "top5", "word_top1"),
                    *shares(shown, "top1", "top5", "echoes"))  # fmt: skip


TITLES = {
    "english": ("The best English GPT", "It has seen {least:.1f} M tokens. "),
    "english-s": ("The English family", "{matched}"),
    "verse": ("The family of Chinese verse", "{matched}"),
    "english-xs": (
        "Variants of a small BERT",
        "They differ from `bert-v` in one thing each, as their cards say ({least:.1f} M tokens).\n",
    ),
}
MATCHED = (
    "Matched: the same text, pieces, steps and tokens seen ({least:.1f} M to {most:.1f} M so far), "
    "sizes\nwithin 5 %. "
)
FAMILY = """Loss in nats, over held-out passages; targets differ, as they do in training. One blank:
the same {blanks} sentences for all, one word hidden, answered by each model in its way.

"""
COLUMNS = ["model", "size", "without word vectors", "task", "targets", "loss per target",
           "per character", "top-1", "top-5", "one blank top-1", "top-5", "ms"]  # fmt: skip


def family_table(text: str, some: Sequence[Entry]) -> str:
    """The table of the models that read one text."""
    title, about = TITLES[text]
    seen = {"least": min(e.tokens for e in some) / 1e6, "most": max(e.tokens for e in some) / 1e6}
    blanks = some[0].tests["one blank"]["targets"]
    said = about.format(matched=MATCHED.format(**seen), **seen) + FAMILY.format(blanks=blanks)
    head = cells(*COLUMNS) + f"|{'---|' * len(COLUMNS)}\n"
    return f"\n## {title}\n\n{said}{head}" + "".join(row for e in some for row in family_rows(e))


def family_rows(entry: Entry) -> Iterable[str]:
    """A line for each direction that a model answers in, and one for ELMo's two combined."""
    tests, facts = entry.tests, entry.facts
    tasks = [name for name, row in tests.items() if "loss" in row]
    sizes = millions(facts["parameters"]), millions(facts["without_words"])
    for task in tasks:
        row, blank = tests[task], tests.get(f"one blank, {task}", tests["one blank"])
        yield cells(entry.name, *sizes, task, f"{row['targets']:,}", loss(row),
                    f"{row['per_character']:.2f}", *shares(row, "top1", "top5"),
                    *shares(blank, "top1", "top5"), f"{facts['milliseconds']:.1f}")  # fmt: skip
    if len(tasks) > 1:
        combined = shares(tests["one blank"], "top1", "top5")
        yield cells(entry.name, *sizes, "combined", *[""] * 5, *combined, "")


TRANSLATORS = """
## The translators

Greedy answers to held-out texts; capitals and spaces do not count. Character error: edits over the
length of the wanted texts. Aligned: tokens that stand once on either side, at which the best head
of cross-attention looks at the right place.

| model | size | test | texts | exact | character error | aligned |
|---|---|---|---|---|---|---|
"""


def translator_table(some: Sequence[Entry]) -> str:
    """A line for each test of each translator; nothing without one."""
    lines = [
        cells(entry.name, millions(entry.facts["parameters"]), name, f"{row['targets']:,}",
              *shares(row, "exact", "character_error"), *shares(entry.tests["alignment"], "found"))
        for entry in some
        for name, row in entry.tests.items()
        if "exact" in row
    ]  # fmt: skip
    return TRANSLATORS + "".join(lines) if lines else ""


def cells(*values: str) -> str:
    """A line of a table."""
    return f"| {' | '.join(values)} |\n"


def millions(count: int) -> str:
    """So many parameters."""
    return f"{count / 1e6:.2f} M"


def loss(row: Row) -> str:
    """The loss of a test, with its error."""
    mean, error = row["loss"]
    return f"{mean:.2f} ± {error:.2f}"


def shares(row: Row, *names: str) -> list[str]:
    """Some shares of a test in per cent, with their errors; empty where it has none."""
    found = [row.get(name) for name in names]
    return [f"{100 * f[0]:.1f} ± {100 * f[1]:.1f}" if f else "" for f in found]
