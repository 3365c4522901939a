"""What kind of head is this? The measures as a reader sees them, and the flags that follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from components.words import msg, number, percent, t
from models.trace import AllHeads

MOST = 0.5
"""A head is flagged if it puts more than this share of its weight there."""


@dataclass(frozen=True)
class Measure:
    """One of `models.measures.STATISTICS`."""

    name: str
    title: str
    share: bool = True
    """A share of the weight; else a number with decimals."""
    lowest_first: bool = False


MEASURES = (
    Measure("entropy", msg("Entropy (bits), sharpest first"), share=False, lowest_first=True),
    Measure("distance", msg("Mean distance (tokens)"), share=False),
    Measure("previous", msg("On the previous token")),
    Measure("next", msg("On the next token")),
    Measure("diagonal", msg("On the token itself")),
    Measure("sink", msg("On one token for all (sink)")),
    Measure("same_word", msg("On the same word elsewhere")),
    Measure("induction", msg("On what followed the same word (induction)")),
)


@dataclass(frozen=True)
class Flag:
    """A kind of head, and which heads are of it (layer · heads + head)."""

    name: str
    sign: str
    title: str
    heads: tuple[int, ...]


SIGNS = {
    "sink": ("■", msg("sink on a special token")),
    "previous": ("↰", msg("previous token")),
    "next": ("↳", msg("next token")),
    "diagonal": ("⟲", msg("itself")),
    "same_word": ("◇", msg("same word")),
    "induction": ("↷", msg("induction")),
}


def flags(look: AllHeads) -> tuple[Flag, ...]:
    """The kinds that occur here."""
    special = [look.keys[key].kind == "special" for key in look.sinks.ravel()]
    found = []
    for name, (sign, title) in SIGNS.items():
        values = look.statistics[name].ravel()
        heads = np.flatnonzero(values > MOST)
        of_it = tuple(int(i) for i in heads if name != "sink" or special[i])
        if of_it:
            found.append(Flag(name, sign, t(title), of_it))
    return tuple(found)


def order(look: AllHeads, measure: Measure) -> list[int]:
    """All heads, the first that has most of it (or least); those without a number at the end."""
    values = look.statistics[measure.name].ravel()
    return np.argsort(values if measure.lowest_first else -values, kind="stable").tolist()


def shown(look: AllHeads, measure: Measure) -> list[str]:
    """The values of all heads for a reader."""
    return [value_shown(value, measure) for value in look.statistics[measure.name].ravel().tolist()]


def value_shown(value: float, measure: Measure) -> str:
    """One value for a reader; "–" where there is none."""
    if not np.isfinite(value):
        return "–"
    return percent(value) if measure.share else number(value, 2, exactly=True)


def head_name(layer: int, head: int) -> str:
    """Counted from 1."""
    return t("Layer {layer} · head {head}", layer=number(layer + 1), head=number(head + 1))


def told(look: AllHeads, found: Sequence[Flag]) -> list[str]:
    """Each head in a sentence: what it is, how widely and how far it looks, and where most."""
    kinds: dict[int, list[str]] = {i: [] for i in range(look.depth * look.heads)}
    for flag in found:
        for i in flag.heads:
            kinds[i].append(f"{flag.sign} {flag.title}")
    return [_told(look, i, kinds[i]) for i in range(look.depth * look.heads)]


def _told(look: AllHeads, i: int, kinds: Sequence[str]) -> str:
    layer, head = divmod(i, look.heads)
    value = {name: float(values[layer, head]) for name, values in look.statistics.items()}
    sink = look.keys[int(look.sinks[layer, head])].text
    parts = [
        t("entropy {bits} bits", bits=number(value["entropy"], 2, exactly=True)),
        t("mean distance {tokens} tokens", tokens=number(value["distance"], 1, exactly=True))
        if np.isfinite(value["distance"])
        else "",
        t("“{word}” gets {share} of all weight", word=sink, share=percent(value["sink"]))
        if np.isfinite(value["sink"])
        else "",
        *kinds,
    ]
    name = head_name(layer, head)
    return t("{name}: {text}", name=name, text=" · ".join(part for part in parts if part))
