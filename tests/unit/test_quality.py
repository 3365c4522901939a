"""The project's own checks, so that `pytest` alone runs all of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHECKS = {
    "style": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "types": ["mypy"],
    "import directions": ["lint-imports", "--no-cache"],
}


@pytest.mark.parametrize("check", CHECKS)
def test_check(check: str) -> None:
    tool, *arguments = CHECKS[check]
    program = Path(sys.executable).with_name(tool)  # of this environment, not of the PATH
    result = subprocess.run(
        [program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, f"{result.stdout}\n{result.stderr}"
