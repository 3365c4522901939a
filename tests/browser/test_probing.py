"""What a checkpoint is, in a real browser: sections by keyboard, chips, a look at all heads."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.test_checkpoint import address, idle
from tests.browser.visits import Visits

__all__ = ["address"]  # a fixture

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TEXT = "the cat was on the mat"


def test_what_it_is_then_tokens_then_heads(visit: Visits, address: str) -> None:
    page = visit(f"/checkpoint?model=dir:writer&text={TEXT}", address)
    told = page.get_by_text(re.compile("reads from the left. Measured: no leak"))
    expect(told).to_be_visible(timeout=90_000)
    expect(page.locator("dl.facts .value", has_text="exactly 0").first).to_be_visible()
    idle(page)
    # By keyboard along the row of sections.
    page.get_by_role("tab", name="Parameters").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Tokenizer")).to_have_attribute("aria-selected", "true")
    chips = page.locator(".pieces .tokens button")
    expect(chips).to_have_count(7, timeout=60_000)
    chips.first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".pieces .note")).to_contain_text("“the”: begins a word")
    page.get_by_role("tab", name="Heads at a glance").click()
    page.get_by_role("button", name="Look at 1 sentence").click()
    expect(page.get_by_text("Over 1 sentence.")).to_be_visible(timeout=60_000)


def test_in_chinese_on_a_phone(visit: Visits, address: str) -> None:
    link = f"/checkpoint?model=dir:good&section=weight&text={TEXT}"
    page = visit(link, address, locale="zh-TW", **PHONE)
    expect(page.get_by_text(re.compile("層的編碼器，左右兩邊都讀"))).to_be_visible(timeout=90_000)
    expect(page.get_by_text("奇異值").first).to_be_visible(timeout=60_000)
    idle(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
