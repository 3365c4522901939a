"""Run the both-sides test on the matched family, and keep it in the zoo.

    python -m models.training.both_sides

writes models/zoo/both_sides.json: the answers to the hand-written sentences of `sides.tsv`, one
word hidden in each; and, by third of the sentence, how well every word of those sentences and of
the everyday test is found when it is hidden by itself. A few minutes on one core; nothing but the
repository is needed. `models.sides` reads it, `models.claims` judges.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Float

import models
from models.catalog import ZOO
from models.company import Member
from models.loading import Model
from models.one_blank import one_blank
from models.results import Blank, Sentence, Span, View
from models.sides import FILE, METRICS, Metric
from models.tokens import words_of
from models.training.everyday import Item, read_items
from models.training.examples import MASK

SIDES = Path(__file__).with_name("sides.tsv")
SEED = 0
"""Of the resamples; nothing else is drawn."""

Views = Mapping[str, Sequence[Blank | View]]
"""By architecture, and of ELMo by direction: the answer to each item."""


def filled(item: Item) -> Sentence:
    """The sentence with its word in place, and hidden."""
    start, word = item.sentence.index(MASK), item.accepted[0]
    shown = word[:1].upper() + word[1:] if start == 0 else word
    return Sentence(item.sentence.replace(MASK, shown), ((start, start + len(shown)),))


def words(model: Model, text: str) -> list[Span]:
    """Where the alphabetic words of a text stand that a single piece spells, and all of them."""
    tokens = models.trace(model, text, ()).stack.tokens
    return [
        (tokens[word[0]].start, tokens[word[-1]].end)
        for word in words_of(tokens)
        if len(word) == 1 and tokens[word[0]].text.isalpha()
    ]


def third(span: Span, text: str) -> int:
    """In which third of the text the middle of a word stands."""
    return min(2, int(3 * (span[0] + span[1]) / 2 / len(text)))


def answers(members: Sequence[Member], items: Sequence[Sentence]) -> dict[str, list[Blank | View]]:
    """Every item answered by all models; of ELMo also by each of its two."""
    found: dict[str, list[Blank | View]] = {}
    for member in members:
        blanks = one_blank(models.load(member.model), items)
        found[member.family] = list(blanks)
        for i, view in enumerate(blanks[0].views):
            found[view.way] = [blank.views[i] for blank in blanks]
    return found


def rank_and_bits(answer: Blank | View) -> tuple[int, float]:
    """Of the hidden word; every one here has a single piece."""
    if answer.original_rank is None or not answer.original_probability:
        raise ValueError("a hidden word that is not in the vocabulary")
    return answer.original_rank, -math.log2(answer.original_probability)


def tagged(items: Sequence[Item], views: Views) -> Iterator[dict[str, object]]:
    """What is kept of each hand-written sentence."""
    for i, item in enumerate(items):
        sentence = filled(item)
        rated = {name: rank_and_bits(found[i]) for name, found in views.items()}
        yield {
            "text": sentence.text,
            "start": sentence.hidden[0][0],
            "end": sentence.hidden[0][1],
            "side": item.side,
            "answers": {name: found[i].candidates[0].text for name, found in views.items()},
            "ranks": {name: rank for name, (rank, _) in rated.items()},
            "bits": {name: round(bits, 3) for name, (_, bits) in rated.items()},
        }


def by_third(blanks: Sequence[tuple[int, Sentence]], views: Views) -> dict[str, object]:
    """Per sentence and third, how many words were hidden, and what each view made of them.

    Args:
        blanks: The number of each one's sentence, and the sentence with one word hidden.
        views: The answers to them.
    """
    places = [(number, third(item.hidden[0], item.text)) for number, item in blanks]
    sentences = 1 + max(number for number, _ in places)

    def added(values: Sequence[float]) -> Float[np.ndarray, "sentence third"]:
        sums = np.zeros((sentences, 3))
        for place, value in zip(places, values, strict=True):
            sums[place] += value
        return sums

    sums: dict[str, dict[Metric, object]] = {}
    for name, found in views.items():
        rated = [rank_and_bits(answer) for answer in found]
        values: dict[Metric, list[float]] = {
            "top1": [rank <= 1 for rank, _ in rated],
            "top5": [rank <= 5 for rank, _ in rated],
            "bits": [bits for _, bits in rated],
        }
        sums[name] = {metric: added(values[metric]).round(2).tolist() for metric in METRICS}
    return {"words": added([1.0] * len(blanks)).tolist(), "sums": sums}


def every_word(model: Model, texts: Sequence[str]) -> list[tuple[int, Sentence]]:
    """Each sentence once for every word, that word hidden."""
    return [
        (number, Sentence(text, (span,)))
        for number, text in enumerate(texts)
        for span in words(model, text)
    ]


def run(members: Sequence[Member]) -> dict[str, object]:
    """The whole test."""
    items = read_items(SIDES)
    texts = [filled(item).text for item in (*items, *read_items())]
    loaded = {member.family: models.load(member.model) for member in members}
    blanks = every_word(loaded["bert"], texts)
    print(f"{len(items)} tagged sentences; {len(blanks)} words of {len(texts)} sentences")
    views = answers(members, [filled(item) for item in items])
    return {
        "models": {member.family: member.model for member in members},
        "weights": {m.model: loaded[m.family].provenance.revision for m in members},
        "versions": dict(loaded["bert"].provenance.versions),
        "seed": SEED,
        "items": list(tagged(items, views)),
        "thirds": by_third(blanks, answers(members, [item for _, item in blanks])),
    }


def main() -> None:
    """Run it and write it down."""
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    found = run(models.companies()["matched"])
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    (ZOO / FILE).write_text(text + "\n", encoding="utf-8")
    print(f"written: {ZOO / FILE}")


if __name__ == "__main__":
    main()
