"""A masked-LM head as a row of stages: what goes through it, in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from components.ladder.followed import layer_name
from components.shares import joined, share
from components.words import number, percent, t
from models.trace import HeadSteps, Standing

Row = np.ndarray
Fact = tuple[str, str]


@dataclass(frozen=True)
class Stage:
    """One step, for a reader."""

    name: str
    formula: str
    size: str
    """What comes out of it."""
    told: str
    """What it does."""
    facts: tuple[Fact, ...]
    values: Row
    """What comes out: (width,) or (vocabulary,)."""
    before: Row | None = None
    """What goes in, where each number of it becomes one number."""


@dataclass(frozen=True)
class Pair:
    """The word that is followed through the head, with and without its transform."""

    word: str
    own: bool
    """It is the visitor's; else the model's own answer."""
    token_id: int | None
    with_it: Standing
    without: Standing | None


def followed(steps: HeadSteps) -> Pair:
    """The visitor's own word, if it can be rated, else the answer."""
    answer, bare, best = steps.answer, steps.without, steps.answer.best[0]
    if steps.original and answer.original_rank and answer.original_probability is not None:
        without = None
        if bare and bare.original_rank and bare.original_probability is not None:
            without = Standing(bare.original_rank, bare.original_probability)
        standing = Standing(answer.original_rank, answer.original_probability)
        return Pair(steps.original, True, None, standing, without)
    standing = Standing(1, best.probability)
    return Pair(joined(best), False, best.token_id, standing, steps.best_without)


def stages(steps: HeadSteps) -> tuple[Stage, ...]:
    """State, dense, activation, LayerNorm, logits, softmax."""
    return (*_transform(steps), _logits(steps), _softmax(steps))


def _transform(steps: HeadSteps) -> tuple[Stage, ...]:
    wide, high = len(steps.hidden), len(steps.dense)
    return (
        Stage(
            t("State"),
            "h",
            _numbers(wide),
            t(
                "What the model has written at the mask after {layer}. From these numbers alone "
                "the word is guessed.",
                layer=layer_name(steps.layer, inside=True),
            ),
            spread(steps.hidden),
            steps.hidden,
        ),
        Stage(
            t("Dense"),
            "a = W h + b",
            _numbers(high),
            t(
                "Each new number is a weighted sum of all the old ones, plus a bias: W has "
                "{rows} × {columns} learned weights. The state is turned towards the output.",
                rows=number(high),
                columns=number(wide),
            ),
            spread(steps.dense),
            steps.dense,
            before=steps.hidden if wide == high else None,
        ),
        Stage(
            t("Activation"),
            "g = φ(a)",
            _numbers(high),
            t(
                "One curve bends every number by itself; in BERT it is GELU: it lets large numbers "
                "pass and presses negative ones towards 0. Each dot is one number, before and "
                "after."
            ),
            spread(steps.activation),
            steps.activation,
            before=steps.dense,
        ),
        Stage(
            "LayerNorm",
            "n = γ (g − μ) / σ + β",
            _numbers(high),
            t(
                "The numbers are centred and brought to one spread; then each gets a learned "
                "scale and shift of its own."
            ),
            spread(steps.layer_norm),
            steps.layer_norm,
            before=steps.activation,
        ),
    )


def _logits(steps: HeadSteps) -> Stage:
    words, high = len(steps.logits), len(steps.layer_norm)
    return Stage(
        t("Logits"),
        "z = E n + c",
        t("{count} scores", count=number(words)),
        t(
            "The vector meets the vector of every entry of the vocabulary: E has {rows} × "
            "{columns} numbers, and in BERT it is the matrix that also makes the embeddings (tied "
            "weights). The better they match, the higher the score.",
            rows=number(words),
            columns=number(high),
        ),
        spread(steps.logits)[:-1],
        steps.logits,
    )


def _softmax(steps: HeadSteps) -> Stage:
    best = steps.answer.best
    return Stage(
        "Softmax",
        "p = exp(z) / Σ exp(z)",
        t("{count} probabilities", count=number(len(steps.logits))),
        t("Each score becomes a positive share, and all of them add up to 1: the answer."),
        (
            (t("Best answer"), share(best[0].probability)),
            (
                t("The {count} best together", count=number(len(best))),
                share(min(1.0, sum(each.probability for each in best))),
            ),
            (t("Entropy (bits)"), number(steps.answer.entropy_bits, 2)),
        ),
        steps.logits,
    )


def _numbers(count: int) -> str:
    return t("{count} numbers", count=number(count))


def spread(values: Row) -> tuple[Fact, ...]:
    """Statistics of a vector; the last is how long it is."""
    return (
        (t("Mean"), _short(values.mean())),
        (t("Standard deviation"), _short(values.std())),
        (t("Smallest"), _short(values.min())),
        (t("Largest"), _short(values.max())),
        (t("Below zero"), percent(float((values < 0).mean()))),
        (t("Length (Euclidean)"), _short(np.linalg.norm(values))),
    )


def _short(value: float | np.floating) -> str:
    """Three significant digits, with a true minus sign."""
    value = float(value)
    digits = 3 if abs(value) < 1 else 2 if abs(value) < 100 else 0
    return number(value, digits).replace("-", "−")
