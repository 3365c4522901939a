"""The memory of a process over time, and whether it stays where it is."""

from __future__ import annotations

import asyncio
from pathlib import Path
from statistics import fmean, linear_regression
from time import monotonic

# Of the time: until then caches fill and pools grow. Then the memory goes up and down with what is
# being computed, so that only means over long stretches can be compared.
SETTLED = 1 / 3
GROWTH = 0.05  # of the memory, from the second third of the time to the last: more is not flat


class Memory:
    """Resident megabytes of a process, one sample a second (Linux)."""

    def __init__(self, pid: int) -> None:
        self._status = Path(f"/proc/{pid}/status")
        self.start = self._now()
        self._began = monotonic()
        self._samples: list[tuple[float, float]] = []

    async def watch(self) -> None:
        """Take samples until cancelled."""
        while True:
            self._samples.append((monotonic() - self._began, self._now()))
            await asyncio.sleep(1)

    def _now(self) -> float:
        (line,) = (x for x in self._status.read_text().splitlines() if x.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    @property
    def settled(self) -> list[tuple[float, float]]:
        """The samples (seconds, MB) since caches have been filled."""
        return self._samples[round(SETTLED * len(self._samples)) :]

    def report(self) -> str:
        """Where it began, where it went, and the slope."""
        seconds, megabytes = zip(*self.settled, strict=True)
        slope = 60 * linear_regression(seconds, megabytes).slope
        first, last = self._ends()
        return (
            f"Server memory: {self.start:.0f} MB before the first visitor; on the average "
            f"{first:.0f} MB in the second third of the time and {last:.0f} MB in the last "
            f"({last / first - 1:+.1%}); slope over both {slope:+.1f} MB a minute."
        )

    @property
    def flat(self) -> bool:
        """Whether it has stayed about where it was once settled."""
        first, last = self._ends()
        return last <= first * (1 + GROWTH)

    def _ends(self) -> tuple[float, float]:
        """Means over both halves of the time since it settled."""
        megabytes = [value for _, value in self.settled]
        half = len(megabytes) // 2
        return fmean(megabytes[:half]), fmean(megabytes[half:])
