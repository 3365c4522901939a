"""Visitors: each a browser of their own, with everything it complained about written down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
REPORT_VIOLATIONS = """addEventListener("securitypolicyviolation", event =>
    console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`))"""


@dataclass
class Visits:
    """Opens pages as new visitors of a server."""

    browser: Browser
    server: str
    problems: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    def __call__(self, path: str = "/", server: str | None = None, **options: Any) -> Page:
        """Open `path` in a browser context with these options, and wait until it is idle."""
        address = server or self.server
        defaults = {"viewport": {"width": 1440, "height": 900}, "locale": "en-US"}
        self.contexts.append(self.browser.new_context(**defaults | options))
        page = self.contexts[-1].new_page()
        self._listen(page, urlsplit(address).netloc)
        page.goto(address + path)
        page.wait_for_selector(IDLE, timeout=60_000)
        return page

    def close(self) -> None:
        """Send every visitor home."""
        for context in self.contexts:
            context.close()

    def _listen(self, page: Page, host: str) -> None:
        note = self.problems.append

        def check_host(url: str) -> None:
            address = urlsplit(url)
            if address.scheme in {"http", "https", "ws", "wss"} and address.netloc != host:
                note(f"foreign request: {url}")

        page.add_init_script(REPORT_VIOLATIONS)
        page.on("console", lambda m: note(f"console: {m.text}") if m.type == "error" else None)
        page.on("pageerror", lambda error: note(f"page error: {error}"))
        page.on("request", lambda request: check_host(request.url))
        page.on("websocket", lambda socket: check_host(socket.url))
