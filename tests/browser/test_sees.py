"""Journeys through who sees what: one cell lights the same ones everywhere, without the server."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.axe import Axe
from tests.browser.test_accessibility import axe, check, settled
from tests.browser.visits import Visits

__all__ = ["axe"]  # a fixture

LINK = "/sees?models=matched&text=The cat sat on the [[mat]] in the sun."
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
EXACT = re.compile("exactly 0, as its mask says")
COUNT_RUNS = """() => {
    window.runs = 0
    const app = document.querySelector("[data-testid=stApp]")
    const options = { attributes: true, attributeFilter: ["data-test-script-state"] }
    new MutationObserver(() => { window.runs += 1 }).observe(app, options)
}"""


def cell(page: Page, tile: int, row: int, column: int) -> dict[str, float]:
    """Where a cell of a matrix is, as a place in it."""
    box = page.locator(".tile .square").nth(tile).bounding_box()
    count = 13 if tile in (1, 5) else 12  # names differ; only rough places are needed
    assert box
    return {"x": (column + 0.5) * box["width"] / count, "y": (row + 0.5) * box["height"] / count}


def test_one_cell_in_every_model_then_layers_contexts_measures(visit: Visits) -> None:
    page = visit(LINK)
    tiles = page.locator(".tile:has(.square)")
    expect(tiles).to_have_count(7, timeout=30_000)
    expect(page.locator(".headline").first).to_contain_text("exactly 0")
    expect(page.locator(".sights h3").first).to_have_text("When “mat” changes, who notices?")
    settled(page)
    page.evaluate(COUNT_RUNS)
    gpt = tiles.nth(1)
    gpt.locator(".square").hover(position=cell(page, 1, 1, 5))
    expect(gpt.locator(".value")).to_contain_text(EXACT)
    expect(tiles.nth(0).locator(".value")).to_contain_text(
        re.compile(r"“The” when “.+” changes: [\d.]+%")
    )
    expect(tiles.nth(2).locator(".value")).to_contain_text(EXACT)
    expect(tiles.nth(3).locator(".value")).not_to_contain_text("exactly 0")
    lane = page.locator(".lane").nth(1)
    expect(lane.locator(".chips .on")).to_have_text("The")
    assert page.evaluate("window.runs") == 0, "pointing needs no server"
    # By keyboard: each step is read out.
    square = tiles.nth(0).locator(".square")
    square.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".sights [role=status]")).to_have_text(
        re.compile("^“The” itself: [\\d.]+%$")
    )
    page.get_by_role("radio", name="cat", exact=True).first.click()
    expect(page.locator(".sights h3").first).to_have_text("When “cat” changes, who notices?")
    expect(lane.locator(".count")).to_have_text("before it 0 of 2 · after it 8 of 8")
    page.locator("details summary", has_text="As tables").first.click()
    expect(page.locator(".sights table")).to_have_count(7)

    mix_and_measure(page)


def mix_and_measure(page: Page) -> None:
    """Further down: ELMo's layers under the hand, another measure, other contexts."""
    most = page.locator(".opened .most")
    expect(most).to_contain_text("With equal weights", timeout=60_000)
    slider = page.locator(".sliders input").first
    slider.evaluate("input => { input.value = 6; input.dispatchEvent(new Event('input')) }")
    expect(page.locator(".sliders label").first).to_contain_text(
        re.compile(r"Static layer: 99\.\d%")
    )
    page.locator(".both").scroll_into_view_if_needed()
    page.get_by_role("radio", name="Surprisal").click()
    expect(page.locator(".both .readout")).to_contain_text("Fewer bits are better.")
    expect(page.locator(".verdicts small").first).to_contain_text("bits saved")
    field = page.get_by_label("Second sentence")
    field.fill("The cat slept in the bank.")
    expect(page.locator(".texts mark").nth(1)).to_have_text("bank", timeout=30_000)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_and_for_everyone(visit: Visits, axe: Axe) -> None:
    page = visit(LINK, locale="zh-TW", reduced_motion="reduce", **PHONE)
    expect(page.locator(".both .verdicts li")).to_have_count(7, timeout=60_000)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check(axe, page, "on a phone")
