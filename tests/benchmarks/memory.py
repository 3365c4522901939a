"""The memory of a process over time, and whether it stays where it is."""

from __future__ import annotations

import asyncio
from pathlib import Path
from statistics import fmean, linear_regression
from time import monotonic

SETTLED = 1 / 3  # of the time: until then caches fill and pools grow
GROWTH = 0.05  # of the memory, from settled to the end: more is not flat


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
        """Start, settled, end, and the slope in between."""
        seconds, megabytes = zip(*self.settled, strict=True)
        slope = 60 * linear_regression(seconds, megabytes).slope
        first, last = self._ends()
        return (
            f"Server memory: {self.start:.0f} MB before the first visitor, {first:.0f} MB settled, "
            f"{last:.0f} MB at the end ({last / first - 1:+.1%}); {slope:+.1f} MB a minute."
        )

    @property
    def flat(self) -> bool:
        """Whether it ended about where it was once settled."""
        first, last = self._ends()
        return last <= first * (1 + GROWTH)

    def _ends(self) -> tuple[float, float]:
        """Means over the first and the last tenth since it settled."""
        megabytes = [value for _, value in self.settled]
        tenth = max(1, len(megabytes) // 10)
        return fmean(megabytes[:tenth]), fmean(megabytes[-tenth:])
