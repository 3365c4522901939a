"""The both-sides test in words: whose answers, which measure, which claim, what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from components.theme import BERT, ELMO, ENCODER_DECODER, GPT, Colour
from components.words import fixed, msg, number, percent, t
from models.trace import Metric, Outcome, Score, Verdict

VIEWS: Mapping[str, tuple[str, Colour]] = {
    "bert": ("BERT", BERT),
    "gpt": ("GPT", GPT),
    "elmo": (msg("ELMo, combined"), ELMO),
    "forward": (msg("ELMo forward"), ELMO),
    "backward": (msg("ELMo backward"), ELMO),
    "seq": ("Transformer", ENCODER_DECODER),
}
METRICS: Mapping[Metric, str] = {
    "top1": msg("First answer right"),
    "top5": msg("Among the first five"),
    "bits": msg("Surprisal"),
}
SIDES: Mapping[str, str] = {
    "left": msg("The left decides"),
    "right": msg("The right decides"),
    "both": msg("Both sides decide"),
}
THIRDS = (msg("First third"), msg("Middle third"), msg("Last third"))
CLAIMS: Mapping[str, str] = {
    "fused": msg(
        "Where both sides decide, BERT, which fuses them in every layer, finds the word better "
        "than ELMo’s two answers combined."
    ),
    "joined": msg("There, ELMo’s two models combined do better than the better one alone."),
    "forward": msg(
        "ELMo’s forward model does better where the left decides than where the right does."
    ),
    "backward": msg(
        "ELMo’s backward model does better where the right decides than where the left does."
    ),
    "left only": msg(
        "GPT, which sees only the left, does better where the left decides than where the right "
        "does."
    ),
    "right": msg("Where the right decides, BERT does better than GPT."),
    "later": msg(
        "From the first third of a sentence to the last, GPT gains on BERT: more and more stands "
        "to its left."
    ),
}
OUTCOMES: Mapping[Outcome, str] = {
    "supported": msg("supported"),
    "within noise": msg("within noise"),
    "opposite": msg("opposite"),
}


@dataclass(frozen=True)
class Group:
    """Scores side by side: of one side, or of one third."""

    title: str
    items: int
    scores: tuple[tuple[str, Score], ...]
    """By view."""


@dataclass(frozen=True)
class Measured:
    """All that one metric says."""

    metric: Metric
    sides: tuple[Group, ...]
    thirds: tuple[Group, ...]
    verdicts: tuple[Verdict, ...]


def view_name(view: str) -> str:
    """Whose answers, in the visitor's language; architectures keep their names."""
    return t(VIEWS[view][0])


def shown(metric: Metric, value: float) -> str:
    """A score for a reader."""
    return t("{bits} bits", bits=number(value, 1)) if metric == "bits" else percent(value)


def interval(metric: Metric, score: Score) -> str:
    """A score with its interval and the number of items."""
    low, high = (shown(metric, value) for value in (score.low, score.high))
    value = shown(metric, score.mean)
    count = number(score.items)
    return t("{value} ({low} to {high}; n = {count})", value=value, low=low, high=high, count=count)


def effect(metric: Metric, verdict: Verdict) -> str:
    """An effect with its standard error."""
    scale, sign = 1 if metric == "bits" else 100, "+" if verdict.effect >= 0 else ""
    value, error = sign + fixed(scale * verdict.effect, 1), fixed(scale * verdict.error, 1)
    if metric == "bits":
        return t("{effect} ± {error} bits saved", effect=value, error=error)
    return t("{effect} ± {error} points", effect=value, error=error)


def because(verdict: Verdict) -> str:
    """What may be behind an outcome that no textbook expects; "" if nothing is known."""
    if verdict.claim == "fused" and verdict.outcome == "opposite":
        return t(
            "ELMo’s models learn at every position, BERT at 15% of them: as long as both have "
            "read little, the joined LSTMs can win."
        )
    return ""
