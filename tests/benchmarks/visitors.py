"""Visitors type different sentences at once: no error, no cross-talk, and the memory stays flat.

Run it with: python -m tests.benchmarks.visitors [--visitors 10] [--minutes 3]

Each visitor is a browser of their own on one of the pages, and types sentences that begin with
their own name. Every text that their page shows an answer to must be theirs, each sentence must get
the answer that the model gives to it alone, and nobody else's name may ever stand on the page. The
command ends with status 1 if anything of this fails.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from random import Random
from statistics import median, quantiles
from time import monotonic
from urllib.parse import quote

from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright
from playwright.async_api import Error as BrowserError

import models
from components.shares import joined, share
from models.settings import settings
from models.trace import Sentence
from tests.benchmarks.memory import Memory
from tests.browser.conftest import FLAGS
from tests.browser.serving import serving

NAMES = (
    "Anna Brian Carla David Ellen Fiona George Henry Irene Jacob Karen Louis Maria Nathan Olivia "
    "Peter Quentin Rachel Simon Teresa Ursula Victor Wendy Xavier Yvonne Zachary Agnes Boris "
    "Cecilia Dominic"
).split()
STORIES = (
    "drinks a cup of [MASK] every morning.",
    "lost the [MASK] on the way to school.",
    "has never seen such a big [MASK] before.",
    "wants to buy a new [MASK] for the kitchen.",
    "plays the [MASK] with friends after work.",
    "was late because the [MASK] did not come.",
    "put the letter under the [MASK] and left.",
    "cannot [MASK] without music.",
    "asked the teacher for a [MASK].",
    "will travel by [MASK] to the sea.",
)
# Where each page shows its answers: the rows of the first blank.
ROWS = {"/": ".lanes .answers tbody tr", "/fill": ".answers .panel:first-child tbody tr"}
SHOWN = 5
LONGEST = 60_000  # milliseconds; whoever waits longer has found a fault
# Every text that the page showed an answer to; all text on it, in components and fields, too.
LISTEN = """
window.answered = []
document.addEventListener("unmask:read", ({ detail }) => window.answered.push(detail.text))
"""
TEXT = """() => {
    const text = root => root.textContent + [...root.querySelectorAll("*")]
        .map(({ shadowRoot, value }) => (shadowRoot ? text(shadowRoot) : "") + (value ?? ""))
        .join(" ")
    return text(document.body)
}"""
ROW = """rows => rows.map(row => ["th :is(button, span)", ".share"]
    .map(part => row.querySelector(part).textContent))"""
BROKEN = "[data-testid=stException], [data-testid=stAlertContentError]"


@dataclass
class Visitor:
    """One of them, with what they typed and what went wrong."""

    name: str
    path: str
    sentences: list[str]
    random: Random
    waits: list[float] = field(default_factory=list)
    """Milliseconds from the last key of a sentence to its answers."""
    faults: list[str] = field(default_factory=list)
    _heard: int = 0

    async def arrive(self, browser: Browser, server: str) -> Page:
        """Open the page with a sentence of their own."""
        context = await browser.new_context(locale="en-US")
        page = await context.new_page()
        page.set_default_timeout(LONGEST)
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.faults.append(f"page error: {error}"))
        await page.add_init_script(LISTEN)
        await page.goto(f"{server}{self.path}?text={quote(self.sentences[-1])}")
        await self.await_answer(page, self.sentences[-1])
        self.waits.clear()  # that was a page, not a key
        return page

    async def stay(self, page: Page, until: float) -> None:
        """Type one sentence after the other, and look at what is shown."""
        for text in cycle(self.sentences):
            await self.type(page, text)
            await self.await_answer(page, text)
            await self.look_around(page)
            await asyncio.sleep(self.random.uniform(0.5, 2))
            if monotonic() > until:
                break

    @contextmanager
    def noting(self) -> Iterator[None]:
        """What ends a visit before its time is a fault of the app."""
        try:
            yield
        except BrowserError as error:
            self.faults.append(str(error).splitlines()[0])

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"console: {message.text}")

    async def type(self, page: Page, text: str) -> None:
        """Replace the sentence key by key, as people do: quickly, with pauses."""
        line = page.locator(".strip textarea")
        await line.press("Control+a")
        for key in text:
            await page.keyboard.type(key)
            await asyncio.sleep(self.random.choice((0.05, 0.1, 0.1, 0.2)))

    async def await_answer(self, page: Page, text: str) -> None:
        """Until the page answers `text`: it must be what the model answers to that alone."""
        start = monotonic()
        heard = "text => window.answered.at(-1) === text"
        await page.wait_for_function(heard, arg=text, polling=50)
        self.waits.append(1_000 * (monotonic() - start))
        rows = (await page.locator(ROWS[self.path]).evaluate_all(ROW))[:SHOWN]
        if rows != expected(text):
            self.faults.append(f"{text!r} was answered by {rows}, not {expected(text)}")

    async def look_around(self, page: Page) -> None:
        """Nobody else's words are there, now or before, and nothing broke."""
        names = set(NAMES) & set(re.findall(r"\w+", await page.evaluate(TEXT)))
        self.faults += [f"{name} on the page of {self.name}" for name in names - {self.name}]
        answered: list[str] = await page.evaluate("window.answered")
        for text in answered[self._heard :]:  # half-typed sentences are answered as well
            if not any(sentence.startswith(text) for sentence in self.sentences):
                self.faults.append(f"{self.name} saw an answer to {text!r}")
        self._heard = len(answered)
        if await page.locator(BROKEN).count():
            self.faults.append("the page reports an error")

    def row(self) -> str:
        """One line of the table."""
        typed = sum(len(self.sentences[i % len(self.sentences)]) for i in range(len(self.waits)))
        p95 = quantiles(self.waits, n=20)[-1] if len(self.waits) > 1 else float("nan")
        p50 = median(self.waits) if self.waits else float("nan")
        return (
            f"| {self.name} | `{self.path}` | {len(self.waits)} | {typed} | {p50:.0f} | {p95:.0f} "
            f"| {len(self.faults)} |"
        )


_expected: dict[str, list[list[str]]] = {}


def expected(text: str) -> list[list[str]]:
    """What the model answers to `text` when nobody else is there: words and shares."""
    if text not in _expected:
        prediction = models.predict(settings().default_model, Sentence(text), SHOWN)
        found = prediction.blanks[0].candidates[:SHOWN]
        _expected[text] = [[joined(each), share(each.probability)] for each in found]
    return _expected[text]


def invite(number: int) -> list[Visitor]:
    """Visitors in turn on each page, each with the stories in another order."""
    visitors = []
    for i, name in enumerate(NAMES[:number]):
        order = STORIES[i % len(STORIES) :] + STORIES[: i % len(STORIES)]
        sentences = [f"{name} {story}" for story in order]
        visitors.append(Visitor(name, list(ROWS)[i % len(ROWS)], sentences, Random(i)))  # noqa: S311
        for text in sentences:
            expected(text)
    return visitors


async def run(visitors: list[Visitor], server: str, memory: Memory, minutes: float) -> None:
    """Let all of them in, and then type at once."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=FLAGS)
        pages: dict[str, Page] = {}
        for visitor in visitors:  # one by one: that a browser opens many pages slowly is its affair
            with visitor.noting():
                pages[visitor.name] = await visitor.arrive(browser, server)
        watching = asyncio.create_task(memory.watch())
        until = monotonic() + 60 * minutes

        async def stay(visitor: Visitor) -> None:
            with visitor.noting():
                await visitor.stay(pages[visitor.name], until)

        await asyncio.gather(*(stay(each) for each in visitors if each.name in pages))
        watching.cancel()
        await browser.close()


def main() -> None:
    """Run it and print the tables."""
    parser = argparse.ArgumentParser(description="Visitors type different sentences at once.")
    parser.add_argument("--visitors", type=int, default=10, choices=range(1, len(NAMES) + 1))
    parser.add_argument("--minutes", type=float, default=3.0)
    arguments = parser.parse_args()
    visitors = invite(arguments.visitors)
    with tempfile.TemporaryFile() as log:
        with serving(log=log) as server:
            memory = Memory(server.pid)
            asyncio.run(run(visitors, server.address, memory, arguments.minutes))
        log.seek(0)
        said = log.read().decode()
    faults = [f"{visitor.name}: {fault}" for visitor in visitors for fault in visitor.faults]
    faults += [line for line in said.splitlines() if re.search("Traceback|ERROR", line)]
    print("| visitor | page | sentences | keys | p50 ms | p95 ms | faults |")
    print("|---|---|---|---|---|---|---|")
    print("\n".join(visitor.row() for visitor in visitors))
    print(memory.report())
    print(*faults[:20], sep="\n", end=f"\n{len(faults)} faults.\n")
    if faults or not memory.flat:
        raise SystemExit("Failed.")


if __name__ == "__main__":
    main()
