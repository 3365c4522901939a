"""Journeys through Positions: by mouse and by keyboard, on a phone, in Chinese, for everyone."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.axe import Axe
from tests.browser.test_accessibility import axe, check, settled
from tests.browser.visits import Visits

__all__ = ["axe"]  # a fixture

LINK = "/positions?section=shuffle&text=The dog chased the [[cat]] up a tree."
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def order(page: Page) -> str:
    """The shuffled sentence."""
    return str(page.locator(".shuffled .order").nth(1).text_content())


def test_shuffle_then_distance_then_the_tables(visit: Visits) -> None:
    page = visit(LINK)
    cards = page.locator(".shuffled .panel")
    expect(cards).to_have_count(5, timeout=60_000)
    away = cards.filter(has_text="Positions taken away").first
    expect(away.locator(".told")).to_contain_text("The answer moves by 0.00 ± 0.00 bits")
    before, after = (away.locator("table").nth(i).locator("tbody") for i in (0, 1))
    assert before.text_content() == after.text_content(), "a bag of words"
    expect(page.locator(".judged li").first).to_contain_text("supported")
    first = order(page)
    page.get_by_role("button", name="Shuffle again").click()
    expect(page.locator(".shuffled .order").nth(1)).not_to_have_text(first, timeout=60_000)
    # By keyboard: the next part, and the slider of the hand-made matrix.
    page.get_by_role("tab", name="Distance without direction").focus()
    page.keyboard.press("Enter")
    slider = page.get_by_role("slider", name="Look k positions away")
    expect(slider).to_be_visible(timeout=60_000)
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text(re.compile("weight lies k = −2 away"))).to_be_visible(timeout=60_000)
    expect(page.locator(".judged").first.locator("li")).to_have_count(5)
    page.get_by_role("tab", name="Learned or computed").click()
    expect(page.locator(".js-plotly-plot")).to_have_count(2, timeout=60_000)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_in_chinese_and_for_everyone(visit: Visits, axe: Axe) -> None:
    page = visit(LINK, locale="zh-TW", reduced_motion="reduce", **PHONE)
    expect(page.locator(".shuffled .panel")).to_have_count(5, timeout=60_000)
    expect(page.locator("h1")).to_have_text("位置")
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check(axe, page, "shuffled, on a phone")
    page.get_by_role("tab", name="有距離，沒方向").click()
    expect(page.locator(".js-plotly-plot")).to_have_count(3, timeout=60_000)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check(axe, page, "distance, on a phone")
