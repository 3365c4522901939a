"""The leak check and the matrices in words, computed."""

from __future__ import annotations

from collections.abc import Sequence

from components.sights.seen import PANES, Seen, panes
from components.takeaway import precise
from components.words import number, percent, t, tn
from models.trace import LeakCheck, Pane


def title(seen: Seen, pane: Pane) -> str:
    """What a matrix is about."""
    return t(PANES[pane.name]) if PANES[pane.name] else seen.sees


def headline(shown: Sequence[Seen]) -> str:
    """Whether anything arrives where a mask forbids it, over all models."""
    checks = [(seen, pane.check) for seen, pane in panes(shown)]
    forbidden = sum(check.forbidden for _, check in checks)
    leaking = sum(check.leaking for _, check in checks)
    if not forbidden:
        return ""
    if not leaking:
        return t(
            "Leak check: nothing arrives where a mask forbids it. All {count} forbidden cells are "
            "exactly 0.",
            count=number(forbidden),
        )
    worst, check = max(checks, key=lambda each: each[1].largest)
    return t(
        "Leak check: {leaking} of {count} forbidden cells are not 0. The largest is {value}, in "
        "{name}.",
        leaking=number(leaking),
        count=number(forbidden),
        value=precise(check.largest),
        name=worst.name,
    )


def passed(shown: Sequence[Seen]) -> bool:
    """Whether every matrix keeps to its mask."""
    return all(pane.check.passed for _, pane in panes(shown))


def forbidden(check: LeakCheck) -> str:
    """The leak check of one matrix."""
    if not check.forbidden:
        return t("Nothing is forbidden here.")
    if check.passed:
        return tn(
            "The one forbidden cell is exactly 0.",
            "All {count} forbidden cells are exactly 0.",
            check.forbidden,
        )
    return t(
        "{leaking} of {count} forbidden cells are not 0; the largest is {value}.",
        leaking=number(check.leaking),
        count=number(check.forbidden),
        value=precise(check.largest),
    )


def allowed(check: LeakCheck) -> str:
    """What was measured where the mask allows it."""
    return t(
        "{moving} of {count} allowed cells move, half of them by more than {median}.",
        moving=number(check.moving),
        count=number(check.allowed),
        median=percent(check.median, 1),
    )
