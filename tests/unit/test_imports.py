"""What may import what, and what comes only when it is needed."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = {"app", "components", "models", "pages", "tests"}
# Distributions whose package has another name.
DISTRIBUTION = {"pydantic_settings": "pydantic-settings", "PIL": "pillow"}


def loaded_by(statement: str) -> set[str]:
    """The top-level packages that a fresh process has loaded after `statement`."""
    code = f"{statement}\nimport sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


@pytest.mark.parametrize("module", ["models", "models.trace", "models.results", "models.settings"])
def test_models_load_torch_only_with_the_first_model(module: str) -> None:
    assert not loaded_by(f"import {module}") & {"torch", "transformers", "streamlit", "components"}


@pytest.mark.parametrize(
    "module",
    sorted(
        f"components.{file.parent.name}" for file in (ROOT / "components").glob("*/__init__.py")
    ),
)
def test_components_never_load_torch(module: str) -> None:
    assert not loaded_by(f"import {module}") & {"torch", "transformers", "bertviz"}


def third_party(files: list[Path]) -> dict[str, Path]:
    """The packages that files import from outside, each with a file that does."""
    found = {}
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names):
                    modules = [alias.name for alias in names]
                case ast.ImportFrom(module=str(module), level=0):
                    modules = [module]
                case _:
                    continue
            for top in {module.split(".")[0] for module in modules}:
                if top not in sys.stdlib_module_names | OURS:
                    found[top] = file
    return found


def pinned(file: str) -> set[str]:
    """The distributions that a requirements file pins, with those of the file it includes."""
    lines = (ROOT / file).read_text().splitlines()
    names = {match[1] for line in lines if (match := re.match(r"([\w-]+)==[\w.+]+$", line))}
    loose = [line for line in lines if line and not re.match(r"#|-r |[\w-]+==[\w.+]+$", line)]
    assert not loose, f"{file}: not pinned exactly: {loose}"
    for included in re.findall(r"^-r (\S+)$", "\n".join(lines), re.MULTILINE):
        names |= pinned(included)
    return {name.lower().replace("_", "-") for name in names}


@pytest.mark.parametrize(
    ("requirements", "folders", "without"),
    [
        ("requirements.txt", ["components", "models", "pages"], "training"),
        ("requirements-train.txt", ["models/training"], "-"),
        ("requirements-dev.txt", ["tests"], "-"),
    ],
)
def test_everything_imported_is_pinned(requirements: str, folders: list[str], without: str) -> None:
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    files = [file for file in files if without not in file.parts] + [ROOT / "app.py"]
    for package, file in third_party(files).items():
        name = DISTRIBUTION.get(package, package).lower().replace("_", "-")
        assert name in pinned(requirements), f"{file.name} imports {package}"
