"""What holds for every component: local, inert and registered under its own name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from components.register import register

COMPONENTS = Path(__file__).parents[2] / "components"
FOLDERS = sorted(file.parent for file in COMPONENTS.glob("*/view.js"))
ASSETS = [file for file in COMPONENTS.rglob("*") if file.suffix in {".js", ".css"}]
SHEETS = [file for file in ASSETS if file.suffix == ".css"]
# Ways for text to become markup or code; `textContent` is the only way in.
SINKS = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc"


@pytest.mark.parametrize("file", ASSETS, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_assets_are_local_and_inert(file: Path) -> None:
    text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|url\(|@import|\bimport\b.*from|\bfetch\(|XMLHttpRequest", text)
    assert not re.search(SINKS, text)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.parent.name)
def test_motion_stops_for_those_who_ask(sheet: Path) -> None:
    css, python = sheet.read_text(encoding="utf-8"), sheet.parent / "__init__.py"
    if python.exists() and "shared=True" in python.read_text(encoding="utf-8"):
        css += (COMPONENTS / "shared" / "elements.css").read_text(encoding="utf-8")
    if re.search(r"\b(transition|animation)\b\s*:", css):
        assert "prefers-reduced-motion" in css


def test_names_are_unique() -> None:
    sources = [file.read_text(encoding="utf-8") for file in COMPONENTS.rglob("*.py")]
    names = re.findall(r'\bregister\(\s*"(\w+)"', "\n".join(sources))
    assert len(names) >= len(FOLDERS)  # one script may be mounted under two names
    assert len(set(names)) == len(names)


def test_a_component_without_a_view_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"view\.js"):
        register("nothing", tmp_path)
