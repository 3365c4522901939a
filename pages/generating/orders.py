"""What the visitor asks for: a token, a run, a word of their own; checked, since browsers send all.

The settings are known to the browser first, which cuts the bars with them while a slider moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal, cast, get_args

from models.trace import Cut, Drawing

Way = Literal["greedy", "draw"]
Action = Literal["one", "run", "force", "stop"]
WARMEST, COLDEST = 2.0, 0.1
LEAST_P = 0.05
MOST_K, MOST_SEED, MOST_TOKENS = 200_000, 9_999, 100


@dataclass(frozen=True)
class Settings:
    """How the next token is chosen."""

    way: Way = "draw"
    cut: Cut = field(default_factory=lambda: Cut(0.8, 0, 0.95))
    seed: int = 0
    length: int = 30
    """Tokens of a run."""

    @property
    def drawing(self) -> Drawing:
        """The same for a model."""
        return Drawing(self.cut, self.seed) if self.way == "draw" else Drawing()

    @property
    def shown_cut(self) -> Cut:
        """What is cut from the distribution: all but the best token where nothing is drawn."""
        return self.cut if self.way == "draw" else Cut(top_k=1)

    def link(self) -> dict[str, str]:
        """As query parameters."""
        return {
            "way": self.way,
            "temperature": f"{self.cut.temperature:g}",
            "top_k": str(self.cut.top_k),
            "top_p": f"{self.cut.top_p:g}",
            "seed": str(self.seed),
            "length": str(self.length),
        }


@dataclass(frozen=True)
class Order:
    """One press of a button."""

    action: Action
    settings: Settings
    token: int | None = None
    """The word that is to stand there."""


def order(value: object, known: Settings) -> Order | None:
    """What a browser asks for; None if nobody could have."""
    if not isinstance(value, Mapping) or value.get("action") not in get_args(Action):
        return None
    token = value.get("token")
    chosen = token if type(token) is int else None
    if value["action"] == "force" and chosen is None:
        return None
    return Order(cast(Action, value["action"]), settings(value, known), chosen)


def settings(value: object, known: Settings) -> Settings:
    """Settings out of a browser's report or a link; what makes no sense stays as it is known."""
    if not isinstance(value, Mapping):
        return known
    way = value.get("way")
    cut = Cut(
        temperature=_number(value.get("temperature"), COLDEST, WARMEST, known.cut.temperature),
        top_k=int(_number(value.get("top_k"), 0, MOST_K, known.cut.top_k)),
        top_p=_number(value.get("top_p"), LEAST_P, 1, known.cut.top_p),
    )
    return Settings(
        way=cast(Way, way) if way in get_args(Way) else known.way,
        cut=cut,
        seed=int(_number(value.get("seed"), 0, MOST_SEED, known.seed)),
        length=int(_number(value.get("length"), 1, MOST_TOKENS, known.length)),
    )


def _number(value: object, least: float, most: float, otherwise: float) -> float:
    """A number in its bounds; a link brings text."""
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return otherwise
    return min(most, max(least, found)) if isfinite(found) else otherwise
