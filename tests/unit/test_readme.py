"""The README says what is so."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from models.settings import table

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```bash\n(.*?)```", README, re.DOTALL)
COMMANDS = [line.split("#")[0].strip() for block in BLOCKS for line in block.splitlines()]


def test_the_two_commands() -> None:
    assert "pip install -r requirements.txt && streamlit run app.py" in COMMANDS
    assert "pip install -r requirements-dev.txt && pytest" in COMMANDS


def test_the_settings_are_the_ones_there_are() -> None:
    assert table() in README


def test_every_file_it_names_is_there() -> None:
    named = re.findall(r"\]\(([\w./-]+)\)|`((?:\.ci|components|models|tests)/[\w./-]+)`", README)
    files = [a or b for a, b in named] + re.findall(r"-r (\S+\.txt)", README)
    assert len(files) >= 5
    assert [file for file in files if not (ROOT / file).exists()] == []


@pytest.mark.parametrize(
    "module", sorted({m for m in re.findall(r"python -m ([\w.]+)", README) if m != "venv"})
)
def test_every_module_it_runs_is_there(module: str) -> None:
    code = f"from importlib.util import find_spec; assert find_spec({module!r})"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_nothing_belongs_to_one_machine() -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    pattern = r"(^|[\s\"'(=])/(work|root|home/[a-z]+)/"
    found = subprocess.run(
        [git, "grep", "-nE", pattern, "--", "*.py", "*.md", "*.toml", "*.js", ".ci"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout == ""
