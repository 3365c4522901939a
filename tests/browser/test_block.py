"""A journey inside a block: step by step through the network, from section to section, by link."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.axe import Axe
from tests.browser.test_accessibility import axe, check, settled
from tests.browser.visits import Visits

__all__ = ["axe"]  # a fixture

TEXT = "text=She poured some hot [[water]] into the cup."
LINK = f"/block?model=bert-s-en&{TEXT}"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_through_the_network_and_the_sections(visit: Visits) -> None:
    page = visit(LINK)
    stage = page.locator(".steps .stage")
    expect(stage.locator(".formula")).to_contain_text("GELU", timeout=60_000)
    expect(page.locator(".steps .outcomes h4")).to_have_count(3)
    # By keyboard from step to step, without the server.
    page.get_by_role("tab", name=re.compile("^Activate")).focus()
    page.keyboard.press("ArrowRight")
    expect(stage.locator(".formula")).to_have_text("W₂a + b₂")
    page.keyboard.press("Home")
    expect(stage.locator(".told")).to_contain_text("[MASK]")
    expect(page.locator(".neurons tbody tr")).to_have_count(8)
    open_section(page, "Residual stream")
    expect(page.locator(".rows .headline")).to_contain_text("parts sum to", timeout=60_000)
    expect(page.locator(".rows table").first.locator("tbody tr")).to_have_count(15)
    open_section(page, "Dropout")
    before = page.locator(".rows .headline").first
    expect(before).to_contain_text("With 10% of the units silent", timeout=60_000)
    page.get_by_role("button", name="Draw again").click()
    expect(page.get_by_label("Seed of the draw")).to_have_value("1", timeout=60_000)
    # To the last section by keyboard: a stored test, at once.
    page.get_by_role("tab", name="Residual stream").focus()
    page.keyboard.press("End")
    shown = page.get_by_role("tabpanel", name="Next sentence").locator(".rows")
    expect(shown.locator(".headline")).to_contain_text("% right", timeout=20_000)
    expect(shown.locator("table")).to_have_count(4)
    expect(shown.locator("table").last).to_contain_text("Hidden words found")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def open_section(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()
    settled(page)


def test_on_a_phone_in_chinese_and_for_everyone(visit: Visits, axe: Axe) -> None:
    page = visit(f"{LINK}&section=stream", locale="zh-TW", reduced_motion="reduce", **PHONE)
    expect(page.locator(".rows .headline")).to_contain_text("logit", timeout=60_000)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check(axe, page, "on a phone")
