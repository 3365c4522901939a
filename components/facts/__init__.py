"""A few numbers, each with its unit and what it means in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from components.register import register

_facts = register("facts", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


@dataclass(frozen=True)
class Fact:
    """One number for a reader; all three are translated."""

    name: str
    """What was measured."""
    value: str
    """The number with its unit."""
    told: str
    """What that means, in a sentence."""


def facts(shown: Sequence[Fact], *, label: str, key: str, colour: str) -> None:
    """Draw the numbers side by side, as far as there is room.

    Args:
        shown: From left to right.
        label: What they are about, for a screen reader.
        key: A name of its own in the session.
        colour: CSS colour of their edges, the architecture's own.
    """
    _facts(
        key=key,
        data={
            "serial": next(_serial),
            "label": label,
            "colour": colour,
            "facts": [asdict(fact) for fact in shown],
        },
    )
