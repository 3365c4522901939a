"""Attention from 16 to 512 tokens, and bertviz's own views: by mouse, keyboard and touch."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visits import IDLE, Visits

WORDS = "the chef who ran to the store was out of food and the keeper had no oil".split()
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
HOSTILE = "</script><img src=x>"


def text_of(tokens: int) -> str:
    """So many tokens of bert-en, start and end included."""
    return quote(" ".join(WORDS[i % len(WORDS)] for i in range(tokens - 2)))


def idle(page: Page) -> None:
    page.wait_for_timeout(400)
    page.wait_for_selector(IDLE, timeout=90_000)


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth - innerWidth <= 0"))


@pytest.mark.parametrize("tokens", [16, 64, 128])
def test_every_weight_has_its_cell(visit: Visits, tokens: int) -> None:
    options = PHONE if tokens == 128 else {}
    page = visit(f"/attention?head=3.11&text={text_of(tokens)}", **options)
    expect(page.locator(".heads .cells button")).to_have_count(72, timeout=60_000)
    expect(page.locator(".head .tokens.rows button")).to_have_count(min(64, tokens))
    drawn = page.locator(".head .square canvas")
    expect(drawn).to_be_visible()
    expect(page.locator(".head .zoom")).to_have_count(int(tokens > 48))
    assert fits(page)


def test_512_tokens_down_to_a_single_weight(visit: Visits) -> None:
    page = visit(f"/attention?head=3.11&text={text_of(700)}")
    expect(page.get_by_text("reads at most 512 at once")).to_be_visible(timeout=60_000)
    expect(page.get_by_text(re.compile("^512 tokens: about"))).to_be_visible()
    expect(page.locator(".heads .note", has_text="A cell stands for 8 × 8 weights.")).to_be_visible(
        timeout=60_000
    )
    told = page.locator(".head .zoom .window")
    expect(told).to_contain_text("Rows 1–512 of 512")
    expect(told).to_contain_text("as the largest of them")
    page.locator(".head .zoom select").select_option(index=1)
    expect(told).to_contain_text("as their mean")
    idle(page)

    small = page.locator(".head .overview")
    expect(small).to_be_hidden()
    page.locator(".head .zoom canvas").first.focus()
    for _ in range(3):
        page.keyboard.press("+")
    expect(told).to_contain_text("Rows 1–64 of 512")
    expect(small).to_be_visible()
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".head .readout")).to_have_text(
        re.compile(r"^“food” gives “\[CLS\]” the weight \d\.\d{6}\.$")
    )
    size = small.bounding_box()
    assert size
    small.click(position={"x": size["width"] * 0.75, "y": size["height"] * 0.5})
    expect(told).to_contain_text(re.compile("Rows 2[0-9]{2}–2[0-9]{2} of 512, columns 3"))
    expect(page.locator(".head .lines > .note")).to_contain_text(
        re.compile("tokens 2[0-9]{2}–2[0-9]{2} to tokens 3")
    )
    page.get_by_role("button", name="Whole map").click()
    expect(small).to_be_hidden()
    page.locator(".head .square canvas").dblclick()
    expect(told).to_contain_text("of 512")

    page.get_by_role("tab", name="One layer, every weight").click()
    heads = page.locator(".layer .all button")
    expect(heads).to_have_count(12, timeout=60_000)
    idle(page)
    heads.nth(4).click()
    expect(page.locator(".layer h4")).to_have_text("Layer 3 · head 5")
    page.locator(".layer .square").hover(position={"x": 90, "y": 40})
    expect(page.locator(".layer .readout")).to_have_text(re.compile(r"gives .*: head 1 0\.\d{3},"))
    page.locator(".layer .which select").select_option(index=5)
    expect(page.locator(".layer h3")).to_have_text("Layer 6, every weight", timeout=60_000)
    page.get_by_role("button", name="Open this head exactly").click()
    expect(page.locator(".head h3")).to_have_text("Layer 6 · head 5", timeout=60_000)


def test_bertviz_without_a_network_by_mouse_and_keyboard(visit: Visits) -> None:
    page = visit(f"/attention?section=bertviz&text={quote(HOSTILE)}")
    lines = page.locator(".bertviz #attention line")
    expect(lines.first).to_be_attached(timeout=60_000)
    tokens = page.locator(".bertviz #left > g:last-child > g")
    assert "<" in tokens.all_text_contents(), "what a visitor types stays text"
    assert lines.count() == 12 * tokens.count() ** 2
    tokens.nth(1).focus()
    expect(page.locator(".bertviz #attention")).to_have_attribute("visibility", "hidden")
    expect(page.locator(".bertviz line[visibility=visible]")).to_have_count(12 * tokens.count())
    page.locator(".bertviz #layer").select_option(label="3")
    idle(page)
    page.get_by_text("Model view").click()
    cells = page.locator(".bertviz .attn_background")
    expect(cells).to_have_count(72, timeout=60_000)
    page.locator(".bertviz svg > g").nth(7).click()
    expect(page.locator(".bertviz text.detail")).to_have_text("Layer 1, head 8")
    page.get_by_text("Neuron view").click()
    idle(page)
    tokens = page.locator(".bertviz #collapsed #leftText > g")
    expect(tokens.nth(1)).to_be_visible(timeout=60_000)
    tokens.nth(1).hover()
    tokens.nth(1).locator("rect").last.click()
    expect(page.locator(".bertviz #expanded")).to_have_attribute("visibility", "visible")
    assert page.locator(".bertviz #queries .element").count() > 0


def test_bertviz_on_a_phone_in_chinese(visit: Visits) -> None:
    page = visit(
        f"/attention?section=bertviz&bertviz=model&text={text_of(16)}",
        locale="zh-TW", color_scheme="dark", **PHONE,
    )  # fmt: skip
    expect(page.locator(".bertviz .attn_background")).to_have_count(72, timeout=60_000)
    expect(page.locator(".bertviz svg text", has_text="頭").first).to_be_visible()
    assert fits(page)
    again = visit(f"/attention?section=bertviz&bertviz=model&text={text_of(64)}", locale="zh-TW")
    expect(again.get_by_text("32 個以內才畫")).to_be_visible(timeout=60_000)
