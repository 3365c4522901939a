"""Which positions of a sentence each objective trains: a lane for each model, bars for the loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import ceil
from pathlib import Path

from components.heads import shades
from components.register import register
from components.theme import Colour
from components.words import msg, number, t, tn
from models.trace import Target, Targets, TargetWay, Token

__all__ = ["Trained", "full_bar", "headline", "targets", "way_name"]

_targets = register("targets", Path(__file__).parent, shared=True, borrowed=["sights/tables"])

# No two messages are equal: see `components.answers`.
_serial = count()

WAYS: dict[TargetWay, str] = {
    "masked": msg("selected"),
    "forward": msg("from the left"),
    "backward": msg("from the right"),
    "written": msg("written"),
}


@dataclass(frozen=True)
class Trained:
    """One model, and what its objective trains on the sentence."""

    name: str
    """The architecture, such as ``BERT``."""
    told: str
    """Its objective in a line; translated."""
    model: str
    """The catalogue's name."""
    colour: Colour
    targets: Targets | None = None
    """None if there is none; `note` then says why."""
    note: str = ""


def targets(shown: Sequence[Trained], *, key: str) -> None:
    """Draw a lane for each model.

    Args:
        shown: The models, in order.
        key: A name of its own in the session.
    """
    _targets(
        key=key,
        data={
            "serial": next(_serial),
            "headline": headline(shown),
            "full": full_bar(shown),
            "lanes": [_lane(one) for one in shown],
            "words": {
                "table": t("As tables"),
                "token": t("Token"),
                "read": t("Read as"),
                "way": t("Predicted"),
                "nats": t("Nats"),
                "lane": t("{name}: what each position costs"),
            },
        },
    )


def way_name(way: TargetWay) -> str:
    """How a token is predicted, in the visitor's language."""
    return t(WAYS[way])


def full_bar(shown: Sequence[Trained]) -> float:
    """The loss of a full bar, in whole nats, the same in all lanes."""
    costs = [one.nats for each in shown if each.targets for one in each.targets.targets]
    return float(ceil(max([1.0, *costs])))


def headline(shown: Sequence[Trained]) -> str:
    """How many predictions the one sentence trains in each model."""
    counted = (
        t("{name} {count}", name=each.name, count=number(len(each.targets.targets)))
        for each in shown
        if each.targets
    )
    return t("Predictions that this one sentence trains: {counts}.", counts=t(", ").join(counted))


def _lane(one: Trained) -> dict[str, object]:
    found = one.targets
    return {
        "name": one.name,
        "told": one.told,
        "ink": one.colour.text,
        "colour": shades(one.colour),
        "note": one.note,
        "count": "" if found is None else _count(found),
        "mean": "" if found is None or found.loss is None else _mean(found.loss),
        "tokens": [] if found is None else list(_tokens(found)),
    }


def _count(found: Targets) -> str:
    return tn("{count} prediction", "{count} predictions", len(found.targets))


def _mean(loss: float) -> str:
    return t("{nats} nats on average", nats=number(loss, 2, exactly=True))


def _tokens(found: Targets) -> Iterator[dict[str, object]]:
    """Each token, as it is read, with its predictions."""
    asked: dict[int, list[Target]] = {}
    for one in found.targets:
        asked.setdefault(one.token, []).append(one)
    for i, (token, read) in enumerate(zip(found.tokens, found.read, strict=True)):
        if token.kind == "space":
            continue
        yield {
            "text": token.text,
            "read": read,
            "kind": _kind(token, read),
            "targets": [_target(one) for one in asked.get(i, ())],
        }


def _kind(token: Token, read: str) -> str:
    if token.kind == "special":
        return "special"
    return "joins" if token.kind == "continuation" and read == token.text else "word"


def _target(one: Target) -> dict[str, object]:
    shown = number(one.nats, 1, exactly=True)
    return {"way": one.way, "told": way_name(one.way), "nats": one.nats, "shown": shown}
