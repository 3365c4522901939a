"""The page Attention: how soon maps are there and how much is sent. Ratios of one run.

Run it with: python -m tests.benchmarks.attention [--rounds 20] [--tokens 16 32 64 128]

Four tables. All heads of a model of 12 layers and 12 heads with random weights, as our offline file
and as bertviz's head and model views, all opened from disk by the same browser in turn: bytes, the
time from the text to the file, the time until everything is drawn, the memory of the page; longer
texts are ours alone. The messages that the page gets for such a model. What was told of time and
memory beforehand, beside what it took. And in the app itself, a click on a head and a key press in
the sentence, beside a rerun of an empty Streamlit app, in turn.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import torch
from playwright.sync_api import Browser, Page, sync_playwright

import models
from models.costs import cost
from models.trace import AllHeads, OneHead, OneLayer, Sentence
from tests.benchmarks.attention_files import LAYERS, PATIENCE, WIDTH, beside_bertviz
from tests.benchmarks.browser import EMPTY, EMPTY_APP, measured, open_page, press_slider, row
from tests.benchmarks.tracing import build, text_of, wrap
from tests.browser.conftest import FLAGS
from tests.browser.serving import running, serving

TEXT = "The chef who ran to the store was out of [[food]]"
BUDGETS, LAYER_BUDGET = {64: None, 128: 2.6, 256: None, 512: None}, 3.3
"""MB at most, for everything that the panels get; scripts and words included."""
CLICKED, EXACT, KEY = (
    "click on a head: its map from bytes",
    "click on a head: its exact numbers",
    "one key: maps of all heads",
)
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
from components.layer import layer
from components.theme import BERT
from tests.benchmarks.attention import large, large_layer

@st.cache_resource
def seen(tokens):
    return large(tokens)

if "layer" in st.query_params:
    found = large_layer(int(st.query_params["tokens"]))
    layer(found, key="layer", follows="k", colour=BERT, depth=12, head=0)
    st.stop()
look, one = seen(int(st.query_params["tokens"]))
heads(look, key="k", colour=BERT, opened=one.heads)
head(one, key="k", colour=BERT, chosen=Choice(one.heads), plain=True)
"""


def large(tokens: int) -> tuple[AllHeads, OneHead]:
    """All heads and one of them, of a model with random weights, on so many tokens."""
    model = wrap(build(LAYERS, WIDTH, "eager"))
    look = models.all_heads(model, Sentence(text_of(tokens)))
    return look, models.one_head(model, look.reads, look.kind, [(0, 0)])


def large_layer(tokens: int) -> OneLayer:
    """One of its layers with every weight."""
    model = wrap(build(LAYERS, WIDTH, "eager"))
    look = models.all_heads(model, Sentence(text_of(tokens)))
    return models.one_layer(model, look.reads, look.kind, 0)


def as_told() -> None:
    """The third table: what was told beforehand, and what it took; alone on one thread."""
    torch.set_num_threads(1)
    model = wrap(build(LAYERS, WIDTH, "eager"))
    print("\n| all heads, told and measured | s told | s | MB told | MB |\n|---|---|---|---|---|")
    for tokens in (64, 128, 256, 512):
        told = cost(model, tokens)
        before = peak(afresh=True)
        start = time.thread_time()
        models.all_heads(model, Sentence(text_of(tokens)))
        took = time.thread_time() - start
        print(
            f"| {tokens} tokens | {told.seconds:.2f} | {took:.2f} "
            f"| {told.memory / 1e6:.0f} | {peak() - before:.0f} |",
            flush=True,
        )


def peak(afresh: bool = False) -> float:
    """The most memory this process had since it was last asked afresh, in megabytes."""
    if afresh:
        Path("/proc/self/clear_refs").write_text("5")
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1e3


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
    """The second table: what the browser gets for all heads and the open one, and for a layer."""
    print("\n| 12 x 12 heads | MB sent | budget |")
    print("|---|---|---|")
    for tokens, budget in BUDGETS.items():
        sent = sent_for(browser, f"{server}?tokens={tokens}", ".head .square")
        print(f"| {tokens} tokens | {sent:.3f} | {budget or '–'} |", flush=True)
    sent = sent_for(browser, f"{server}?tokens=512&layer=1", ".layer .square")
    print(f"| 512 tokens, one layer with every weight | {sent:.3f} | {LAYER_BUDGET} |", flush=True)


def sent_for(browser: Browser, address: str, shown: str) -> float:
    """Megabytes of all messages until that is shown."""
    page = browser.new_context().new_page()
    with listening(page) as received:
        page.goto(address)
        page.locator(shown).first.wait_for(timeout=PATIENCE)
        page.wait_for_timeout(1_000)
    page.context.close()
    return sum(received) / 1e6


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
    parser.add_argument(
        "--tokens", type=int, nargs="*", default=[16, 32, 64, 128], help="for bertviz"
    )
    parser.add_argument("--views", type=int, default=3, help="how often each file is opened")
    asked = parser.parse_args()
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        folder = Path(place)
        (folder / "empty.py").write_text(EMPTY_APP)
        (folder / "large.py").write_text(LARGE_PAGE)
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        beside_bertviz(browser, folder, asked.tokens, asked.views)
        with running(folder / "large.py") as server:
            messages(browser, server)
        # In a process of its own: the most memory that this one ever had is known already.
        alone = multiprocessing.get_context("spawn").Process(target=as_told)
        alone.start()
        alone.join()
        with running() as server, serving(folder / "empty.py", folder=folder) as empty:
            in_the_app(browser, server, empty.address, asked.rounds)
        browser.close()


if __name__ == "__main__":
    main()
