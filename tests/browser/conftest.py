"""A real server and a real browser.

`visit("/fill", locale="zh-TW")` opens a page as a new visitor. After the test it fails if any of
the visits met a console error, a breach of the security policy, or a request to another host.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import NoReturn

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.serving import running
from tests.browser.visits import Visits

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]


def skip(reason: str) -> NoReturn:
    """Skip what cannot be tested here; where everything must be tested, fail."""
    if os.environ.get("UNMASK_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium; without one these tests are skipped, or fail where they must run."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if program is None:
        skip("no chromium on the PATH (Debian: apt-get install chromium fonts-noto-cjk)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(chromium: Browser) -> Iterator[str]:
    """The address of one running app, for all tests that need no fresh one."""
    with running() as address:
        yield address


@pytest.fixture
def visits(chromium: Browser, server: str) -> Iterator[Visits]:
    """Visits whose problems the test itself looks at."""
    made = Visits(chromium, server)
    yield made
    made.close()


@pytest.fixture
def visit(visits: Visits) -> Iterator[Visits]:
    """Visits that must have nothing to complain about."""
    yield visits
    assert visits.problems == []
