"""Attention: open heads, read exact weights, follow a query, compare with what silencing does."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.visits import IDLE, Visits

TEXT = "The chef who ran to the store was out of [[food]]."
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
COUNT = """() => {
    window.drawn = 0
    const put = CanvasRenderingContext2D.prototype.putImageData
    CanvasRenderingContext2D.prototype.putImageData = function (image, ...at) {
        if (this.canvas.closest(".heads")) window.drawn++
        return put.call(this, image, ...at)
    }
}"""


def idle(page: Page) -> None:
    page.wait_for_timeout(400)
    page.wait_for_selector(IDLE, timeout=60_000)


def test_open_a_head_and_read_it(visit: Visits) -> None:
    page = visit(f"/attention?text={TEXT}&head=3.11")
    thumbnails = page.locator(".heads .cells button")
    expect(thumbnails).to_have_count(72, timeout=30_000)
    expect(page.locator(".head h3")).to_have_text("Layer 3 · head 11")
    expect(page.locator(".effects .headline")).to_contain_text("“food”", timeout=60_000)
    idle(page)

    received: list[int] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on(
        "Network.webSocketFrameReceived",
        lambda frame: received.append(len(frame["response"]["payloadData"])),
    )
    page.evaluate(COUNT)
    thumbnails.nth(40).hover()
    expect(page.locator(".heads .readout")).to_contain_text("Layer 4 · head 5: entropy")
    page.wait_for_timeout(300)
    assert not received, "pointing at a head asks nothing of the server"
    thumbnails.nth(40).click()
    expect(page.locator(".head h3")).to_have_text("Layer 4 · head 5", timeout=30_000)
    expect(page.locator(".head .bar .note")).to_have_text("")
    idle(page)
    assert page.evaluate("drawn") == 0, "the thumbnails are not sent or drawn again"
    expect(thumbnails.nth(40)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".effects .cells button").nth(40)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".stages h3")).to_contain_text("Layer 4 · head 5", timeout=30_000)

    square = page.locator(".square")
    size = square.bounding_box()
    assert size
    square.hover(position={"x": size["width"] * 2.5 / 14, "y": size["height"] * 1.5 / 14})
    told = page.locator(".head .readout")
    expect(told).to_have_text(re.compile(r"^“The” gives “chef” the weight \d\.\d{6}\.$"))
    rows, keys = page.locator(".tokens.rows button"), page.locator(".tokens.columns button")
    expect(rows.nth(1)).to_have_class(re.compile("lit"))
    expect(keys.nth(2)).to_have_class(re.compile("lit"))


def test_by_keyboard_alone_and_by_link(visit: Visits) -> None:
    page = visit(f"/attention?text={TEXT}&head=3.11")
    opened = page.locator(".heads .cells [aria-pressed=true]")
    expect(opened).to_have_count(1, timeout=30_000)
    expect(page.locator(".stages .chain button")).to_have_count(6, timeout=60_000)
    idle(page)
    opened.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator(".head h3")).to_have_text("Layer 4 · head 10", timeout=30_000)
    idle(page)

    rows = page.locator(".tokens.rows button")
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(rows.nth(2)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".head .readout")).to_have_text(re.compile("^“chef” looks most at"))
    expect(page.locator(".stages h3")).to_contain_text("“chef”", timeout=30_000)
    steps = page.locator(".stages .chain button")
    steps.last.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".stages .told")).to_contain_text("multiplied number by number")
    expect(page.locator(".stages tbody tr").nth(1).locator("td").last).not_to_be_visible()

    page.get_by_text("Hide special tokens and renormalise").click()
    expect(rows).to_have_count(12, timeout=30_000)
    idle(page)
    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text }")
    bar = page.get_by_role("group", name="Take away: One head")
    bar.get_by_role("button", name="Link").click()
    page.wait_for_function("window.copied")
    link = page.evaluate("new URL(copied).pathname + new URL(copied).search")
    again = visit(link.replace("lang=en", "lang=zh_TW"), color_scheme="dark", **PHONE)
    expect(again.locator(".head h3")).to_have_text("第 4 層 · 第 10 頭", timeout=60_000)
    expect(again.locator(".tokens.rows button")).to_have_count(12)
    assert again.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_pair_sorted_mixed_and_filtered(visit: Visits) -> None:
    page = visit(f"/attention?text={TEXT}&pair=She bought bread.", **PHONE)
    thumbnails = page.locator(".heads .cells button:visible")
    expect(thumbnails).to_have_count(72, timeout=30_000)
    idle(page)
    flag = page.locator(".flags .pill").first
    count = int(str(flag.locator("b").text_content()))
    flag.tap()
    page.get_by_label("Order").select_option(index=1)
    expect(thumbnails).to_have_count(count)
    page.get_by_role("button", name="Mix heads").tap()
    thumbnails.nth(1).tap()
    expect(page.locator(".head h3")).to_have_text(re.compile(r"^Mean of the heads"), timeout=30_000)
    idle(page)
    page.get_by_text("first → second").click()
    expect(page.locator(".tokens.columns .text")).to_have_text(
        ["She", "bought", "bread", "."], timeout=30_000
    )
    page.locator(".head summary").tap()
    expect(page.locator(".head details tbody tr")).to_have_count(12)
