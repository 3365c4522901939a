"""axe-core, the accessibility checker: taken from npm when it is needed, no part of the app."""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

VERSION = "4.14.1"
SHA512 = "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ=="
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

# Streamlit's own elements, which no app can change: (rule, what it may complain about).
STREAMLITS = [
    ("list", "[data-testid=stSidebarNavItems]"),  # a <div> for each section between <ul> and <li>
    ("listitem", "[data-testid=stSidebarNavItems] li"),
]
CHECK = """async ([rules, allowed]) => {
    const options = { runOnly: { type: "tag", values: rules }, elementRef: true }
    const { violations } = await axe.run(document, options)
    const excused = (id, element) =>
        allowed.some(([rule, selector]) => rule === id && element.matches(selector))
    return violations.flatMap(({ id, help, nodes }) => nodes
        .filter(({ element }) => !excused(id, element))
        .map(({ target, html, failureSummary }) => ({ id, help, target, html, failureSummary })))
}"""


class NoAxe(Exception):
    """There is no checker here; the message says why."""


@dataclass(frozen=True)
class Axe:
    """The checker's script, ready for any page."""

    script: str

    def complaints(self, page: Page) -> list[dict[str, Any]]:
        """What breaks WCAG 2.2 A or AA on the page as it stands, inside open shadow roots too."""
        if not page.evaluate("'axe' in window"):
            page.evaluate(self.script)
        found: list[dict[str, Any]] = page.evaluate(CHECK, [RULES, STREAMLITS])
        return found


def fetch() -> Axe:
    """Take the pinned version from npm, or from an earlier time that it was taken.

    Raises:
        NoAxe: npm is not here, cannot reach its registry, or brought something else.
    """
    archive = Path(tempfile.gettempdir()) / f"axe-core-{VERSION}.tgz"
    if not archive.exists() or not _is_genuine(archive):
        _pack(archive.parent)
    if not _is_genuine(archive):
        raise NoAxe(f"npm brought another axe-core {VERSION} than the pinned one")
    with tarfile.open(archive) as package:
        script = package.extractfile("package/axe.min.js")
        assert script is not None
        return Axe(script.read().decode())


def _pack(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise NoAxe("no npm on the PATH to take axe-core from (Debian: apt-get install npm)")
    command = [npm, "pack", f"axe-core@{VERSION}", "--silent", "--pack-destination", str(folder)]
    packed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if packed.returncode:
        raise NoAxe(f"npm could not bring axe-core: {packed.stderr.strip()}")


def _is_genuine(archive: Path) -> bool:
    return base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode() == SHA512
