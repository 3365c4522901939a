"""Choose sentences about which models side by side differ, by what each of them really answers.

    python -m models.training.contrasts [--cache FOLDER]

writes models/zoo/contrasts.json for every company that is complete. English sentences are those of
the everyday test, whose sides were tagged by hand; verse comes from held-out poems.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import models
from models.catalog import ZOO
from models.company import EXAMPLES, Company, Member
from models.counts import word_counts
from models.one_blank import one_blank
from models.results import Blank, Sentence, View
from models.training.everyday import read_items
from models.training.examples import MASK
from models.training.fetch import default_cache
from models.training.verse_corpus import read_held_out
from models.verse import lines_of, written

COUPLETS = 300
COMMON = 60
"""So many of the commonest entries show nothing: "the", ","."""
NEAR, FAR = 3, 10
"""A word was found among the so many best; beyond the other rank it was missed."""
ARCHITECTURES = ("bert", "gpt", "elmo", "seq")


@dataclass(frozen=True)
class Item:
    """A sentence with one hidden word."""

    sentence: Sentence
    side: str = ""
    """Which side of the blank decides, as tagged by hand; "" if nobody has."""
    accepted: tuple[str, ...] = ()
    """Right answers, as written by hand; the hidden word is one anyway."""

    @property
    def word(self) -> str:
        """The hidden word, in lower case."""
        return self.sentence.text[slice(*self.sentence.hidden[0])].lower()


@dataclass(frozen=True)
class Outcome:
    """What all models answer at one blank."""

    item: Item
    parts: Mapping[str, Blank | View]
    """By architecture; of ELMo also ``forward`` and ``backward``."""

    def rank(self, part: str) -> float:
        """Of the hidden word, 1 = best; infinite where it has none."""
        rank = self.parts[part].original_rank
        return math.inf if rank is None else rank

    def right(self, part: str) -> bool:
        """Whether its first answer is accepted."""
        return self.parts[part].candidates[0].text in (self.item.word, *self.item.accepted)

    def bits(self, part: str) -> float:
        """Its surprisal."""
        probability = self.parts[part].original_probability
        return -math.log2(probability) if probability else math.inf

    def worst(self, *parts: str) -> float:
        """The largest surprisal among some of them."""
        return max(map(self.bits, parts))

    def best(self, *parts: str) -> float:
        """The smallest."""
        return min(map(self.bits, parts))


def left(found: Outcome, near: int) -> bool:
    """GPT, which sees no other side, finds the word; who sees only the right misses it."""
    return max(found.rank("gpt"), found.rank("bert")) <= near and found.rank("backward") > FAR


def right(found: Outcome, near: int) -> bool:
    """Only who sees the right finds it."""
    return found.rank("bert") <= near and found.rank("gpt") > FAR


def both(found: Outcome, near: int) -> bool:
    """Who sees both sides finds it, who sees either one does not."""
    return found.rank("bert") <= near < min(found.rank("gpt"), found.rank("backward"))


def wrong(found: Outcome, _: int) -> bool:
    """BERT, too, can be wrong where another is right: successes alone would lie."""
    return not found.right("bert") and (found.right("gpt") or found.right("elmo"))


RULES: dict[str, tuple[Callable[[Outcome, int], bool], Callable[[Outcome], float]]] = {
    "both": (both, lambda found: found.best("gpt", "backward") - found.bits("bert")),
    "left": (left, lambda found: found.bits("backward") - found.worst("gpt", "bert")),
    "right": (right, lambda found: found.bits("gpt") - found.worst("backward", "bert")),
    "wrong": (wrong, lambda found: found.bits("bert") - found.best("gpt", "elmo")),
}
"""What each example shows; then, in bits, by how much it does. The page opens with the first."""


def choose(outcomes: Sequence[Outcome], dull: Container[str] = ()) -> dict[str, Outcome]:
    """The clearest example of each kind, with a first answer that is right if there is one.

    Args:
        outcomes: Of all that were asked.
        dull: Hidden words that show nothing.
    """
    chosen: dict[str, Outcome] = {}
    for side, (holds, score) in RULES.items():
        able = [
            found
            for found in outcomes
            if found.item.side in ("", side) or side == "wrong"
            if found.item.word not in dull and found not in chosen.values()
            if math.isfinite(score(found))
        ]
        rounds = ([found for found in able if holds(found, near)] for near in (1, NEAR))
        if fitting := next(filter(None, rounds), []):
            chosen[side] = max(fitting, key=score)
    return chosen


def english() -> Iterator[Item]:
    """The everyday sentences, the best of their accepted answers hidden."""
    for item in read_items():
        start, word = item.sentence.index(MASK), item.accepted[0]
        shown = word.capitalize() if start == 0 else word
        text = item.sentence.replace(MASK, shown)
        yield Item(Sentence(text, ((start, start + len(shown)),)), item.side, item.accepted)


def verse(cache: Path) -> Iterator[Item]:
    """Couplets of held-out quatrains, one character hidden, drawn by seed."""
    poems = [lines_of(poem) for document in read_held_out(cache) for poem in document.sentences]
    quatrains = [lines for lines in poems if len(lines) == 4]
    rng = np.random.default_rng(0)
    for i in rng.permutation(len(quatrains))[:COUPLETS]:
        couplet = written(quatrains[i][2 * int(rng.integers(2)) :][:2])
        places = [at for at, character in enumerate(couplet) if character.isalpha()]
        at = int(rng.choice(places[1:]))
        yield Item(Sentence(couplet, ((at, at + 1),)))


def asked(members: Sequence[Member], items: Sequence[Item]) -> list[Outcome]:
    """Every item, answered by all models."""
    by_family = {
        member.family: one_blank(models.load(member.model), [item.sentence for item in items])
        for member in members
    }
    outcomes = []
    for i, item in enumerate(items):
        parts: dict[str, Blank | View] = {name: found[i] for name, found in by_family.items()}
        parts |= {view.way: view for view in by_family["elmo"][i].views}
        outcomes.append(Outcome(item, parts))
    return outcomes


def common(model: str, count: int = COMMON) -> set[str]:
    """The commonest entries of a model's vocabulary."""
    loaded = models.load(model)
    best = word_counts(loaded).argsort()[::-1][:count]
    return {loaded.vocabulary.candidate(int(i), 0.0).text for i in best}


def rows(chosen: Mapping[str, Outcome]) -> list[dict[str, object]]:
    """What is kept of the chosen ones: the sentence, the answers, the surprisal of the truth."""
    return [
        {
            "text": found.item.sentence.text,
            "start": found.item.sentence.hidden[0][0],
            "end": found.item.sentence.hidden[0][1],
            "side": side,
            "answers": {name: part.candidates[0].text for name, part in found.parts.items()},
            "bits": {name: round(found.bits(name), 2) for name in found.parts},
        }
        for side, found in chosen.items()
    ]


def measure(company: Company, members: Sequence[Member], cache: Path) -> list[dict[str, object]]:
    """The examples of a company; none unless all its architectures are there and differ clearly."""
    if {member.family for member in members} != set(ARCHITECTURES):
        return []
    items = list(verse(cache)) if company == "verse" else list(english())
    dull = set() if company == "verse" else common(members[0].model)
    chosen = choose(asked(members, items), dull)
    return rows(chosen) if len(chosen) > 1 else []


def main() -> None:
    """Measure and write all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cache", type=Path, default=default_cache())
    cache = parser.parse_args().cache
    found = {name: measure(name, members, cache) for name, members in models.companies().items()}
    for name, examples in found.items():
        print(
            name,
            *(f"{row['side']}: {row['text']} {row['answers']}" for row in examples),
            sep="\n  ",
        )
    text = json.dumps({k: v for k, v in found.items() if v}, indent=1, ensure_ascii=False)
    (ZOO / EXAMPLES).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
