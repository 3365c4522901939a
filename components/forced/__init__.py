"""Free and forced side by side: what a decoder writes by itself, and along a given target."""

from __future__ import annotations

from itertools import count, zip_longest
from pathlib import Path

from components.register import register
from components.shares import rare
from components.words import fixed, number, sentences, t, tn
from components.writing import said
from models.trace import Forced, ForcedStep, Writing, WrittenToken

_forced = register("forced", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


def forced(given: Forced, free: Writing, *, key: str, colour: str) -> None:
    """Draw one row per place.

    Args:
        given: The target, token by token.
        free: What the model writes by itself.
        key: A name of its own in the session.
        colour: CSS colour of the marks.
    """
    written = [step.token for step in free.steps]
    rows = enumerate(zip_longest(given.steps, written), start=1)
    _forced(
        key=key,
        data={
            "serial": next(_serial),
            "colour": colour,
            "headline": headline(given, free),
            "rows": [_row(at, step, token) for at, (step, token) in rows],
            "words": {
                "caption": t("Free and forced, token by token"),
                "heads": [
                    t("Place"),
                    t("Given"),
                    t("p of the given one"),
                    t("Would write here"),
                    t("Free"),
                ],
            },
        },
    )


def _row(at: int, step: ForcedStep | None, free: WrittenToken | None) -> dict[str, object]:
    wrong = step is not None and not step.agrees
    return {
        "place": number(at),
        "given": "" if step is None else name(step.token),
        "share": "" if step is None else rare(2.0 ** -(step.token.bits or 0.0)),
        "guess": "" if step is None else said(step.guess),
        "free": "" if free is None else name(free),
        "wrong": wrong,
        "parts": free is not None and (step is None or free.id != step.token.id),
    }


def name(token: WrittenToken) -> str:
    """A token for a reader; a space has a sign of its own."""
    return token.shown or ("␣" if token.text else token.piece)


def headline(given: Forced, free: Writing) -> str:
    """How often the model would have gone wrong, and where the two part."""
    wrong = sum(not step.agrees for step in given.steps)
    same = [step.token.id for step in given.steps] == [step.token.id for step in free.steps]
    costs = t(
        "ln p of the target {target}, of its own text {own}.",
        target=fixed(given.log_p, 1),
        own=fixed(free.log_p, 1),
    )
    if same:
        return sentences(t("The target is what the model writes by itself."), costs)
    told = tn(
        "Along the target it would write another token in {count} place of {all}.",
        "Along the target it would write another token in {count} places of {all}.",
        wrong,
        all=number(len(given.steps)),
    )
    return sentences(told, costs)
