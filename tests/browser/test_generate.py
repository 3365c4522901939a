"""Generate: cut the bars live, write, stop, choose another word, come back by link."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.visits import IDLE, Visits

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def idle(page: Page) -> None:
    page.wait_for_timeout(400)
    page.wait_for_selector(IDLE, timeout=60_000)


def test_write_choose_and_come_back(visit: Visits) -> None:
    page = visit("/generate?text=She opened the door and&way=draw&temperature=1&length=60")
    told, written = page.locator(".next .told"), page.locator(".draft .text button[data-at]")
    expect(page.locator(".beams tbody tr").first).to_be_visible(timeout=60_000)
    expect(told).to_have_text(re.compile(r"^(Kept|Nothing is cut away)"))
    idle(page)

    received: list[int] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on(
        "Network.webSocketFrameReceived",
        lambda frame: received.append(len(frame["response"]["payloadData"])),
    )
    slider = page.locator(".next [name=top_k]")
    slider.focus()
    page.keyboard.press("End")
    page.keyboard.press("Home")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(told).to_have_text(re.compile(r"^Kept: 5 of [\d,]+ tokens"))
    expect(page.locator(".next tbody tr.gone")).to_have_count(7)
    assert not received, "a slider that moves asks nothing of the server"
    page.wait_for_timeout(800)
    idle(page)

    page.get_by_role("button", name="Write 60").click()
    expect(page.locator(".next .stop")).to_be_visible(timeout=30_000)
    expect(written.first).to_be_visible(timeout=30_000)
    if (stop := page.locator(".next .stop")).is_visible():
        stop.click()
    expect(stop).to_have_count(0, timeout=60_000)
    expect(page.locator(".draft .headline")).to_contain_text("bits of surprisal", timeout=30_000)
    idle(page)

    first = str(written.first.get_attribute("aria-label"))
    written.first.click()
    expect(page.locator(".next tbody tr.strong small")).to_have_text("here", timeout=30_000)
    idle(page)
    page.locator(".next tbody tr:not(.strong) button").first.click()
    rows = page.locator(".draft .branches button")
    expect(rows).to_have_count(2, timeout=30_000)
    expect(written).to_have_count(1)
    expect(written.first).not_to_have_attribute("aria-label", first)
    idle(page)
    rows.first.press("Enter")
    expect(written.first).to_have_attribute("aria-label", first, timeout=30_000)
    idle(page)

    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text }")
    bar = page.get_by_role("group", name="Take away: The text")
    bar.get_by_role("button", name="Link").click()
    page.wait_for_function("window.copied")
    link = page.evaluate("new URL(copied).pathname + new URL(copied).search")
    again = visit(link.replace("lang=en", "lang=zh_TW"), color_scheme="dark", **PHONE)
    expect(again.locator(".draft .text button[data-at]").first).to_be_visible(timeout=60_000)
    assert again.locator(".draft .text button[data-at]").count() == written.count()
    # Top-p may leave fewer than the five of top-k.
    expect(again.locator(".next .told")).to_contain_text(f"{told.inner_text().split()[1]} 個")
    assert again.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
