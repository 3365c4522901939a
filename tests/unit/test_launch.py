"""What happens once, before the first visitor comes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
START = """
import asyncio, gc, models

models.warm_up = {warm_up}
import app

async def start():
    async with app.warm_up(app.app):
        print(gc.get_freeze_count())

asyncio.run(start())
"""


def frozen(warm_up: str) -> int:
    """Objects that no search for garbage visits any more, after a start with this `warm_up`."""
    done = subprocess.run(
        [sys.executable, "-c", START.format(warm_up=warm_up)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


def test_what_stays_for_good_is_left_out_of_the_search_for_garbage() -> None:
    assert frozen("lambda: None") > 10_000


def test_without_a_model_the_pages_are_served_all_the_same() -> None:
    assert frozen("lambda: 1 / 0") > 10_000
