"""Who may compute, who waits, and that no place is ever lost. Events decide, never the clock."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from models.slots import Cancelled, Slots, Ticket, TooBusy

HANG = 30  # seconds after which a test that should have ended is broken


class Rerun(BaseException):
    """Stands for the exception by which a web framework ends a script."""


class Visitor:
    """One request in a thread of its own, which holds its slot until told to let go."""

    def __init__(
        self, slots: Slots, name: str, on_wait: Callable[[int], None] | None = None
    ) -> None:
        self.running = threading.Event()
        self.let_go = threading.Event()
        self.queued = threading.Event()
        self.places: list[int] = []
        self.ticket: Ticket | None = None
        self._pool = ThreadPoolExecutor(1)
        self.outcome: Future[str] = self._pool.submit(self._ask, slots, name, on_wait)

    def _ask(self, slots: Slots, name: str, on_wait: Callable[[int], None] | None) -> str:
        def waiting(place: int) -> None:
            self.places.append(place)
            self.queued.set()
            if on_wait:
                on_wait(place)

        with slots.claim(name, waiting) as self.ticket:
            self.running.set()
            assert self.let_go.wait(HANG)
            self.ticket.check()
            return name

    def finish(self) -> str:
        self.let_go.set()
        return self.outcome.result(HANG)


@contextmanager
def busy(count: int = 1, **options: Any) -> Iterator[tuple[Slots, list[Visitor]]]:
    """Slots that report places at once, all of them taken."""
    slots = Slots(count, patience=0.0, interval=0.01, **options)
    holders = [Visitor(slots, f"holder {i}") for i in range(count)]
    for holder in holders:
        assert holder.running.wait(HANG)
    yield slots, holders
    for holder in holders:
        holder.let_go.set()


def queue_up(slots: Slots, *names: str) -> list[Visitor]:
    """Visitors who wait in this order."""
    visitors = []
    for name in names:
        visitors.append(Visitor(slots, name))
        assert visitors[-1].queued.wait(HANG)
    return visitors


def test_a_free_slot_is_given_at_once() -> None:
    places: list[int] = []
    with Slots(1).claim("a", places.append) as ticket:
        assert ticket.running
    assert places == []


def test_as_many_run_as_there_are_slots() -> None:
    with busy(count=2) as (slots, holders):
        (third,) = queue_up(slots, "third")
        assert not third.running.is_set()
        assert holders[1].finish() == "holder 1"
        assert third.running.wait(HANG)
        assert third.finish() == "third"


def test_first_come_first_served_and_places_are_told() -> None:
    with busy() as (slots, (holder,)):
        first, second, third = queue_up(slots, "first", "second", "third")
        assert (first.places[0], second.places[0], third.places[0]) == (1, 2, 3)
        holder.finish()
        for visitor in (first, second, third):
            assert visitor.running.wait(HANG)
            visitor.finish()
        assert third.places == sorted(third.places, reverse=True)


def test_a_newer_request_takes_the_place_of_the_visitors_older_one() -> None:
    with busy() as (slots, (holder,)):
        old, other = queue_up(slots, "ann", "bob")
        (new,) = queue_up(slots, "ann")
        with pytest.raises(Cancelled):
            old.outcome.result(HANG)
        assert new.places[0] == 1
        holder.finish()
        assert new.running.wait(HANG)
        assert not other.running.is_set()
        assert (new.finish(), other.finish()) == ("ann", "bob")


def test_a_newer_request_cancels_the_running_one_at_its_next_check() -> None:
    with busy() as (slots, (holder,)):
        assert holder.ticket
        holder.ticket.check()
        (new,) = queue_up(slots, "holder 0")
        with pytest.raises(Cancelled):
            holder.finish()
        assert new.finish() == "holder 0"


def test_other_visitors_are_not_cancelled() -> None:
    with busy() as (slots, (holder,)):
        (other,) = queue_up(slots, "other")
        assert (holder.finish(), other.finish()) == ("holder 0", "other")


@pytest.mark.parametrize("error", [Rerun, KeyboardInterrupt, ValueError])
def test_an_exception_while_waiting_gives_the_place_back(error: type[BaseException]) -> None:
    def leave(_: int) -> None:
        raise error

    with busy() as (slots, (holder,)):
        with pytest.raises(error), slots.claim("leaver", leave):
            pytest.fail("ran without a slot")
        (after,) = queue_up(slots, "after")
        assert after.places[0] == 1
        holder.finish()
        assert after.finish() == "after"


def leave_the_queue(slots: Slots, name: str) -> None:
    """Wait, and be stopped there, as a page is that runs again."""

    def stop(_: int) -> None:
        raise Rerun

    with pytest.raises(Rerun), slots.claim(name, stop):
        pytest.fail("ran without a slot")


def test_who_comes_back_soon_has_kept_their_place() -> None:
    with busy(grace=HANG) as (slots, (holder,)):
        leave_the_queue(slots, "ann")
        (other,) = queue_up(slots, "bob")
        assert other.places[0] == 1, "who is away does not count"
        (back,) = queue_up(slots, "ann")
        assert back.places[0] == 1
        holder.finish()
        assert back.running.wait(HANG)
        assert not other.running.is_set()
        assert (back.finish(), other.finish()) == ("ann", "bob")


def test_nobody_waits_for_who_is_away() -> None:
    with busy(grace=HANG) as (slots, (holder,)):
        leave_the_queue(slots, "ann")
        (other,) = queue_up(slots, "bob")
        holder.finish()
        assert other.running.wait(HANG)
        (back,) = queue_up(slots, "ann")
        assert (other.finish(), back.finish()) == ("bob", "ann")


def test_who_stays_away_has_lost_their_place() -> None:
    with busy(grace=0, max_waiting=1) as (slots, (holder,)):
        leave_the_queue(slots, "ann")
        (other,) = queue_up(slots, "bob")
        with pytest.raises(TooBusy), slots.claim("ann"):
            pytest.fail("ran without a slot")
        assert (holder.finish(), other.finish()) == ("holder 0", "bob")


@pytest.mark.parametrize("error", [Rerun, KeyboardInterrupt, ValueError])
def test_an_exception_while_running_gives_the_slot_back(error: type[BaseException]) -> None:
    slots = Slots(1)
    with pytest.raises(error), slots.claim("a"):
        raise error
    with slots.claim("b") as ticket:
        assert ticket.running


def test_leaving_at_the_moment_the_slot_is_given_loses_nothing() -> None:
    """The slot is handed over while the callback runs, and the callback raises."""
    with busy() as (slots, (holder,)):

        def free_the_slot_then_leave(_: int) -> None:
            holder.finish()
            raise Rerun

        with pytest.raises(Rerun), slots.claim("leaver", free_the_slot_then_leave):
            pytest.fail("ran after leaving")
        with slots.claim("next") as ticket:
            assert ticket.running


def test_a_full_queue_refuses_and_keeps_the_visitors_older_request() -> None:
    with busy(max_waiting=1) as (slots, (holder,)):
        (waiting,) = queue_up(slots, "waiting")
        with pytest.raises(TooBusy) as refusal, slots.claim("late"):
            pytest.fail("ran without a slot")
        assert refusal.value.waiting == 1
        with pytest.raises(TooBusy), slots.claim("holder 0"):
            pytest.fail("ran without a slot")
        assert (holder.finish(), waiting.finish()) == ("holder 0", "waiting")


def test_without_a_callback_one_simply_waits() -> None:
    with busy() as (slots, (holder,)):
        entered = threading.Event()

        def wait() -> bool:
            entered.set()
            with slots.claim("quiet") as ticket:
                return ticket.running

        with ThreadPoolExecutor(1) as pool:
            outcome = pool.submit(wait)
            assert entered.wait(HANG)
            holder.finish()
            assert outcome.result(HANG)


@given(
    count=st.integers(1, 3),
    requests=st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from(["work", "fail", "leave"])),
        min_size=1,
        max_size=16,
    ),
)
@hypothesis_settings(max_examples=25, deadline=None)
def test_every_request_is_answered_or_overtaken(
    count: int, requests: list[tuple[str, str]]
) -> None:
    """However requests mix: no more run than there are slots, and each ends in a known way."""
    slots = Slots(count, patience=0.0, interval=0.001)
    guard = threading.Lock()
    inside: Counter[str] = Counter()
    most = 0

    def leave(_: int) -> None:
        raise Rerun

    def ask(visitor: str, manner: str) -> str:
        nonlocal most
        try:
            with slots.claim(visitor, leave if manner == "leave" else None) as ticket:
                with guard:
                    inside[visitor] += 1
                    most = max(most, inside.total())
                try:
                    ticket.check()
                    if manner == "fail":
                        raise Rerun
                    return "done"
                finally:
                    with guard:
                        inside[visitor] -= 1
        except Cancelled:
            return "overtaken"
        except Rerun:
            return "left"

    with ThreadPoolExecutor(len(requests)) as pool:
        outcomes = [future.result(HANG) for future in [pool.submit(ask, *r) for r in requests]]
    assert most <= count
    for visitor in {visitor for visitor, _ in requests}:
        mine = [o for (v, _), o in zip(requests, outcomes, strict=True) if v == visitor]
        assert mine.count("overtaken") < len(mine)  # the newest is never overtaken
    for (_, manner), outcome in zip(requests, outcomes, strict=True):
        assert manner != "work" or outcome in ("done", "overtaken")
    with slots.claim("last", lambda _: pytest.fail("a slot was lost")) as ticket:
        assert ticket.running
