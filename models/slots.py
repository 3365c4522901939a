"""One compute slot per core: who may run a model now, who waits, and whose question is out of date.

Requests are served in order of arrival. A visitor holds one place at most: a newer request cancels
their older one and, if that was still waiting, takes over its place in the queue. A request that
leaves the queue keeps its place for a moment: a page that runs again stops its older run, and only
then does its newer one ask.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic


class Cancelled(Exception):
    """The same visitor asked something newer; nobody waits for this answer."""


@dataclass(eq=False)
class TooBusy(Exception):
    """The queue is full. Try again in a moment.

    Attributes:
        waiting: How many requests are in the queue.
    """

    waiting: int


class Ticket:
    """One request's right to compute, held from `Slots.claim` until its block ends."""

    def __init__(self, visitor: Hashable) -> None:
        self.visitor = visitor
        self.running = False
        self.cancelled = False
        self.left = math.inf
        """When it left the queue without having run, by `time.monotonic`."""

    def check(self) -> None:
        """Call between the steps of a computation.

        Raises:
            Cancelled: The visitor's newer request made this one pointless.
        """
        if self.cancelled:
            raise Cancelled


class Slots:
    """A fixed number of slots and one queue for them; safe to share between all threads.

    Args:
        count: How many requests may compute at the same time.
        max_waiting: The longest queue accepted.
        patience: Seconds a request waits before its place in the queue is first reported.
        interval: Seconds between later reports.
        grace: Seconds for which a place in the queue is kept after its request has left. Nobody
            waits for that: the others pass it by.
    """

    def __init__(
        self,
        count: int,
        max_waiting: int = 200,
        patience: float = 1.0,
        interval: float = 0.25,
        grace: float = 5.0,
    ) -> None:
        self._free = count
        self._max_waiting = max_waiting
        self._patience = patience
        self._interval = interval
        self._grace = grace
        self._queue: list[Ticket] = []
        self._newest: dict[Hashable, Ticket] = {}
        self._changed = threading.Condition()

    @contextmanager
    def claim(
        self, visitor: Hashable, on_wait: Callable[[int], None] | None = None
    ) -> Iterator[Ticket]:
        """Wait for a slot and hold it for the length of a ``with`` block.

        Whatever ends the block or the waiting, an exception out of `on_wait` included, gives the
        slot back, and after a moment the place in the queue. Never claim again inside the block: a
        visitor's second claim cancels the first and would wait for itself.

        Args:
            visitor: Who asks, such as a session id.
            on_wait: Called from the waiting thread with the place in the queue, 1 = next.

        Yields:
            The ticket; call its `check` between steps.

        Raises:
            Cancelled: The visitor asked something newer meanwhile.
            TooBusy: Too many are waiting already.
        """
        ticket = self._join(visitor)
        try:
            self._wait(ticket, on_wait)
            yield ticket
        finally:
            self._leave(ticket)

    def _join(self, visitor: Hashable) -> Ticket:
        """Take a place in the queue: the visitor's own older place, or a new one at its end."""
        ticket = Ticket(visitor)
        with self._changed:
            self._forget()
            older = self._newest.get(visitor)
            if older and older in self._queue:
                self._queue[self._queue.index(older)] = ticket
            elif len(self._queue) >= self._max_waiting:
                raise TooBusy(len(self._queue))
            else:
                self._queue.append(ticket)
            if older is not None:
                older.cancelled = True
            self._newest[visitor] = ticket
            self._serve()
        return ticket

    def _wait(self, ticket: Ticket, on_wait: Callable[[int], None] | None) -> None:
        """Sleep until the ticket runs; report its place in between, without holding the lock."""
        timeout = self._patience if on_wait else None
        while True:
            with self._changed:
                self._changed.wait_for(lambda: ticket.running or ticket.cancelled, timeout)
                ticket.check()
                if ticket.running:
                    return
                ahead = self._queue[: self._queue.index(ticket)]
                place = 1 + sum(other.left == math.inf for other in ahead)
            if on_wait:
                on_wait(place)
            timeout = self._interval

    def _leave(self, ticket: Ticket) -> None:
        """Give back whatever the ticket holds, so that the next in the queue can go on."""
        with self._changed:
            if ticket in self._queue:
                ticket.left = monotonic()
            else:
                self._free += ticket.running
                ticket.running = False
                if self._newest.get(ticket.visitor) is ticket:
                    del self._newest[ticket.visitor]
            self._serve()

    def _forget(self) -> None:
        """Give up the places whose visitors have not come back in time (the lock is held)."""
        too_late = monotonic() - self._grace
        for ticket in [ticket for ticket in self._queue if ticket.left <= too_late]:
            self._queue.remove(ticket)
            del self._newest[ticket.visitor]

    def _serve(self) -> None:
        """Hand free slots to the front of the queue and wake everyone (the lock is held)."""
        self._forget()
        for ticket in [ticket for ticket in self._queue if ticket.left == math.inf][: self._free]:
            self._queue.remove(ticket)
            ticket.running = True
            self._free -= 1
        self._changed.notify_all()


@lru_cache(maxsize=1)
def slots() -> Slots:
    """The slots of this process, as many as the settings say."""
    from models.settings import settings

    return Slots(settings().compute_slots, settings().max_waiting)
