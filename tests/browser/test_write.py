"""Read, then write: play the steps, go through them by keyboard, give a target, open the link."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.visits import IDLE, Visits

TEXT = "The chef who ran to the store was out of [[food]]."
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def idle(page: Page) -> None:
    page.wait_for_timeout(400)
    page.wait_for_selector(IDLE, timeout=60_000)


def test_follow_the_decoder(visit: Visits) -> None:
    page = visit(f"/write?text={TEXT}&model=seq-s-en", reduced_motion="reduce")
    steps = page.locator(".writing .target button")
    expect(page.locator(".maps .matrix").first).to_be_visible(timeout=60_000)
    idle(page)
    count = steps.count()
    expect(page.locator(".writing .count")).to_have_text(f"Step {count} of {count}")

    received: list[int] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on(
        "Network.webSocketFrameReceived",
        lambda frame: received.append(len(frame["response"]["payloadData"])),
    )
    steps.first.click()
    expect(page.locator(".writing .count")).to_have_text(f"Step 1 of {count}")
    looks = str(page.locator(".writing .looks").text_content())
    steps.first.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".writing .count")).to_have_text(f"Step 2 of {count}")
    expect(page.locator(".writing .looks")).not_to_have_text(looks)
    expect(page.locator(".writing .told")).to_have_text(re.compile(r"^Step 2: it writes “"))
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".writing .count")).to_have_text(f"Step 4 of {count}", timeout=20_000)
    page.get_by_role("button", name="Pause").click()
    page.locator(".writing select").select_option(index=1)
    expect(page.locator(".writing .looks")).to_contain_text("Layer 1, mean")
    assert not received, "the steps are all there: nothing is asked of the server"

    pairs = page.locator(".writing .pairs li")
    assert pairs.count() == page.locator(".writing .source .token").count()
    expect(page.locator(".writing .none")).to_have_text("no decoder")
    expect(page.locator(".lengths .dot")).to_have_count(8)

    target = page.get_by_label("The sentence that should be written")
    expect(target).to_have_value(TEXT.replace("[[", "").replace("]]", ""))
    target.fill("The chef was out.")
    expect(page.locator(".forced tbody tr .given").nth(3)).to_have_text("was", timeout=30_000)
    idle(page)

    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text }")
    bar = page.get_by_role("group", name="Take away: The decoder writes")
    bar.get_by_role("button", name="Link").click()
    page.wait_for_function("window.copied")
    link = page.evaluate("new URL(copied).pathname + new URL(copied).search")
    shown = str(page.locator(".writing .count").text_content()).split()[1]
    again = visit(link.replace("lang=en", "lang=zh_TW"), color_scheme="dark", **PHONE)
    expect(again.locator(".writing .count")).to_have_text(
        f"第 {shown} 步，共 {count} 步", timeout=60_000
    )
    expect(again.locator(".writing .looks")).to_contain_text("第 1 層，平均")
    assert again.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
