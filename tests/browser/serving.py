"""Starts the app as its users do, on a free port, and stops it again."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[2]
STARTED_WITHIN = 120  # seconds: the default model loads before the first visitor


@dataclass(frozen=True)
class Server:
    """A running app."""

    address: str
    pid: int


@contextmanager
def running(script: Path = ROOT / "app.py") -> Iterator[str]:
    """Serve the app, or another script that may import from it; yields the address."""
    with serving(script) as server:
        yield server.address


@contextmanager
def serving(
    script: Path = ROOT / "app.py", log: IO[bytes] | None = None, folder: Path = ROOT
) -> Iterator[Server]:
    """Like `running`, for those who need to know more of the server.

    Args:
        script: What is served.
        log: Gets what the server says.
        folder: Where it is started; `.streamlit/config.toml` there has its options.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        *(sys.executable, "-m", "streamlit", "run", script),
        *("--server.port", str(port), "--server.address", "127.0.0.1"),
        *("--server.headless", "true", "--browser.gatherUsageStats", "false"),
    ]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log) as process:
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(f"{address}/_stcore/health", process)
            yield Server(address, process.pid)
        finally:
            process.terminate()


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + STARTED_WITHIN
    while server.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"no server at {url}")
