"""The page Attention: how soon maps are there and how much is sent. Ratios of one run.

Run it with: python -m tests.benchmarks.attention [--rounds 20] [--tokens 16 64]

Three tables. All heads of a model of 12 layers and 12 heads, as our offline file and as bertviz's
model view, both opened from disk by the same browser: the time until everything is drawn. The
messages that the page gets for such a model. And in the app itself, a click on a head and a key
press in the sentence, beside a rerun of an empty Streamlit app, in turn.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

import models
from components.offline.heads import all_heads_page
from components.theme import BERT
from models.trace import AllHeads, OneHead, Sentence
from tests.benchmarks.bertviz_page import bertviz_page
from tests.benchmarks.browser import EMPTY, EMPTY_APP, measured, open_page, press_slider, row
from tests.benchmarks.tracing import build, text_of, wrap
from tests.browser.conftest import FLAGS
from tests.browser.serving import running, serving

LAYERS, WIDTH = 12, 768
TEXT = "The chef who ran to the store was out of [[food]]"
BUDGETS = {64: None, 128: 2.6, 512: 3.3}
"""MB at most, for everything that the two panels get; scripts and words included."""
CLICKED, EXACT, KEY = (
    "click on a head: its map from bytes",
    "click on a head: its exact numbers",
    "one key: maps of all heads",
)
LOADED = """
addEventListener("load", () => requestAnimationFrame(() => requestAnimationFrame(() => {
    window.took = performance.now()
})))
"""
# A click begins the measurement as a key press does; `awaited` says what ends it.
OURS = """
addEventListener("pointerdown", () => { window.start = performance.now() }, true)
document.addEventListener("unmask:opened", () => {
    if (window.awaited === "exact") window.arrived()
})
const put = CanvasRenderingContext2D.prototype.putImageData
CanvasRenderingContext2D.prototype.putImageData = function (...image) {
    const drawn = put.apply(this, image)
    if (window.awaited && this.canvas.closest(`.${window.awaited}`)) window.arrived()
    return drawn
}
addEventListener("load", () => window.arrived())
"""
# The page's two components with the heads of a large model, which no bundled one has.
LARGE_PAGE = """
import streamlit as st
from components.head import Choice, head
from components.heads import heads
from components.theme import BERT
from tests.benchmarks.attention import large

@st.cache_resource
def seen(tokens):
    return large(tokens)

look, one = seen(int(st.query_params["tokens"]))
heads(look, key="k", colour=BERT, opened=one.heads)
head(one, key="k", colour=BERT, chosen=Choice(one.heads), plain=True)
"""


def large(tokens: int) -> tuple[AllHeads, OneHead]:
    """All heads and one of them, of a model with random weights, on so many tokens."""
    model = wrap(build(LAYERS, WIDTH, "eager"))
    look = models.all_heads(model, Sentence(text_of(tokens)))
    return look, models.one_head(model, look.reads, look.kind, [(0, 0)])


def opened(browser: Browser, file: Path) -> float:
    """Milliseconds from opening a file to the frame that shows all of it."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.add_init_script(LOADED)
    page.goto(file.as_uri(), wait_until="commit", timeout=600_000)
    page.wait_for_function("() => window.took", timeout=600_000)
    took = float(page.evaluate("window.took"))
    page.context.close()
    return took


def beside_bertviz(browser: Browser, folder: Path, lengths: Sequence[int], rounds: int) -> None:
    """The first table."""
    print("| 12 x 12 heads | ours ms | bertviz ms | sooner | ours MB | bertviz MB |")
    print("|---|---|---|---|---|---|")
    for tokens in lengths:
        look, one = large(tokens)
        model = wrap(build(LAYERS, WIDTH, "eager"))
        weights = models.trace(model, text_of(tokens)).stack.weights()
        pages = {
            "ours": all_heads_page(look, one, text_of(tokens), BERT),
            "theirs": bertviz_page(np.asarray(weights), [token.text for token in look.keys]),
        }
        times: dict[str, list[float]] = {name: [] for name in pages}
        for name, page in pages.items():
            (folder / f"{name}.html").write_text(page, encoding="utf-8")
        for _ in range(rounds):
            for name, took in times.items():
                took.append(opened(browser, folder / f"{name}.html"))
        ours, theirs = (median(times[name]) for name in pages)
        size, other = (len(page.encode()) / 1e6 for page in pages.values())
        print(
            f"| {tokens} tokens | {ours:.0f} | {theirs:.0f} | {theirs / ours:.0f}x "
            f"| {size:.2f} | {other:.1f} |",
            flush=True,
        )


@contextmanager
def listening(page: Page) -> Iterator[list[int]]:
    """The sizes of the messages from the server meanwhile."""
    received: list[int] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on(
        "Network.webSocketFrameReceived",
        # Binary frames come in base64.
        lambda frame: received.append(len(frame["response"]["payloadData"]) * 3 // 4),
    )
    yield received
    session.detach()


def messages(browser: Browser, server: str) -> None:
    """The second table: what the browser gets for all heads and the open one."""
    print("\n| 12 x 12 heads | MB sent | budget |")
    print("|---|---|---|")
    for tokens, budget in BUDGETS.items():
        page = browser.new_context().new_page()
        with listening(page) as received:
            page.goto(f"{server}?tokens={tokens}")
            page.locator(".head .square").wait_for(timeout=300_000)
            page.wait_for_timeout(1_000)
        print(f"| {tokens} tokens | {sum(received) / 1e6:.3f} | {budget or '–'} |", flush=True)
        page.context.close()


def in_the_app(browser: Browser, server: str, empty: str, rounds: int) -> None:
    """The third table: what a visitor waits for."""
    times: dict[str, list[float]] = {"empty": []}
    sent: dict[str, list[int]] = {}
    slider = open_page(browser, empty, EMPTY)
    page = open_page(browser, f"{server}/attention?text={TEXT}", OURS)
    page.locator(".effects .headline").wait_for(timeout=120_000)
    page.wait_for_timeout(3_000)
    for i in range(rounds):
        times["empty"].append(press_slider(slider, i + 1))
        page.bring_to_front()
        for name, awaited in ((CLICKED, "matrix"), (EXACT, "exact"), (KEY, "heads")):
            with listening(page) as received:
                took = act(page, name, awaited, i)
                page.wait_for_timeout(1_500)  # effects and sections follow
            times.setdefault(name, []).append(took)
            sent.setdefault(name, []).append(sum(received))
    print("\n| ms | ours p50 | p95 | empty p50 | p95 | ratio p50 | ratio p95 |")
    print("|---|---|---|---|---|---|---|")
    for name in (CLICKED, EXACT, KEY):
        print(row(name, times[name], times["empty"]))
    print("\n| sent in all, effects and sections included | kB |\n|---|---|")
    for name in (EXACT, KEY):
        print(f"| {name} | {median(sent[name]) / 1e3:.0f} |")
    for each in (slider, page):
        each.context.close()


def act(page: Page, name: str, awaited: str, number: int) -> float:
    """One click or one key, until what is awaited stands there."""
    page.evaluate("awaited => { window.awaited = awaited }", awaited)
    if name == KEY:
        line = page.locator(".strip textarea")
        line.press("End")
        return measured(page, lambda: line.press("Backspace" if number % 2 else "s"))
    # No head twice in a row: one that is open already needs no numbers.
    button = page.locator(".heads .cells button").nth((2 * number + (name == EXACT)) * 7 % 72)
    button.scroll_into_view_if_needed()
    return measured(page, button.click)


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description="Attention, beside bertviz and an empty app.")
    parser.add_argument("--rounds", type=int, default=20, help="how often each is measured")
    parser.add_argument("--tokens", type=int, nargs="*", default=[16, 64], help="for bertviz")
    asked = parser.parse_args()
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        folder = Path(place)
        (folder / "empty.py").write_text(EMPTY_APP)
        (folder / "large.py").write_text(LARGE_PAGE)
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        beside_bertviz(browser, folder, asked.tokens, min(3, asked.rounds))
        with running(folder / "large.py") as server:
            messages(browser, server)
        with running() as server, serving(folder / "empty.py", folder=folder) as empty:
            in_the_app(browser, server, empty.address, asked.rounds)
        browser.close()


if __name__ == "__main__":
    main()
