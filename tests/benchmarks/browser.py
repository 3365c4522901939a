"""How soon the page and its answers are there, beside an empty Streamlit app: ratios of one run.

Run it with: python -m tests.benchmarks.browser [--keys 40] [--pages 10]

Both apps run at the same time and are measured in turn, so that a busy machine slows both alike.
Times are taken inside the browser, from the event to the frame that shows its result.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import FLAGS
from tests.browser.serving import running, serving

ANSWER, QUICK, FOUR, MATCHED, FOUR_BEST, BEST = (
    "one key to new answers, Fill the mask",
    "last of five quick keys to new answers, Fill the mask",
    "one key to four answers, matched family",
    "one key to all their arcs, matched family",
    "one key to four answers, best models",
    "one key to all their arcs, best models",
)
SENTENCE = "The chef who ran to the store was out of [MASK] again"  # twelve words when typed into
EMPTY_APP = """
import streamlit as st

st.text(st.slider("n", 0, 10_000))
"""
# A page calls `arrived()` when what was asked for stands in the document; the frame after that
# shows it. `start` is the key press, or for a whole page the beginning of the visit.
CLOCK = """
addEventListener("keydown", () => { window.start = performance.now() }, true)
window.arrived = () => {
    if (!window.waiting) return
    window.waiting = false
    requestAnimationFrame(() => requestAnimationFrame(() => {
        window.took = performance.now() - (window.start ?? 0)
    }))
}
window.wait = () => { window.waiting = true; window.took = null }
window.atRest = () => ![...document.querySelectorAll("*")]
    .some(({ shadowRoot }) => shadowRoot?.querySelector("svg.old"))
window.wait()
"""
OURS = """
document.addEventListener("unmask:read", ({ detail }) => {
    const text = window.awaited ?? detail.text
    if (detail.text === text) window.arrived()
})
"""
# The arcs of the home page follow the answers: a picture is "old" until they are there.
ARCS = """
const root = () => window.found ??= [...document.querySelectorAll("*")]
    .find(({ shadowRoot }) => shadowRoot?.querySelector(".lanes"))?.shadowRoot
document.addEventListener("unmask:read", ({ detail }) => {
    const { text } = detail
    const look = () => {
        if (text !== (window.awaited ?? text)) return
        if (root().querySelector("svg.old")) requestAnimationFrame(look)
        else window.arrived()
    }
    look()
})
"""
EMPTY = """
new MutationObserver(() => {
    const text = document.querySelector("[data-testid=stText]")?.innerText
    if (text && text === (window.awaited ?? text)) window.arrived()
}).observe(document, { subtree: true, childList: true, characterData: true })
"""


def measured(page: Page, act: Callable[[], object]) -> float:
    """Milliseconds from the last key press in `act` to the frame that shows its result."""
    page.evaluate("window.wait()")
    act()
    page.wait_for_function("() => window.took !== null")
    took = float(page.evaluate("window.took"))
    # Let the app come to rest: arcs still to be measured would slow whatever comes next.
    page.wait_for_function("() => window.atRest()")
    page.wait_for_timeout(150)
    return took


def open_page(browser: Browser, address: str, watch: str) -> Page:
    """A page in a browser of its own, with its clock running since the visit began."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.add_init_script(CLOCK + watch)
    page.goto(address)
    page.wait_for_function("() => window.took !== null")
    return page


def press_slider(page: Page, value: int) -> float:
    """An empty rerun: one step of the slider, until its number stands there."""
    page.bring_to_front()
    page.locator("input[type=range]").focus()
    page.evaluate("text => { window.awaited = text }", str(value))
    return measured(page, lambda: page.keyboard.press("ArrowRight"))


def type_keys(page: Page, keys: str) -> float:
    """Our answers: keys at the end of the sentence, until the bars belong to that sentence."""
    page.bring_to_front()
    line = page.locator(".strip textarea")
    line.press("End")
    page.evaluate("text => { window.awaited = text }", line.input_value() + keys)
    return measured(page, lambda: page.keyboard.type(keys, delay=40))


def write(page: Page, text: str) -> None:
    """Another sentence, at once."""
    page.evaluate("text => { window.awaited = text }", text)
    page.locator(".strip textarea").fill(text)


def keys(browser: Browser, server: str, empty: str, rounds: int) -> dict[str, list[float]]:
    """Single keys and the last of five quick ones, beside an empty rerun."""
    times: dict[str, list[float]] = {"empty": [], QUICK: []}
    slider = open_page(browser, empty, EMPTY)
    pages = {
        ANSWER: open_page(browser, f"{server}/fill", OURS),
        FOUR: open_page(browser, f"{server}/?models=matched", OURS),
        MATCHED: open_page(browser, f"{server}/?models=matched", ARCS),
        FOUR_BEST: open_page(browser, server, OURS),
        BEST: open_page(browser, server, ARCS),
    }
    for i in range(rounds):
        times["empty"].append(press_slider(slider, i + 1))
        for name, page in pages.items():
            measured(page, lambda page=page: write(page, SENTENCE))
            times.setdefault(name, []).append(type_keys(page, "s"))
        times[QUICK].append(type_keys(pages[ANSWER], "tring"))
    for each in (slider, *pages.values()):
        each.context.close()
    return times


def pages_to_content(browser: Browser, address: str, watch: str) -> tuple[float, float]:
    """Milliseconds until the page is complete: for a new browser, and when it comes back."""
    page = open_page(browser, address, watch)
    cold = float(page.evaluate("window.took"))
    page.reload()
    page.wait_for_function("() => window.took !== null")
    warm = float(page.evaluate("window.took"))
    page.context.close()
    return cold, warm


def row(name: str, ours: list[float], empty: list[float]) -> str:
    """One line of the table."""
    (a50, a95), (b50, b95) = ((median(t), quantiles(t, n=20)[-1]) for t in (ours, empty))
    return (
        f"| {name} | {a50:.0f} | {a95:.0f} | {b50:.0f} | {b95:.0f} "
        f"| {a50 / b50:.2f} | {a95 / b95:.2f} |"
    )


def main() -> None:
    """Measure both and print the table."""
    parser = argparse.ArgumentParser(description="Ours beside an empty Streamlit app.")
    parser.add_argument("--keys", type=int, default=40, help="how many times each key is measured")
    parser.add_argument("--pages", type=int, default=10, help="how many times a page is opened")
    arguments = parser.parse_args()
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        script = Path(folder) / "empty.py"
        script.write_text(EMPTY_APP)
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        # The empty app has Streamlit's own options, not ours.
        with running() as server, serving(script, folder=script.parent) as empty:
            pressed = keys(browser, server, empty.address, arguments.keys)
            mine, theirs = [], []
            for _ in range(arguments.pages):
                theirs.append(pages_to_content(browser, empty.address, EMPTY))
                mine.append(pages_to_content(browser, server, OURS))
        browser.close()
    print("| ms | ours p50 | p95 | empty p50 | p95 | ratio p50 | ratio p95 |")
    print("|---|---|---|---|---|---|---|")
    for name in (ANSWER, QUICK, FOUR, MATCHED, FOUR_BEST, BEST):
        print(row(name, pressed[name], pressed["empty"]))
    for i, name in enumerate(("first page, new browser", "first page, known browser")):
        print(row(name, [each[i] for each in mine], [each[i] for each in theirs]))


if __name__ == "__main__":
    main()
