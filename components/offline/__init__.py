"""Panels as one file that lives without a network: our own scripts, our own numbers, nothing else.

The scripts are those of the page (`view.js` of each component), so that what was pointed at, locked
and sorted there can be here. The file asks for nothing: its own security policy forbids it.
"""

from __future__ import annotations

import base64
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from string import Template

import numpy as np

from components.pictures import FONTS
from components.register import sources
from components.takeaway import origin, versions
from components.words import LANGUAGES, language, t
from models.trace import Provenance

__all__ = ["Part", "offline_page"]

HERE = Path(__file__).parent
CONFIG = HERE.parents[1] / ".streamlit" / "config.toml"
EXPORT = re.compile(r"^export default function", re.MULTILINE)
THEME = {
    "primary-color": "primaryColor",
    "background-color": "backgroundColor",
    "secondary-background-color": "secondaryBackgroundColor",
    "text-color": "textColor",
    "border-color": "borderColor",
    "chart-diverging-colors": "chartDivergingColors",
}
"""Streamlit's names in CSS and in its configuration, of what our style sheets use."""


@dataclass(frozen=True)
class Part:
    """A component with the message it gets on the page."""

    folder: Path
    data: Mapping[str, object]


def offline_page(
    title: str,
    text: str,
    parts: Sequence[Part],
    about: Provenance,
    extra: Mapping[str, object] | None = None,
) -> str:
    """The file.

    Args:
        title: What it shows.
        text: What was read; a stranger's words are inert in it.
        parts: From top to bottom; they hear each other as on the page.
        about: Where the numbers come from.
        extra: For `boot.js`, which stands in for Python.
    """
    files = [sources(part.folder, shared=True) for part in parts]
    data = {
        "parts": [packed(part.data) for part in parts],
        "sheets": [sheet for _, sheet in files],
        "extra": packed(extra or {}),
    }
    notes = (origin(about), versions(about), t("Made with Unmask. This file needs no network."))
    return Template(_file("page.html")).substitute(
        language=LANGUAGES[language()].tag,
        title=escape(title),
        theme=_theme(),
        sheet=_file("page.css"),
        text=escape(text),
        places="\n".join('<div class="part"></div>' for _ in parts),
        notes="".join(f"<p>{escape(note)}</p>" for note in notes),
        data=inert(data),
        scripts=",\n".join(_as_function(script) for script, _ in files),
        boot=_file("boot.js"),
    )


def _as_function(script: str) -> str:
    """A module's script as an expression: its names stay its own, its export comes out."""
    body, count = EXPORT.subn("const mount = function", script)
    if count != 1 or "</script" in body.lower():
        raise ValueError("a component's script has one default export, and no end tag")
    return f"(() => {{\n{body}\nreturn mount\n}})()"


def packed(data: Mapping[str, object]) -> dict[str, object]:
    """A message as JSON can hold it: columns of numbers as their bytes."""
    return {name: _packed(value) for name, value in data.items()}


def _packed(value: object) -> object:
    if not isinstance(value, np.ndarray):
        return value
    little = value.astype(value.dtype.newbyteorder("<"), copy=False)
    return {"numbers": value.dtype.name, "base64": base64.b64encode(little.tobytes()).decode()}


def inert(data: object) -> str:
    """JSON that no text in it can break out of."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")


@cache
def _file(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


@cache
def _theme() -> str:
    """The app's colours as Streamlit hands them to components, light and dark."""
    config = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
    light, dark = (_variables(config[scheme]) for scheme in ("light", "dark"))
    # The app's own Latin face comes with Streamlit, and stays there.
    always = f"--st-font: {FONTS}; --st-base-radius: {config['baseRadius']};"
    return (
        f":root {{ color-scheme: light dark; {always} {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    )


def _variables(scheme: Mapping[str, object]) -> str:
    found = ((name, scheme[option]) for name, option in THEME.items())
    return " ".join(
        f"--st-{name}: {','.join(value) if isinstance(value, list) else value};"
        for name, value in found
    )
