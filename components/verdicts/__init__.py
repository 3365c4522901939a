"""What became of claims: each in one sentence, with its outcome, its effect and its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from components.register import register
from components.words import msg, t
from models.trace import Outcome

OUTCOMES: dict[Outcome, str] = {
    "supported": msg("supported"),
    "within noise": msg("within noise"),
    "opposite": msg("opposite"),
}

_verdicts = register("verdicts", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


@dataclass(frozen=True)
class Judged:
    """A claim and what was found, in the visitor's language."""

    outcome: Outcome
    claim: str
    effect: str
    """The number with its unit, its spread and n."""
    source: str = ""
    """Who claims it, or refines it."""


def verdicts(judged: Sequence[Judged], *, key: str) -> None:
    """Draw the claims, one below the other.

    Args:
        judged: What was found.
        key: A name of its own in the session.
    """
    _verdicts(
        key=key,
        data={
            "serial": next(_serial),
            "title": t("What that says about the claims"),
            "claims": [
                {
                    "outcome": each.outcome.replace(" ", "-"),
                    "named": t(OUTCOMES[each.outcome]),
                    "claim": each.claim,
                    "effect": each.effect,
                    "source": each.source,
                }
                for each in judged
            ],
        },
    )
