"""Inside the model: watch an answer take shape, step through the head, draw a loss."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.visits import IDLE, Visits

TEXT = "She would like a cup of [[tea]] with milk."
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def link_of(page: Page, panel: str) -> str:
    """Where the link of a panel bar leads to, once nothing changes any more."""
    page.wait_for_timeout(1_000)  # a step is told when the visitor has stayed with it
    page.wait_for_selector(IDLE)
    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text }")
    page.get_by_role("group", name=panel).get_by_role("button", name="Link").click()
    page.wait_for_function("window.copied")
    path: str = page.evaluate("new URL(copied).pathname + new URL(copied).search")
    return path


def test_from_layer_to_layer_and_through_the_head(visit: Visits) -> None:
    page = visit(f"/fill?section=layers&text={TEXT}")
    rows, beside = page.locator(".ladder .body > table tbody tr"), page.locator(".ladder .beside")
    expect(rows).to_have_count(7, timeout=30_000)
    final = page.locator(".answers tbody button").first
    expect(rows.last.locator(".word")).to_have_text(str(final.text_content()))

    rows.nth(2).hover()  # a look at a layer, and back
    expect(beside).to_contain_text("after layer 2")
    expect(beside.locator("tbody tr")).to_have_count(5)
    page.mouse.move(0, 0)
    expect(beside).to_contain_text("after layer 6")

    rows.last.get_by_role("button").focus()
    page.keyboard.press("ArrowUp")
    expect(beside).to_contain_text("after layer 5")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Here goes the state after layer 5")).to_be_visible()
    expect(rows.nth(5).get_by_role("button")).to_be_focused()

    tabs, stage = page.locator(".chain").get_by_role("tab"), page.locator(".steps .stage")
    tabs.first.focus()
    for name in ("Dense", "Activation", "LayerNorm"):
        page.keyboard.press("ArrowRight")
        expect(stage).to_have_attribute("aria-label", name)
        expect(stage.get_by_role("img")).to_have_count(3)
        expect(stage).to_contain_text("Standard deviation")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(stage.locator(".score")).not_to_have_count(0)
    judged = re.compile(r"^(Supported|Not supported|No difference) here.*“tea” is rank [\d,]+ with")
    expect(page.locator(".verdict")).to_have_text(judged)

    again = visit(link_of(page, "Take away: Through the output head"))
    expect(again.locator(".chain [aria-selected=true] .name")).to_have_text("Logits")
    expect(again.locator(".ladder tr.chosen .layer")).to_have_text("Layer 5")


def test_draw_what_is_hidden_and_see_what_counts(visit: Visits) -> None:
    page = visit(f"/fill?section=loss&seed=3&rate=40&text={TEXT}")
    tokens, rows = page.locator(".flow .token"), page.locator(".loss tbody tr")
    expect(tokens).to_have_count(12, timeout=30_000)
    marked = page.locator(".flow .selected")
    expect(marked).to_have_count(rows.count())
    expect(page.locator(".flow .token:not(.selected) .column")).to_have_count(0)
    nats = [float(text) for text in page.locator(".loss td.nats b").all_text_contents()]
    expect(page.locator(".sum")).to_contain_text(f"({sum(nats):.2f} nats in total)")

    marked.last.hover()
    expect(rows.last).to_have_class(re.compile("lit"))

    read = page.locator(".flow .read")
    before = read.all_text_contents()
    page.get_by_role("button", name="Draw again").click()
    expect(page.get_by_label("Seed of the draw")).to_have_value("4")
    expect(read).not_to_have_text(before)

    link = link_of(page, "Take away: How it learned")
    again = visit(link.replace("lang=en", "lang=zh_TW"), **PHONE)
    expect(again.locator(".loss .sum")).to_contain_text("奈特", timeout=30_000)
    expect(again.locator(".flow .read")).to_have_text(read.all_text_contents())
    width = again.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0, "nothing sticks out of a phone"
