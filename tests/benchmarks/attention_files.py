"""All heads as files, ours and bertviz's, opened by the same browser; see `attention`."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from statistics import median

import torch
from playwright.sync_api import Browser

import models
from components import heads
from components.offline import Part, offline_page
from components.offline.heads import all_heads_page
from components.theme import BERT
from models.loading import Model
from models.trace import Sentence
from tests.benchmarks.bertviz_page import bertviz_page
from tests.benchmarks.tracing import build, text_of, wrap

LAYERS, WIDTH = 12, 768
ALONE, PATIENCE = (256, 512), 1_800_000
"""Lengths that bertviz is not asked for; milliseconds to wait for what it is asked for."""
LOADED = """
addEventListener("load", () => requestAnimationFrame(() => requestAnimationFrame(() => {
    window.took = performance.now()
})))
"""


@dataclass
class Measured:
    """One way to show all heads of one text."""

    megabytes: float
    built: float
    """Seconds from the text to the file; the model runs in it."""
    drawn: list[float] = field(default_factory=list)
    """Milliseconds from opening it to the frame that shows all of it."""
    memory: list[float] = field(default_factory=list)
    """Megabytes of the page's process, less those of an empty page."""


def renderers(browser: Browser) -> set[int]:
    """The processes that draw pages."""
    session = browser.new_browser_cdp_session()
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return {each["id"] for each in found if each["type"] == "renderer"}


def resident(processes: Iterable[int]) -> float:
    """Megabytes of memory; of what is shared, each process's share (needs Linux)."""
    rolls = (Path(f"/proc/{process}/smaps_rollup") for process in processes)
    texts = [roll.read_text() for roll in rolls if roll.is_file()]
    found = (re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE) for text in texts)
    return sum(int(each[1]) for each in found if each) / 1e3


def opened(browser: Browser, file: Path) -> tuple[float, float]:
    """Milliseconds until all of a file is shown, and megabytes of the page then."""
    before = renderers(browser)
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.add_init_script(LOADED)
    page.goto(file.as_uri(), wait_until="commit", timeout=PATIENCE)
    page.wait_for_function("() => window.took", timeout=PATIENCE)
    took = float(page.evaluate("window.took"))
    memory = resident(renderers(browser) - before)
    page.context.close()
    return took, memory


def build_ours(model: Model, text: str) -> str:
    """All heads from the text: what the model view shows."""
    look = models.all_heads(model, Sentence(text))
    every = Part(Path(heads.__file__).parent, heads.message(look, "k", BERT, [(0, 0)], {}))
    return offline_page(heads.title(look), text, [every], look.provenance)


def build_with_a_head(model: Model, text: str) -> str:
    """The file that the page offers: beside them one head, exactly, with its lines."""
    look = models.all_heads(model, Sentence(text))
    return all_heads_page(look, models.one_head(model, look.reads, look.kind, [(0, 0)]), text, BERT)


def build_theirs(view: str, model: Model, text: str) -> str:
    """A view of bertviz, from the text, by the same network."""
    tokens = model.tokenizer(text, return_tensors="pt")
    with torch.inference_mode():
        output = plain()(**tokens, output_attentions=True)
    names = model.tokenizer.convert_ids_to_tokens(tokens["input_ids"][0])
    return bertviz_page(view, output.attentions, names)


@cache
def plain() -> torch.nn.Module:
    """The network as it comes, which gives its weights out."""
    return build(LAYERS, WIDTH, "eager")


def beside_bertviz(browser: Browser, folder: Path, lengths: Sequence[int], rounds: int) -> None:
    """The first table; bertviz's cells have its value and how many times ours that is."""
    model, empty = wrap(build(LAYERS, WIDTH, "eager")), folder / "empty.html"
    empty.write_text("<!doctype html><p>hello")
    print("| 12 x 12 heads | | MB | built s | drawn s | page MB |\n|---|---|---|---|---|---|")
    for tokens in (*lengths, *ALONE):
        text = text_of(tokens)
        ways = {
            "ours": partial(build_ours, model, text),
            "ours, with a head opened": partial(build_with_a_head, model, text),
        }
        if tokens not in ALONE:
            views = ("head", "model")
            ways |= {f"bertviz {v} view": partial(build_theirs, v, model, text) for v in views}
        found = {name: built(folder / f"{name}.html", way) for name, way in ways.items()}
        for _ in range(rounds):
            nothing = opened(browser, empty)[1]
            for name, each in found.items():
                took, memory = opened(browser, folder / f"{name}.html")
                each.drawn.append(took)
                each.memory.append(memory - nothing)
        for name, each in found.items():
            print(f"| {tokens} tokens | {name} | {cells(each, found['ours'])} |", flush=True)


def built(file: Path, way: Callable[[], str]) -> Measured:
    """Write the file, and say what that took."""
    way()  # the first time, whatever is loaded late
    start = time.perf_counter()
    page = way().encode()
    took = time.perf_counter() - start
    file.write_bytes(page)
    return Measured(len(page) / 1e6, took)


def cells(each: Measured, ours: Measured) -> str:
    """Its values; beside those of others how many times ours they are."""
    values = (
        (each.megabytes, ours.megabytes, 2),
        (each.built, ours.built, 2),
        (median(each.drawn) / 1e3, median(ours.drawn) / 1e3, 2),
        (median(each.memory), median(ours.memory), 0),
    )
    return " | ".join(
        f"{value:.{digits}f}" + ("" if each is ours else f" ({value / mine:.0f}x)")
        for value, mine, digits in values
    )
