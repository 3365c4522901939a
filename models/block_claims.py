"""Claims about the parts of a block, and a verdict on each, from the tests that the zoo keeps.

Every effect is above 0 if the claim is right. A claim about trained variants is judged beside the
spread between seeds of the base, too; one about a single model with something switched off has no
such spread, since everything else is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from models.block_tests import BASE, BlockTests, Draws
from models.verdict import Verdict, judge

Section = Literal["ffn", "alike", "heads", "dropout"]
SHARE = 0.1
"""Of what silencing all heads costs: less is "hardly anything"."""


@dataclass(frozen=True)
class Claim:
    """An effect that is claimed to be above 0."""

    name: str
    section: Section
    needs: tuple[str, ...]
    """The models it is about."""
    effect: Callable[[BlockTests], Draws]
    items: Callable[[BlockTests], int]
    """How many passages it is about."""
    spread: Callable[[BlockTests], float] = lambda _: 0.0


def _worse(section: Section, name: str, worse: str, better: str = BASE) -> Claim:
    """One model has the larger loss."""
    return Claim(
        name,
        section,
        (worse, better),
        lambda found: found.loss(worse) - found.loss(better),
        lambda found: len(found.losses[better].nats),
        lambda found: found.seeds,
    )


def _alike(name: str, alike: str, apart: str, trained: bool) -> Claim:
    """The positions of one are more alike at the last layer: less is left without their mean."""
    return Claim(
        name,
        "alike",
        (alike, apart),
        lambda found: found.top(apart) - found.top(alike),
        lambda found: len(found.residual[apart]),
        (lambda found: found.seeds_of_residual) if trained else lambda _: 0.0,
    )


def _unequal(model: str) -> Claim:
    """Half of the heads, the most useful ones, cost more than the other half."""

    def effect(found: BlockTests) -> Draws:
        curves = found.silenced[model]
        half = len(curves.order) // 2
        most, least = (
            curves.draws(which, half, found.seed) for which in ("most_first", "least_first")
        )
        return np.asarray(most - least)

    return Claim(
        "unequal", "heads", (model,), effect, lambda found: len(found.silenced[model].words)
    )


def _spare(model: str) -> Claim:
    """The less useful half of the heads costs less than a tenth of what all of them cost."""

    def effect(found: BlockTests) -> Draws:
        curves = found.silenced[model]
        every = len(curves.order)
        none, half, all_of_them = (
            curves.draws("least_first", count, found.seed) for count in (0, every // 2, every)
        )
        return np.asarray(SHARE * (all_of_them - none) - (half - none))

    return Claim("spare", "heads", (model,), effect, _odd_passages(model))


def _odd_passages(model: str) -> Callable[[BlockTests], int]:
    """How many passages the losses of silenced heads are from; the others gave the order."""
    return lambda found: len(found.silenced[model].words)


def _gap(name: str, dropped: str) -> Claim:
    """With dropout the gap between text that was read and text that was not is smaller."""
    return Claim(
        name,
        "dropout",
        ("bert-v-few", dropped),
        lambda found: found.gap("bert-v-few") - found.gap(dropped),
        _windows,
        lambda found: found.seeds,
    )


def _held_out(name: str, dropped: str) -> Claim:
    """With dropout the loss on held-out text is smaller, where little was read often."""

    def effect(found: BlockTests) -> Draws:
        plain, with_it = (found.read[each][1] for each in ("bert-v-few", dropped))
        return np.asarray(plain.draws(found.seed) - with_it.draws(found.seed))

    about = ("bert-v-few", dropped)
    return Claim(name, "dropout", about, effect, _windows, lambda found: found.seeds)


def _windows(found: BlockTests) -> int:
    """How many pieces of held-out text the models that read little were asked about."""
    return len(found.read["bert-v-few"][1].nats)


LARGE = "bert-s-en"
CLAIMS: Sequence[Claim] = (
    _worse("ffn", "wider", "bert-v-ffn-1x"),
    _worse("ffn", "bends", "bert-v-identity"),
    _worse("ffn", "gelu", "bert-v-relu"),
    _worse("alike", "needed", "bert-v-no-ffn"),
    _worse("alike", "not size", "bert-v-attention"),
    _alike("without ffn", "bert-v-no-ffn", BASE, trained=True),
    _alike("ffn off", f"{LARGE}/no ffn", LARGE, trained=False),
    _alike("skips off", f"{LARGE}/no skips", LARGE, trained=False),
    _alike("skips first", f"{LARGE}/no skips", f"{LARGE}/no ffn", trained=False),
    _worse("heads", "several", "bert-v-1-head"),
    _worse("heads", "more", BASE, "bert-v-8-heads"),
    _unequal(LARGE),
    _spare(LARGE),
    _gap("gap", "bert-v-few-dropout-10"),
    _gap("gap, more", "bert-v-few-dropout-30"),
    _held_out("better", "bert-v-few-dropout-10"),
    _held_out("better, more", "bert-v-few-dropout-30"),
    _worse("dropout", "always", BASE, "bert-v-dropout-10"),
)


def block_verdicts(found: BlockTests, section: Section) -> tuple[Verdict, ...]:
    """All claims of a section whose models were tested."""
    judged = []
    for claim in CLAIMS:
        if claim.section != section:
            continue
        try:
            draws, spread = claim.effect(found), claim.spread(found)
        except KeyError:  # a variant that is not trained yet
            continue
        one = judge(claim.name, float(draws[0]), float(draws[1:].std()), spread)
        judged.append(replace(one, items=claim.items(found)))
    return tuple(judged)


def untested(found: BlockTests | None, section: Section) -> tuple[str, ...]:
    """The models of a section's claims that nobody has tested yet."""
    known = set() if found is None else {*found.losses, *found.read, *found.silenced}
    needed = [name for claim in CLAIMS if claim.section == section for name in claim.needs]
    missing = (name.partition("/")[0] for name in needed if name not in known)
    return tuple(dict.fromkeys(missing))
