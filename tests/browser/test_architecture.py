"""Journeys through Architecture: one gesture turns the Transformer into BERT, a block opens."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.axe import Axe
from tests.browser.test_accessibility import axe, check, settled
from tests.browser.visits import Visits

__all__ = ["axe"]  # a fixture

LINK = "/architecture?text=The cat sat on the [[mat]] in the sun."
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def block(page: Page, key: str):  # type: ignore[no-untyped-def]
    return page.locator(f"button.block[data-id='{key}']")


def test_take_the_decoder_away_then_open_and_follow(visit: Visits) -> None:
    page = visit(LINK)
    cross = block(page, "seq/decoder/cross")
    expect(cross).to_be_visible(timeout=60_000)
    settled(page)
    # Partners stand at one height.
    tops = [
        block(page, key).bounding_box()["y"]
        for key in ("seq/encoder/attention", "bert/encoder/attention", "gpt/decoder/attention")
    ]
    assert max(tops) - min(tops) < 1
    page.get_by_role("button", name="Take the decoder away").click()
    told = page.locator(".blocks .said")
    expect(told).to_contain_text("Taken away: 14 blocks with 1,991,904 parameters")
    expect(cross).to_be_disabled()
    expect(page.locator(".ghost.there")).to_have_count(5)
    settled(page)
    # By keyboard: from block to block, and open one.
    block(page, "bert/encoder/words").focus()
    page.keyboard.press("ArrowDown")
    expect(block(page, "bert/encoder/positions")).to_be_focused()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(block(page, "bert/encoder/attention")).to_be_focused()
    page.keyboard.press("Enter")
    opening = page.locator(".opening")
    expect(opening).to_contain_text("BERT · Encoder · Layer 1 · Self-attention", timeout=20_000)
    opening.get_by_role("radio", name="Weights").click()
    expect(opening.locator(".caption")).to_contain_text("4 heads × 12 tokens × 12 tokens")
    opening.get_by_role("radio", name="3", exact=True).click()
    expect(opening.locator("h3")).to_contain_text("Layer 3", timeout=20_000)
    follow(page)


def follow(page: Page) -> None:
    """Further down: the way of one token, by arrow keys."""
    chain = page.locator(".path .chain")
    first = chain.get_by_role("button").first
    first.focus()
    page.keyboard.press("ArrowRight")
    told = page.locator(".path .stage .told")
    expect(told).to_contain_text("Three matrices make three vectors")
    page.keyboard.press("End")
    expect(page.locator(".path .bars tbody tr")).to_have_count(10)
    expect(told).to_contain_text("These are the answers at this very token.")
    settled(page)
    page.get_by_role("radiogroup", name="Model").get_by_text("GPT", exact=True).click()
    # The old steps may stand beside the new ones for a moment.
    expect(page.locator(".path .stage .told").last).to_contain_text(
        "the token after it", timeout=20_000
    )
    page.locator(".path .chain").get_by_role("button", name=re.compile("Mask")).click()
    expect(page.locator("table.grid .masked").first).to_have_text("−∞")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_and_for_everyone(visit: Visits, axe: Axe) -> None:
    link = f"{LINK}&open=seq/decoder/cross/1&turn=gpt&features=elmo-s-en"
    page = visit(link, locale="zh-TW", reduced_motion="reduce", **PHONE)
    expect(page.locator(".opening h3")).to_contain_text("交叉注意力", timeout=60_000)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check(axe, page, "on a phone")
    features(page)


def features(page: Page) -> None:
    """The probe of one model, as the link asks, then another one by keyboard."""
    chosen = page.get_by_role("combobox", name="一個模型，連同它的對照")
    expect(chosen).to_have_value("elmo-s-en", timeout=20_000)
    expect(page.get_by_text("GPT 的各層也是。")).to_be_attached()
    chosen.focus()
    page.keyboard.type("gpt-s")
    page.keyboard.press("Enter")
    chart = page.get_by_role("figure", name=re.compile("^gpt-s-en：詞"))
    expect(chart).to_be_attached(timeout=20_000)
